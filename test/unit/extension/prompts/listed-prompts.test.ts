import assert from 'node:assert/strict';
import { Client, silentLogger } from '../../../../src/core/index.ts';
import { ListedPrompts } from '../../../../src/extension/prompts/listed-prompts.ts';
import type { ScriptedServer } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

const total = 1_250;

describe('what the list of prompts tells of those in a folder', () => {
  let server: ScriptedServer;
  let client: Client;

  beforeEach(async () => {
    // Newest first: ids go down from the total.
    server = await startScriptedServer([
      ({ query }) => {
        const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))];
        const from = (page - 1) * size;
        const items = Array.from({ length: Math.min(size, total - from) }, (_, index) => ({
          ...{ id: total - from - index, prompt_name: `prompt ${total - from - index}` },
          ...{ tags: ['nightly'], prompt_template: { type: 'chat', messages: [] } },
        }));
        const pages = Math.ceil(total / size);
        return { body: { items, page, pages, total, has_next: page < pages } };
      },
    ]);
    client = new Client({
      ...{ apiKey: 'pl_listed_1234567890', baseURL: server.url },
      ...{ logger: silentLogger, environment: {} },
    });
  });
  afterEach(async () => {
    await client.close();
    await server.close();
  });

  it('is read as far as needed, a part at a time, and once', async () => {
    const listed = new ListedPrompts(client);
    const { signal } = new AbortController();
    const knows = async (id: number): Promise<boolean> => (await listed.find([id], signal)).has(id);
    assert.equal(await knows(total - 150), true);
    assert.equal(server.requests.length, 2);
    assert.equal(await knows(3), false, 'not all at once');
    assert.equal(server.requests.length, 7);
    assert.equal(await knows(3), false);
    assert.equal(await knows(3), true, 'not the newest only');
    assert.equal(server.requests.length, 13);
    assert.equal(await knows(total - 600), true);
    assert.equal(await knows(total + 1), false, 'one that is not listed');
    assert.equal(server.requests.length, 13);
  });
});
