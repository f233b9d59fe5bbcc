import assert from 'node:assert/strict';
import * as cells from '../../src/api/cell.ts';
import * as columns from '../../src/api/column.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import * as imports from '../../src/api/import.ts';
import * as operations from '../../src/api/operation.ts';
import * as requests from '../../src/api/request-log.ts';
import * as rows from '../../src/api/row.ts';
import * as scores from '../../src/api/score.ts';
import * as sheets from '../../src/api/sheet.ts';
import * as tables from '../../src/api/table.ts';
import * as versions from '../../src/api/version.ts';
import type { Reply } from '../support/contract/conversation.ts';
import { contract } from '../support/contract/description.ts';
import { tableEndpoints } from '../support/contract/endpoints.ts';
import { live } from '../support/contract/live.ts';
import { inOneGo } from '../support/contract/in-one-go.ts';
import { until } from '../support/until.ts';

type Json = Readonly<Record<string, unknown>>;

/** One life of a table, every answer held against the public description. */
contract('answers of the local service', (description) => {
  const running = live(description);
  const ids: Record<string, string> = {};

  const call = async (
    endpoint: Endpoint,
    status: number,
    body?: unknown,
    query?: Readonly<Record<string, string>>,
    more?: Readonly<Record<string, string>>,
  ): Promise<Reply['body']> => {
    const reply = await running().talk.call(endpoint, {
      params: { ...ids, ...more },
      ...(body !== undefined && { body }),
      ...(query !== undefined && { query }),
    });
    assert.equal(reply.status, status, JSON.stringify(reply.body));
    return reply.body;
  };
  const at = (body: Json, ...path: string[]): Json =>
    path.reduce<Json>((value, key) => value[key] as Json, body);

  const step = inOneGo('are as they are described, in all documented successes');

  step('create, read, list, change a table', async () => {
    const created = await call(tables.createTable, 201, { title: 'Contract' });
    ids['table_id'] = String(at(created, 'table')['id']);
    ids['sheet_id'] = String(at(created, 'default_sheet')['id']);
    assert.equal(at(created, 'default_sheet')['title'], 'Sheet 1');
    assert.equal(at(created, 'table')['sheet_count'], 1);
    await call(tables.createTable, 201);
    const bare = await call(tables.createTable, 201, { create_default_sheet: false });
    assert.equal('default_sheet' in bare, false);
    const got = await call(tables.getTable, 200);
    assert.deepEqual(at(got, 'table')['sheet_row_counts'], { [ids['sheet_id']]: 1 });
    const changed = await call(tables.updateTable, 200, { title: 'Renamed' });
    assert.equal(at(changed, 'table')['title'], 'Renamed');
    const unchanged = await call(tables.updateTable, 200, { title: null });
    assert.equal(at(unchanged, 'table')['title'], 'Renamed');
    const listed = await call(tables.listTables, 200, undefined, { name: 'RENAM', limit: '1' });
    assert.deepEqual(
      (listed['data'] as Json[]).map((table) => table['title']),
      ['Renamed'],
    );
  });

  step('create, read, list, change sheets', async () => {
    const created = await call(sheets.createSheet, 201, { title: 'Second', index: 0 });
    const second = { sheet_id: String(at(created, 'sheet')['id']) };
    await call(sheets.createSheet, 201, {});
    await call(sheets.getSheet, 200, undefined, undefined, second);
    const moved = await call(
      sheets.updateSheet,
      200,
      { index: 1, title: 'Two' },
      undefined,
      second,
    );
    assert.equal(typeof moved['version'], 'number');
    const listed = await call(sheets.listSheets, 200, undefined, { order: 'desc', limit: '2' });
    assert.equal(listed['has_more'], true);
    const rest = await call(sheets.listSheets, 200, undefined, {
      order: 'desc',
      limit: '2',
      cursor: String(listed['next_cursor']),
    });
    assert.equal(rest['has_more'], false);
    assert.equal(rest['next_cursor'], null);
    await call(sheets.deleteSheet, 200, undefined, undefined, second);
  });

  step('create, list, change columns', async () => {
    const first = await call(columns.listColumns, 200);
    ids['text'] = String((first['data'] as Json[])[0]?.['id']);
    const words = await call(columns.createColumn, 201, {
      title: 'Words',
      type: 'COUNT',
      config: { source: 'Column A', type: 'words' },
    });
    ids['column_id'] = String(at(words, 'column')['id']);
    assert.equal((words['cells'] as Json[])[0]?.['status'], 'stale');
    const code = await call(columns.createColumn, 201, {
      title: 'Code',
      type: 'code',
      config: { language: 'JAVASCRIPT', code: 'return { words: data.Words, big: 2 ** 53 }' },
    });
    assert.equal(at(code, 'column')['type'], 'CODE_EXECUTION');
    const failing = await call(columns.createColumn, 201, {
      title: 'Fails',
      type: 'PROMPT_TEMPLATE',
      config: { template: { name: 'a template that is not there' } },
    });
    ids['failing'] = String(at(failing, 'column')['id']);
    const changed = await call(columns.updateColumn, 200, {
      config: { source: 'Column A', type: 'chars' },
    });
    assert.equal(changed['requires_recalculation'], true);
    await call(columns.listColumns, 200, undefined, {
      include_system_columns: 'true',
      limit: '1',
      order: 'desc',
    });
    const refused = await call(columns.createColumn, 400, {
      title: 'Bad',
      type: 'COUNT',
      config: { source: 'No such column', type: 'words' },
    });
    assert.match(String(refused['message']), /No such column/);
    const cycle = await call(columns.updateColumn, 400, {
      config: { source: 'Words', type: 'chars' },
    });
    assert.ok(cycle['message']);
  });

  step('add and list rows', async () => {
    const added = await call(rows.addRows, 201, {
      count: 5,
      values: [{ [ids['text'] ?? '']: 'one two' }, { [ids['text'] ?? '']: 'שלום 👩‍👩‍👧‍👦' }],
    });
    assert.deepEqual(added['row_indices'], [1, 2, 3, 4, 5]);
    await call(rows.addRows, 201);
    const page = await call(rows.listRows, 200, undefined, {
      limit: '3',
      include_system_columns: 'true',
      include_execution_metadata_aggregates: 'true',
    });
    assert.equal(page['row_count'], 7);
    assert.ok((page['columns'] as Json[]).length >= 4);
    const row = (page['data'] as Json[])[1];
    ids['cell_id'] = String(at(row ?? {}, 'cells', ids['text'] ?? '')['id']);
    ids['computed'] = String(at(row ?? {}, 'cells', ids['column_id'] ?? '')['id']);
    const next = await call(rows.listRows, 200, undefined, {
      limit: '3',
      cursor: String(page['next_cursor']),
      include_row_count: 'false',
    });
    assert.deepEqual(next['columns'], []);
    assert.equal('row_count' in next, false);
    assert.equal(at(page, 'pagination')['next_cursor'], page['next_cursor']);
  });

  step('read and write cells', async () => {
    await call(cells.getCell, 200);
    const place = { row_index: 0, column_id: ids['text'] ?? '' };
    const many = await call(cells.writeCells, 200, { cells: [{ ...place, value: 'many' }] });
    assert.equal((many['results'] as unknown[]).length, 1);
    const written = await call(cells.updateCell, 200, { value: 'three words here' });
    assert.equal(at(written, 'cell')['value'], 'three words here');
    await call(cells.updateCell, 200, { value: { nested: [null, 1.5] }, display_value: 'shown' });
    await call(cells.updateCell, 200, { value: null });
    await call(cells.updateCell, 200, { display_value: '' });
    await call(cells.updateCell, 400, { value: 1 }, undefined, { cell_id: ids['computed'] ?? '' });
    await call(cells.getCell, 200, undefined, undefined, { cell_id: ids['computed'] ?? '' });
  });

  step('run operations', async () => {
    const queued = await call(operations.createOperation, 202, {});
    assert.equal(queued['operation'], 'recalculate');
    await call(operations.listOperations, 200);
    ids['operation_id'] = String(queued['operation_id']);
    await finished();
    const byExecution = { operation_id: String(queued['execution_id']) };
    await call(operations.getOperation, 200, undefined, undefined, byExecution);
    const counts = await call(operations.getStatusCounts, 200);
    assert.equal(at(counts, 'status_counts')['QUEUED'], 0);
    const nothing = await call(operations.createOperation, 200, {});
    assert.equal(nothing['cell_count'], 0);
    const page = await call(rows.listRows, 200);
    const computed = (page['data'] as Json[]).map((row) =>
      at(row, 'cells', ids['column_id'] ?? ''),
    );
    assert.deepEqual(new Set(computed.map((cell) => cell['status'])), new Set(['completed']));
    const failed = at((page['data'] as Json[])[0] ?? {}, 'cells', ids['failing'] ?? '');
    assert.equal(failed['status'], 'error');
    assert.ok(failed['error_message']);
  });

  step('recalculate cells and cancel', async () => {
    const one = await call(cells.recalculateCell, 202, undefined, undefined, {
      cell_id: ids['computed'] ?? '',
    });
    ids['operation_id'] = String(one['execution_id']);
    await finished();
    const many = await call(cells.recalculateCells, 202, { cell_ids: [ids['computed']] });
    assert.equal(many['selected_cell_count'], 1);
    const cancelled = await call(operations.cancelOperation, 200, undefined, undefined, {
      operation_id: String(many['execution_id']),
    });
    assert.equal(cancelled['success'], true);
    const unknown = await call(operations.cancelOperation, 200, undefined, undefined, {
      operation_id: 'never-heard-of',
    });
    assert.equal(unknown['cancelled_cell_count'], 0);
    const none = await call(cells.recalculateCells, 200, { cell_ids: [ids['cell_id']] });
    assert.equal(none['success'], false);
    const noneOne = await call(cells.recalculateCell, 200);
    assert.equal(noneOne['success'], false);
  });

  step('ask before a very large operation', async () => {
    const content = Buffer.from(`text\n${'x\n'.repeat(20_000)}`).toString('base64');
    const started = await call(sheets.createSheet, 202, {
      source: { type: 'file', file_name: 'large.csv', file_content_base64: content },
    });
    const large = { sheet_id: String(at(started, 'sheet')['id']) };
    await imported(String(started['operation_id']));
    await call(
      columns.createColumn,
      201,
      { title: 'chars', type: 'COUNT', config: { source: 'text', type: 'chars' } },
      undefined,
      large,
    );
    const asked = await running().talk.call(operations.createOperation, {
      params: { ...ids, ...large },
      body: {},
    });
    if (asked.status === 200) {
      assert.equal(asked.body['requires_confirmation'], true);
      const body = { confirmation_token: asked.body['confirmation_token'] };
      const confirmed = await call(operations.createOperation, 202, body, undefined, large);
      const operation = { ...large, operation_id: String(confirmed['operation_id']) };
      await call(operations.cancelOperation, 200, undefined, undefined, operation);
    }
    const more = {
      file_name: 'more.csv',
      file_content_base64: Buffer.from('text\ny').toString('base64'),
    };
    const added = await call(imports.importFile, 202, more, undefined, large);
    await imported(String(added['operation_id']));
  });

  step('bring logged requests into sheets, and call an import off', async () => {
    const logged = await call(requests.logRequest, 201, {
      provider: 'openai',
      model: 'gpt-4o',
      input: { type: 'completion', content: [{ type: 'text', text: 'a' }] },
      output: { type: 'completion', content: [{ type: 'text', text: 'b' }] },
      request_start_time: '2026-01-01T00:00:00Z',
      request_end_time: '2026-01-01T00:00:01Z',
    });
    const chosen = { request_log_ids: [logged['request_id']] };
    const source = { type: 'request_logs', ...chosen };
    const made = await call(sheets.createSheet, 202, { source });
    await imported(String(made['operation_id']));
    const into = { sheet_id: String(at(made, 'sheet')['id']) };
    const body = { ...chosen, include_fields: ['output'] };
    const added = await call(imports.importRequestLogs, 202, body, undefined, into);
    const operation = { operation_id: String(added['operation_id']) };
    await call(imports.cancelImport, 200, undefined, undefined, operation);
    await call(imports.getImport, 200, undefined, undefined, operation);
  });

  step('score a sheet', async () => {
    await call(scores.getScorecard, 200);
    await call(scores.getScore, 200);
    await call(scores.configureScore, 200, { column_ids: [ids['column_id']] });
    await call(scores.recalculateScore, 202);
    await call(scores.getScore, 200);
    await call(scores.migrateLegacyScore, 200, {});
    const configured = await call(scores.configureScorecard, 200, {
      name: 'Contract',
      aggregation: {},
      evaluated_column_ids: [ids['text']],
      steps: [
        { title: 'b', primitive_type: 'CONTAINS', primitive_config: { value: 'b' }, weight: 2 },
        { title: 'json', primitive_type: 'ASSERT_VALID', primitive_config: { type: 'object' } },
      ],
    });
    const [first] = at(configured, 'scorecard')['steps'] as Json[];
    await call(scores.recalculateScorecard, 202, { step_ids: [first?.['id']] });
    await call(scores.getScorecard, 200);
    await call(scores.cancelScorecard, 200);
    const started = await call(scores.recalculateScorecard, 202);
    const calculation = { calculation_id: String(started['calculation_id']) };
    await until('the score is calculated', async () => {
      const got = await call(
        scores.getScorecardCalculation,
        200,
        undefined,
        undefined,
        calculation,
      );
      return at(got, 'calculation')['status'] === 'completed';
    });
    await call(scores.getScorecard, 200);
    const page = await call(scores.listScorecardRows, 200, undefined, { limit: '1' });
    assert.equal(typeof page['next_cursor'], 'number');
    await call(scores.listScorecardRows, 200, undefined, { verdict: 'fail', cursor: '1' });
    await call(scores.getScorecardRow, 200, undefined, undefined, { row_index: '0' });
    await call(versions.createVersion, 201, { name: 'scored' });
    const history = await call(scores.getScoreHistory, 200);
    assert.equal((at(history, 'score_history')['points'] as Json[]).length, 1);
    await call(scores.deleteScorecard, 200);
  });

  step('save, list, read, restore versions', async () => {
    const saved = await call(versions.createVersion, 201, { name: 'before' });
    ids['version_id'] = String(at(saved, 'version')['id']);
    await call(versions.createVersion, 201, { name: 'more' });
    await call(versions.listVersions, 200, undefined, { limit: '1', sort: 'version_number' });
    const got = await call(versions.getVersion, 200);
    assert.equal(typeof at(got, 'version')['snapshot'], 'object');
    await call(versions.createVersion, 201, { source_version_id: ids['version_id'] });
  });

  step('delete rows, columns, tables', async () => {
    await call(rows.deleteRows, 200, { row_indices: [1, 3] });
    const page = await call(rows.listRows, 200, undefined, { include_columns: 'false' });
    assert.deepEqual(
      (page['data'] as Json[]).map((row) => row['row_index']),
      [0, 2, 4, 5, 6],
    );
    await call(columns.deleteColumn, 200);
    await call(tables.deleteTable, 200);
    await call(tables.getTable, 404);
    await call(rows.listRows, 404);
  });

  step('were seen for every documented success of every endpoint', () => {
    const { seen } = running().talk;
    // A file is no JSON to be held against a schema.
    const answers = tableEndpoints.filter(({ media }) => media === undefined);
    const missing = answers.flatMap((endpoint) => {
      const described = description.operation(endpoint.method, endpoint.path);
      const codes = described ? Object.keys(described.responses) : ['200'];
      return codes
        .filter((code) => code.startsWith('2'))
        .map((code) => `${endpoint.method} ${endpoint.path} ${code}`)
        .filter((key) => !seen.has(key));
    });
    assert.deepEqual(missing, []);
  });

  async function finished(): Promise<void> {
    await until('the operation has ended', async () => {
      const got = await call(operations.getOperation, 200);
      const { status, pending_count } = at(got, 'operation');
      return status !== 'queued' && status !== 'running' && pending_count === 0;
    });
  }

  async function imported(operationId: string): Promise<void> {
    const operation = await until('the import has ended', async () => {
      const got = await call(imports.getImport, 200, undefined, undefined, {
        operation_id: operationId,
      });
      const now = at(got, 'operation');
      return ['completed', 'failed'].includes(String(now['status'])) && now;
    });
    assert.equal(operation['status'], 'completed', String(operation['error_message']));
  }
});
