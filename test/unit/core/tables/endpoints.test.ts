import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as cellApi from '../../../../src/api/cell.ts';
import * as columnApi from '../../../../src/api/column.ts';
import type { Endpoint } from '../../../../src/api/endpoint.ts';
import * as importApi from '../../../../src/api/import.ts';
import * as operationApi from '../../../../src/api/operation.ts';
import * as rowApi from '../../../../src/api/row.ts';
import * as scoreApi from '../../../../src/api/score.ts';
import * as sheetApi from '../../../../src/api/sheet.ts';
import * as tableApi from '../../../../src/api/table.ts';
import * as versionApi from '../../../../src/api/version.ts';
import type { Client } from '../../../../src/core/client.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { Reply, ScriptedServer } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

const ref = { tableId: 'T', sheetId: 'S' };
const table = { id: 'T', title: 'Words' };
const sheet = { id: 'S', table_id: 'T', title: 'Sheet 1' };
const column = { id: 'C', title: 'Word', type: 'TEXT' };
const cell = { id: 'X', column_id: 'C', row_index: 0, status: 'completed', value: 1 };
const version = { id: 'V', version_number: 1 };
const operation = { operation_id: 'O', status: 'running' };
const importing = { operation_id: 'I', status: 'running' };
const prefix = '/api/public/v2/tables';
const content = Buffer.from('a');

type Case = readonly [
  request: string,
  reply: Reply,
  call: (client: Client) => Promise<unknown>,
  result: unknown,
];
const first = async (items: AsyncIterable<unknown>): Promise<unknown> => {
  for await (const item of items) return item;
  return undefined;
};

