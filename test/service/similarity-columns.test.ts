import assert from 'node:assert/strict';
import type { FakeProvider, ProviderScript } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api } from './support/api.ts';
import { onSqlite } from './support/backends.ts';
import { SheetRun, metricsOf } from './support/sheet-run.ts';

/** As many dimensions as letters: texts are alike when they have letters in common. */
const letters = (text: string): number[] => {
  const vector = Array.from({ length: 26 }, () => 0);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
};

const embed: ProviderScript = ({ json }) => ({
  body: {
    object: 'list',
    model: json['model'],
    // Not in the order of the texts: the index says which is which.
    data: (json['input'] as string[])
      .map((text, index) => ({ object: 'embedding', index, embedding: letters(text) }))
      .reverse(),
    usage: { prompt_tokens: 7, total_tokens: 7 },
  },
});

onSqlite('Similarity columns', (backend) => {
  let provider: FakeProvider;
  let script: ProviderScript = embed;
  let api: Api;
  before(async () => {
    provider = await startFakeProvider((request, count) => script(request, count));
    ({ api } = await backend.start({
      environment: {
        OPENAI_API_KEY: 'sk-canary',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        PROMPT_TABLES_EMBEDDING_MODEL: 'openai/text-embedding-3-small',
      },
    }));
  });
  beforeEach(() => {
    script = embed;
  });
  after(() => provider.close());

  const sheetOf = async (csv: string): Promise<[SheetRun, string]> => {
    const sheet = await SheetRun.of(api, csv);
    return [sheet, await sheet.add('COSINE_SIMILARITY', { sources: ['Left', 'Right'] })];
  };

  it('compare texts by the embedding model at hand, with the cost', async () => {
    const [sheet, column] = await sheetOf('Left,Right\naab,ab\nabc,xyz');
    await sheet.run();
    assert.equal(await sheet.value(column), 0.948683);
    assert.equal(await sheet.value(column, 1), 0);
    const request = provider.requests.at(-1);
    assert.equal(request?.path, '/v1/embeddings');
    assert.equal(request.json['model'], 'text-embedding-3-small');
    const metrics = metricsOf(await sheet.cell(column));
    assert.equal(metrics.request_count, 1);
    assert.equal(metrics['input_tokens' as keyof typeof metrics], 7);
    const [id] = metrics['request_ids' as keyof typeof metrics] as number[];
    const logged = await api.call('GET', `/api/public/v2/requests/${String(id)}`);
    assert.equal(logged.status, 200, logged.text);
    assert.match(logged.text, /aab|abc/);
    assert.doesNotMatch(logged.text, /canary/);
  });

  it('need no model for equal texts and for vectors', async () => {
    const before = provider.requests.length;
    const [sheet, column] = await sheetOf(
      'Left,Right\nsame,same\n"[3, 4]","[4, 3]"\n"[1, 0]","[-1, 0]"\n"[1]","[1, 2]"\n,x',
    );
    await sheet.run();
    assert.equal(await sheet.value(column), 1);
    assert.equal(await sheet.value(column, 1), 0.96);
    assert.equal(await sheet.value(column, 2), 0);
    assert.match(String(await sheet.value(column, 3)), /^invalid_input: .*1 and 2 numbers/);
    assert.match(String(await sheet.value(column, 4)), /^invalid_input: Column "Left" is empty/);
    assert.equal(provider.requests.length, before);
  });

  it('say what the provider refused, and what it answered instead of vectors', async () => {
    const [sheet, column] = await sheetOf('Left,Right\none,two');
    script = () => ({ status: 400, body: { error: { message: 'no such model' } } });
    await sheet.run();
    assert.match(String(await sheet.value(column)), /^model_failed: .*no such model/);
    script = () => ({ body: { data: [{ embedding: [1] }] } });
    await sheet.run({ statuses: ['FAILED'] });
    assert.match(String(await sheet.value(column)), /^model_failed: .*a vector for each text/);
    assert.equal(metricsOf(await sheet.cell(column)).request_count, 1);
  });
});
