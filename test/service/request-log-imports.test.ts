import assert from 'node:assert/strict';
import { Client } from '../../src/core/index.ts';
import type { Api, Json, SheetPlace } from './support/api.ts';
import { tablesPath } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { SharedService } from './support/shared-service.ts';

const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] });

onEachBackend('Imports of logged requests', (backend) => {
  let service: SharedService;
  let api: Api;
  let client: Client;
  const ids: number[] = [];
  before(async () => {
    service = await backend.share();
    ({ api } = service);
    client = new Client({ apiKey: service.key, baseURL: service.url });
    for (let number = 0; number < 12; number += 1) ids.push(await log(number));
  });
  after(() => client.close());

  const log = async (number: number): Promise<number> => {
    const start = Date.UTC(2026, 0, 1, number);
    const { request_id: id } = await client.logRequest({
      provider: 'openai',
      model: number % 2 === 0 ? 'gpt-4o' : 'other-model',
      input: {
        type: 'chat',
        messages:
          number === 0
            ? [said('user', 'hello')]
            : [said('system', 'be brief'), said('user', `question ${String(number)}`)],
      },
      output: { type: 'chat', messages: [said('assistant', `answer ${String(number)}`)] },
      requestStartTime: start,
      requestEndTime: start + 1500,
      inputTokens: 10 + number,
      outputTokens: 5,
      ...(number > 0 && { price: 0.125 }),
      promptInputVariables: { name: `n${String(number)}`, deep: { big: [1, 2] } },
      metadata: { user: `u${String(number % 3)}` },
      tags: ['t'],
    });
    return id;
  };

  const valuesOf = async (place: Pick<SheetPlace, 'path'>): Promise<Record<string, unknown>[]> => {
    const { data, columns } = await api.get(`${place.path}/rows`);
    return data.map((row: Json) =>
      Object.fromEntries(columns.map(({ id, title }) => [title, row.cells[id]!.value])),
    );
  };
  const newTable = async (): Promise<string> =>
    (await api.expect(201, 'POST', tablesPath, { create_default_sheet: false })).table.id;
  const finished = async (tableId: string, operationId: string): Promise<Json> =>
    api.finished(`${tablesPath}/${tableId}/sheets/operations/${operationId}`);

  it('make a sheet of chosen requests, in the order of the ids, with their usual fields', async () => {
    const table = await newTable();
    const chosen = [ids[3] ?? 0, ids[0] ?? 0];
    const started = await client.tables.sheets.createFromRequests(table, { requestLogIds: chosen });
    assert.equal(started.sheet.title, 'Request Logs');
    const state = await finished(table, started.operation_id);
    assert.deepEqual(
      [state.status, state.source, state.rows_added, state.row_count, state.progress],
      ['completed', 'request_logs', 2, 2, 1],
    );
    const [third, first] = await valuesOf({
      path: `${tablesPath}/${table}/sheets/${started.sheet.id}`,
    });
    assert.deepEqual(third, {
      request_id: ids[3],
      prompt_name: null,
      prompt_version_number: null,
      input_variables: { name: 'n3', deep: { big: [1, 2] } },
      input: 'system: be brief\n\nuser: question 3',
      output: 'answer 3',
      provider: 'openai',
      model: 'other-model',
      input_tokens: 13,
      output_tokens: 5,
      price: 0.125,
      latency_ms: 1500,
      status: 'SUCCESS',
      request_start_time: '2026-01-01T03:00:00.000Z',
      tags: ['t'],
      metadata: { user: 'u0' },
      scores: null,
    });
    assert.equal(first?.['input'], 'hello');
  });

  it('add what a search finds to a sheet, into the columns that are there and new ones', async () => {
    const place = await api.sheetOf('output,own\nolder,x');
    const body = {
      filterGroup: {
        logic: 'AND',
        filters: [{ field: 'engine', operator: 'is', value: 'other-model' }],
      },
      sortBy: 'input_tokens' as const,
      sortOrder: 'desc' as const,
      limit: 3,
      includeFields: ['output', 'metadata.user', 'cost'],
      variablesToParse: ['name', 'deep', 'missing'],
    };
    const started = await client.tables.imports.requestLogs(place, body);
    const seen: string[] = [];
    for await (const { operation } of client.tables.imports.watch(
      place.tableId,
      started.operation_id,
      { firstDelayMs: 10 },
    )) {
      seen.push(operation.status);
    }
    assert.equal(seen.at(-1), 'completed');
    const values = await valuesOf(place);
    assert.deepEqual(values[0], {
      output: 'older',
      own: 'x',
      'metadata.user': null,
      price: null,
      name: null,
      deep: null,
      missing: null,
    });
    assert.deepEqual(
      values.slice(1).map((row) => [row['output'], row['metadata.user'], row['name']]),
      [
        ['answer 11', 'u2', 'n11'],
        ['answer 9', 'u0', 'n9'],
        ['answer 7', 'u1', 'n7'],
      ],
    );
    assert.deepEqual(values[1]?.['deep'], { big: [1, 2] });
    const again = await api.expect(202, 'POST', `${place.path}/imports/request-logs`, {
      request_log_ids: [ids[0]],
      operation_id: started.operation_id,
    });
    assert.equal(again.operation.rows_added, 3);
  });

  it('take requests of a time and of a prompt for a new sheet', async () => {
    const table = await newTable();
    const path = `${tablesPath}/${table}/sheets`;
    const times = { start_time: '2026-01-01T02:00:00Z', end_time: '2026-01-01T04:00:00Z' };
    const ofTime = await api.expect(202, 'POST', path, {
      title: 'Mine',
      source: { type: 'request_logs', ...times, include_fields: ['id'] },
    });
    assert.equal(ofTime.sheet.title, 'Mine');
    await finished(table, ofTime.operation_id);
    assert.deepEqual(
      (await valuesOf({ path: `${path}/${ofTime.sheet.id}` })).map((row) => row['request_id']),
      [ids[4], ids[3], ids[2]],
    );
    const published = await client.templates.publish({
      prompt_name: 'imported',
      prompt_template: { type: 'completion', content: [{ type: 'text', text: 'x' }] },
    });
    await client.track.prompt({
      request_id: ids[5] ?? 0,
      prompt_name: 'imported',
      prompt_input_variables: {},
      version: 1,
    });
    for (const filter of [
      { prompt_id: published.id },
      { prompt_version_id: published.prompt_version_id },
    ]) {
      const started = await api.expect(202, 'POST', path, {
        source: { type: 'request_logs', ...filter, include_fields: ['request_id', 'prompt_name'] },
      });
      await finished(table, started.operation_id);
      assert.deepEqual(await valuesOf({ path: `${path}/${started.sheet.id}` }), [
        { request_id: ids[5], prompt_name: 'imported' },
      ]);
    }
    await api.expect(404, 'POST', path, {
      source: { type: 'request_logs', prompt_label_id: 999_999 },
    });
  });

  it('refuse requests of others, fields that there are not, and two ways to choose at once', async () => {
    const place = await api.newSheet();
    const path = `${place.path}/imports/request-logs`;
    const wrong = await api.expect(404, 'POST', path, { request_log_ids: [ids[0], 987_654] });
    assert.match(JSON.stringify(wrong), /987654/);
    for (const body of [
      {},
      { request_log_ids: [ids[0]], filter_group: { filters: [] } },
      { request_log_ids: [] },
      { request_log_ids: [ids[0]], include_fields: ['nothing'] },
      { request_log_ids: [ids[0]], include_fields: [] },
      { filter_group: { filters: [{ field: 'no', operator: 'is' }] } },
      { filter_group: { filters: [] }, sort_by: 'cost' },
      { filter_group: { filters: [] }, surprise: 1 },
      { filter_group: { filters: [] }, limit: 50_001 },
    ]) {
      await api.expect(400, 'POST', path, body);
    }
    const { other } = service;
    await other.expect(404, 'POST', path, { request_log_ids: [ids[0]] });
    const { table } = await other.expect(201, 'POST', tablesPath, {});
    await other.expect(404, 'POST', `${tablesPath}/${table.id}/sheets`, {
      source: { type: 'request_logs', request_log_ids: [ids[0]] },
    });
  });

  it('can be cancelled, by their own workspace only; finished ones stay as they are', async () => {
    const table = await newTable();
    const started = await client.tables.sheets.createFromRequests(table, { requestLogIds: ids });
    const path = `${tablesPath}/${table}/sheets/operations/${started.operation_id}`;
    await service.other.expect(404, 'DELETE', path);
    const cancelled = await client.tables.imports.cancel(table, started.operation_id);
    assert.ok(['cancelled', 'completed'].includes(cancelled.status), cancelled.status);
    const { operation } = await api.expect(200, 'DELETE', path);
    assert.equal(operation.status, cancelled.status);
    const more = await api.expect(
      202,
      'POST',
      `${tablesPath}/${table}/sheets/${started.sheet.id}/imports/request-logs`,
      { request_log_ids: [ids[0]], include_fields: ['output'] },
    );
    assert.equal((await finished(table, more.operation_id)).status, 'completed');
  });
});