const cases: readonly Case[] = [
  [
    'GET ',
    { body: { data: [table] } },
    (c) => c.tables.page({ limit: 1 }),
    { items: [table], nextCursor: undefined, hasMore: false },
  ],
  ['GET ', { body: { tables: [table] } }, (c) => first(c.tables.list({ name: 'w' })), table],
  ['GET /T', { body: { success: true, table } }, (c) => c.tables.get('T'), table],
  [
    'POST ',
    { status: 201, body: { success: true, table, default_sheet: sheet } },
    (c) => c.tables.create(),
    { success: true, table, default_sheet: sheet },
  ],
  ['PATCH /T', { body: { table } }, (c) => c.tables.update('T', { folder_id: null }), table],
  ['DELETE /T', { body: { success: true } }, (c) => c.tables.delete('T'), true],
  [
    'GET /T/sheets',
    { body: { data: [sheet] } },
    (c) => c.tables.sheets.page('T'),
    { items: [sheet], nextCursor: undefined, hasMore: false },
  ],
  ['GET /T/sheets', { body: { items: [sheet] } }, (c) => first(c.tables.sheets.list('T')), sheet],
  ['GET /T/sheets/S', { body: { sheet } }, (c) => c.tables.sheets.get(ref), sheet],
  [
    'POST /T/sheets',
    { status: 201, body: { sheet } },
    (c) => c.tables.sheets.create('T', { title: 'x' }),
    sheet,
  ],
  [
    'POST /T/sheets',
    {
      status: 202,
      body: { sheet, operation_id: 'O', operation: { operation_id: 'O', status: 'queued' } },
    },
    (c) => c.tables.sheets.createFromFile('T', { fileName: 'a.csv', content }),
    { sheet, operation_id: 'O', operation: { operation_id: 'O', status: 'pending' } },
  ],
  [
    'PATCH /T/sheets/S',
    { body: { sheet, version: 2 } },
    (c) => c.tables.sheets.update(ref, { index: 1 }),
    sheet,
  ],
  ['DELETE /T/sheets/S', { status: 204 }, (c) => c.tables.sheets.delete(ref), true],
  [
    'GET /T/sheets/S/columns',
    { body: { data: [column] } },
    (c) => c.tables.columns.page(ref),
    { items: [column], nextCursor: undefined, hasMore: false },
  ],
  [
    'GET /T/sheets/S/columns',
    { body: { columns: [column] } },
    (c) => first(c.tables.columns.list(ref)),
    column,
  ],
  [
    'POST /T/sheets/S/columns',
    { status: 201, body: { column, cells: [], version: 2 } },
    (c) => c.tables.columns.create(ref, { title: 'Word', type: 'text' }),
    { column, cells: [], version: 2 },
  ],
  [
    'PATCH /T/sheets/S/columns/C',
    { body: { column, requires_recalculation: true, version: 2 } },
    (c) => c.tables.columns.update(ref, 'C', { title: 'x' }),
    { column, requires_recalculation: true, version: 2 },
  ],
  [
    'DELETE /T/sheets/S/columns/C',
    { body: { success: true, stale_count: 3 } },
    (c) => c.tables.columns.delete(ref, 'C'),
    { success: true, stale_count: 3 },
  ],
  [
    'GET /T/sheets/S/rows',
    { body: { data: [], row_count: 0 } },
    async (c) => (await c.tables.rows.page(ref)).rowCount,
    0,
  ],
  [
    'POST /T/sheets/S/rows',
    { status: 201, body: { rows_created: 1 } },
    (c) => c.tables.rows.add(ref),
    { rows_created: 1 },
  ],
  [
    'DELETE /T/sheets/S/rows',
    { body: { success: true } },
    (c) => c.tables.rows.delete(ref, [1]),
    { success: true },
  ],
  [
    'PATCH /T/sheets/S/cells',
    { body: { success: true, results: [{ outcome: 'written' }], version: 3, stale_count: 1 } },
    (c) => c.tables.cells.write(ref, [{ row_index: 0, column_id: 'C', value: 'x' }]),
    { success: true, results: [{ outcome: 'written' }], version: 3, stale_count: 1 },
  ],
  ['GET /T/sheets/S/cells/X', { body: { cell } }, (c) => c.tables.cells.get(ref, 'X'), cell],
  [
    'PATCH /T/sheets/S/cells/X',
    { body: { cell, version: 3, stale_count: 1 } },
    (c) => c.tables.cells.update(ref, 'X', { value: null }),
    { cell, version: 3, stale_count: 1 },
  ],
  [
    'POST /T/sheets/S/cells/recalculations',
    { status: 202, body: { success: true, execution_id: 'E', cell_count: 1 } },
    (c) => c.tables.cells.recalculate(ref, ['X']),
    { kind: 'queued', executionId: 'E', cellCount: 1 },
  ],
  [
    'GET /T/sheets/S/operations',
    { body: { version: 1, active_operations: [operation] } },
    async (c) => (await c.tables.operations.list(ref)).active_operations[0]?.operation_id,
    'O',
  ],
  [
    'POST /T/sheets/S/operations',
    { status: 202, body: { success: true, operation_id: 'O' } },
    async (c) => (await c.tables.operations.create(ref)).kind,
    'queued',
  ],
  [
    'GET /T/sheets/S/operations/O',
    { body: { operation } },
    async (c) => (await c.tables.operations.get(ref, 'O')).status,
    'running',
  ],
  [
    'DELETE /T/sheets/S/operations/O',
    { body: { success: true, message: 'ok' } },
    async (c) => (await c.tables.operations.cancel(ref, 'O')).cancelled_cell_count,
    0,
  ],
  [
    'GET /T/sheets/S/status-counts',
    { body: { total_cells: 2, status_counts: { STALE: 2 } } },
    (c) => c.tables.operations.statusCounts(ref),
    { total_cells: 2, status_counts: { STALE: 2 } },
  ],
  [
    'GET /T/sheets/S/versions',
    {
      body: {
        success: true,
        data: [version],
        pagination: { next_cursor: null, has_more: false, limit: 20 },
        filters: {},
        count: 1,
      },
    },
    (c) => c.tables.versions.page(ref),
    { items: [version], nextCursor: undefined, hasMore: false },
  ],
  [
    'GET /T/sheets/S/versions',
    { body: { data: [version] } },
    (c) => first(c.tables.versions.list(ref)),
    version,
  ],
  [
    'GET /T/sheets/S/versions/V',
    { body: { version } },
    (c) => c.tables.versions.get(ref, 'V'),
    version,
  ],
  [
    'POST /T/sheets/S/versions',
    { status: 201, body: { version } },
    (c) => c.tables.versions.create(ref, { name: 'Before' }),
    version,
  ],
  [
    'POST /T/sheets/S/versions',
    { status: 201, body: { version } },
    (c) => c.tables.versions.restore(ref, 'V'),
    version,
  ],
  [
    'POST /T/sheets/S/imports/file',
    { status: 202, body: { operation_id: 'O', operation } },
    async (c) => (await c.tables.imports.file(ref, { fileName: 'a.csv', content })).operation_id,
    'O',
  ],
  [
    'GET /T/sheets/operations/O',
    { body: { operation } },
    async (c) => (await c.tables.imports.get('T', 'O')).status,
    'running',
  ],
  [
    'GET /T/sheets/S/score',
    { body: { success: true, score_type: 'scorecard' } },
    (c) => c.tables.scores.get(ref),
    { success: true, score_type: 'scorecard' },
  ],
  [
    'GET /T/sheets/S/versions/score-history',
    { body: { score_history: { points: [] } } },
    (c) => c.tables.scores.history(ref),
    { points: [] },
  ],
  [
    'GET /T/sheets/S/scorecard',
    { body: { success: true, scorecard: null } },
    (c) => c.tables.scorecards.get(ref),
    { success: true, scorecard: null },
  ],
  [
    'GET /T/sheets/S/scorecard/rows',
    { body: { rows: [{ row_index: 3 }], next_cursor: null } },
    (c) => first(c.tables.scorecards.allRows(ref)),
    { row_index: 3 },
  ],
  [
    'GET /T/sheets/S/scorecard/rows/3',
    { body: { row_index: 3 } },
    (c) => c.tables.scorecards.row(ref, 3),
    { row_index: 3 },
  ],
  [
    'GET /T/sheets/S/scorecard/calculations/K',
    { body: { calculation: { id: 'K' } } },
    (c) => c.tables.scorecards.calculation(ref, 'K'),
    { calculation: { id: 'K' } },
  ],
  [
    'PATCH /T/sheets/S/score',
    { body: { success: true, score_configuration_id: 'K' } },
    (c) => c.tables.scores.configure(ref, { scoreType: 'auto' }),
    { success: true, score_configuration_id: 'K' },
  ],
  [
    'POST /T/sheets/S/score',
    { status: 202, body: { success: true, calculation_id: 'K' } },
    (c) => c.tables.scores.recalculate(ref),
    { success: true, calculation_id: 'K' },
  ],
  [
    'PATCH /T/sheets/S/scorecard',
    { body: { success: true, scorecard: { id: 'K' }, version: 2 } },
    (c) => c.tables.scorecards.configure(ref, { name: 'Q', aggregation: {}, steps: [] }),
    { id: 'K' },
  ],
  [
    'DELETE /T/sheets/S/scorecard',
    { body: { success: true } },
    (c) => c.tables.scorecards.delete(ref),
    true,
  ],
  [
    'POST /T/sheets/S/scorecard/recalculate',
    { status: 202, body: { success: true, calculation_id: 'K' } },
    (c) => c.tables.scorecards.recalculate(ref, { rowIndices: [1] }),
    { success: true, calculation_id: 'K' },
  ],
  [
    'POST /T/sheets/S/scorecard/cancel',
    { body: { success: true, cancelled_count: 2 } },
    (c) => c.tables.scorecards.cancel(ref),
    { success: true, cancelled_count: 2 },
  ],
  [
    'POST /T/sheets/S/scorecard/migrate-legacy-score',
    { body: { success: true, converted_count: 1 } },
    (c) => c.tables.scorecards.migrateLegacyScore(ref),
    { success: true, converted_count: 1 },
  ],
  [
    'POST /T/sheets/S/imports/request-logs',
    { status: 202, body: { success: true, operation_id: 'I', operation: importing } },
    (c) => c.tables.imports.requestLogs(ref, { requestLogIds: [1] }).then((i) => i.operation_id),
    'I',
  ],
  [
    'DELETE /T/sheets/operations/I',
    { body: { success: true, operation: importing } },
    (c) => c.tables.imports.cancel('T', 'I').then(({ status }) => status),
    'running',
  ],
];

