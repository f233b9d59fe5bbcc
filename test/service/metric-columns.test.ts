import assert from 'node:assert/strict';
import { chatReply, promptOf } from '../support/providers/chat.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api, Json } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { SheetRun, metricsOf } from './support/sheet-run.ts';

const field = (json: Json, name: string): unknown => json[name as keyof Json];

onEachBackend('Cost and latency columns', (backend) => {
  let provider: FakeProvider;
  let api: Api;
  before(async () => {
    let answers = 0;
    // Each answer is one token longer than the one before.
    provider = await startFakeProvider(() => ({
      body: chatReply('fine', [1000, 100 * (answers += 1)]),
    }));
    ({ api } = await backend.start({
      environment: { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: `${provider.url}/v1` },
    }));
  });
  after(() => provider.close());

  it('stand beside each prompt column, hidden, with sums by column and for the sheet', async () => {
    const sheet = await SheetRun.of(api, 'Word\none\ntwo\nthree');
    const { path } = sheet.place;
    const prompt = {
      ...promptOf('say {word}', ['word']),
      prompt_template_variable_mappings: { word: 'Word' },
    };
    const known = await sheet.add('PROMPT_TEMPLATE', prompt, 'Known');
    const unknown = await sheet.add(
      'PROMPT_TEMPLATE',
      { ...prompt, engine: { provider: 'openai', model: 'model-of-nobody' } },
      'Unknown',
    );
    const aggregates = async (): Promise<Json> =>
      (await api.get(`${path}/rows?include_execution_metadata_aggregates=true`))
        .execution_metadata_aggregates;
    const empty = (await aggregates()).sheet.by_metric['price'];
    assert.ok(empty);
    const { count, sum, avg, min, max } = empty as unknown as Record<string, unknown>;
    assert.deepEqual([count, sum, avg, min, max], [0, 0, null, null, null]);

    await sheet.run();
    const shown = await api.get(`${path}/rows`);
    assert.deepEqual(
      shown.columns.map(({ title }) => title),
      ['Word', 'Known', 'Unknown'],
    );
    assert.equal(field(shown, 'execution_metadata_aggregates'), undefined);
    const page = await api.get(
      `${path}/rows?include_system_columns=true&include_execution_metadata_aggregates=true`,
    );
    const system = page.columns.filter(({ is_system: isSystem }) => isSystem);
    assert.equal(system.length, 4);
    const { by_column_id: byColumn, sheet: whole } = page.execution_metadata_aggregates;
    assert.deepEqual(Object.keys(byColumn).sort(), system.map(({ id }) => id).sort());

    for (const columnId of [known, unknown]) {
      const cells = await Promise.all([0, 1, 2].map((row) => sheet.cell(columnId, row)));
      for (const metric of ['price', 'latency_ms']) {
        const own = Object.values(byColumn).find(
          (one) =>
            field(one, 'source_column_id') === columnId && field(one, 'metric_key') === metric,
        );
        assert.ok(own, metric);
        const values = cells
          .map((cell) => field(metricsOf(cell), metric))
          .filter((value) => typeof value === 'number');
        assert.equal(values.length, columnId === unknown && metric === 'price' ? 0 : 3);
        assert.equal(own.count, values.length);
        const total = values.reduce((left, right) => left + right, 0);
        assert.ok(Math.abs(Number(field(own, 'sum')) - total) < 1e-9);
        assert.equal(field(own, 'min'), values.length === 0 ? null : Math.min(...values));
        assert.equal(field(own, 'max'), values.length === 0 ? null : Math.max(...values));
        const average = field(own, 'avg');
        if (values.length === 0) assert.equal(average, null);
        else assert.ok(Math.abs(Number(average) - total / values.length) < 1e-9);
      }
    }
    const price = whole.by_metric['price'];
    const latency = whole.by_metric['latency_ms'];
    assert.ok(price && latency);
    // A price that nobody knows is not counted as 0.
    assert.deepEqual([price.count, latency.count], [3, 6]);
    assert.deepEqual(
      [field(price, 'column_id'), field(price, 'source_column_id')],
      [undefined, undefined],
    );
  });
});