describe('one method for each Tables endpoint', () => {
  let server: ScriptedServer | undefined;
  let client: Client | undefined;

  afterEach(async () => {
    await client?.close();
    await server?.close();
  });

  for (const [request, reply, call, result] of cases) {
    it(`${request || 'GET'} ${String(reply.status ?? 200)}`, async () => {
      server = await startScriptedServer([reply]);
      ({ client } = makeTestClient({ baseURL: server.url }));
      assert.deepEqual(await call(client), result);
      const seen = server.requests[0];
      const [method = '', path = ''] = request.split(' ');
      assert.equal(`${seen?.method ?? ''} ${seen?.path ?? ''}`, `${method} ${prefix}${path}`);
    });
  }

  it('leaves out no endpoint that is declared', () => {
    const declared = [
      tableApi,
      sheetApi,
      columnApi,
      rowApi,
      cellApi,
      operationApi,
      versionApi,
      importApi,
      scoreApi,
    ]
      .flatMap((module) => Object.values(module) as unknown[])
      .filter(
        (value): value is Endpoint =>
          typeof value === 'object' && value !== null && 'answer' in value && 'method' in value,
      );
    const wanted = new Set(
      declared.map(
        ({ method, path }) => `${method} ${path.slice(prefix.length).replaceAll(/\{\w+\}/g, '*')}`,
      ),
    );
    const literal = new Set([
      'sheets',
      'columns',
      'rows',
      'cells',
      'operations',
      'versions',
      'imports',
      'file',
      'request-logs',
      'cancel',
      'recalculate',
      'migrate-legacy-score',
      'score',
      'score-history',
      'scorecard',
      'calculations',
      'recalculations',
      'status-counts',
    ]);
    for (const [request] of cases) {
      const [method = '', path = ''] = request.split(' ');
      wanted.delete(
        `${method} ${path
          .split('/')
          .map((part) => (part === '' || literal.has(part) ? part : '*'))
          .join('/')}`,
      );
    }
    // The single-cell form of recalculation says nothing that the batch form cannot.
    wanted.delete('POST /*/sheets/*/cells/*/recalculations');
    assert.deepEqual([...wanted], []);
  });

  const spelled: readonly (readonly [
    call: (client: Client) => Promise<unknown>,
    reply: Reply,
    sent: object,
  ])[] = [
    [
      (c) => c.tables.page({ folderId: 3, promptLabelId: 4 }),
      { body: { data: [] } },
      { folder_id: '3', prompt_label_id: '4' },
    ],
    [
      (c) => c.tables.create({ title: 'T', folderId: 3, createDefaultSheet: false }),
      { status: 201, body: { table } },
      { title: 'T', folder_id: 3, create_default_sheet: false },
    ],
    [(c) => c.tables.update('T', { folderId: null }), { body: { table } }, { folder_id: null }],
    [(c) => c.tables.sheets.page('T', { promptId: 3 }), { body: { data: [] } }, { prompt_id: '3' }],
    [
      (c) => c.tables.columns.page(ref, { includeSystemColumns: true }),
      { body: { data: [] } },
      { include_system_columns: 'true' },
    ],
    [
      (c) =>
        c.tables.columns.create(ref, {
          title: 'C',
          type: 'CODE_EXECUTION',
          // What is inside is the caller's own.
          config: { myOption: { innerName: 1 } },
          isOutputColumn: true,
        }),
      { status: 201, body: { column } },
      {
        title: 'C',
        type: 'CODE_EXECUTION',
        config: { myOption: { innerName: 1 } },
        is_output_column: true,
      },
    ],
    [
      (c) => c.tables.columns.update(ref, 'C', { positionRank: 1.5 }),
      { body: { column } },
      { position_rank: 1.5 },
    ],
    [
      (c) =>
        c.tables.rows.page(ref, {
          includeRowCount: false,
          includeSystemColumns: true,
          includeExecutionMetadataAggregates: true,
        }),
      { body: { data: [], version: 1 } },
      {
        include_row_count: 'false',
        include_system_columns: 'true',
        include_execution_metadata_aggregates: 'true',
      },
    ],
    [
      (c) => first(c.tables.rows.pages(ref, { includeColumns: false, include_row_count: false })),
      { body: { data: [], version: 1 } },
      { include_columns: 'false', include_row_count: 'false' },
    ],
    [
      (c) => c.tables.cells.update(ref, 'X', { displayValue: '1', value: 1 }),
      { body: { cell } },
      { display_value: '1', value: 1 },
    ],
    [
      (c) =>
        c.tables.operations.create(ref, {
          columnIds: ['C'],
          rowIds: [0],
          statuses: [],
          confirmationToken: 't',
        }),
      { body: { success: true, cell_count: 0 } },
      { column_ids: ['C'], row_ids: [0], statuses: [], confirmation_token: 't' },
    ],
    [
      (c) => c.tables.operations.create(ref, undefined, { costCeilingUsd: 2.5 }),
      { body: { success: true, cell_count: 0 } },
      { cost_ceiling_usd: '2.5' },
    ],
    [
      (c) => c.tables.scores.history(ref, { maxPoints: 60 }),
      { body: { success: true, score_history: { points: [] } } },
      { max_points: '60' },
    ],
    [
      (c) => c.tables.scorecards.rows(ref, { calculationId: 'K' }),
      { body: { rows: [] } },
      { calculation_id: 'K' },
    ],
  ];
  for (const [call, reply, sent] of spelled) {
    it(`takes camelCase: ${Object.keys(sent).join(', ')}`, async () => {
      server = await startScriptedServer([reply]);
      ({ client } = makeTestClient({ baseURL: server.url }));
      await call(client);
      const seen = server.requests[0];
      const body = seen?.body ?? '';
      assert.deepEqual(
        {
          ...Object.fromEntries(seen?.query ?? []),
          ...(body !== '' && (JSON.parse(body) as object)),
        },
        sent,
      );
    });
  }

  it('walks scorecard rows by their number, and stops when that does not grow', async () => {
    server = await startScriptedServer([
      { body: { rows: [{ row_index: 1 }], next_cursor: 1 } },
      { body: { rows: [{ row_index: 7 }], next_cursor: 7 } },
      { body: { rows: [], next_cursor: 7 } },
    ]);
    ({ client } = makeTestClient({ baseURL: server.url }));
    const seen: number[] = [];
    await assert.rejects(
      async () => {
        for await (const row of client!.tables.scorecards.allRows(ref, { limit: 1 }))
          seen.push(row.row_index);
      },
      { code: 'response_format' },
    );
    assert.deepEqual(seen, [1, 7]);
    assert.deepEqual(
      server.requests.map(({ query }) => query.get('cursor')),
      [null, '1', '7'],
    );
  });
});
