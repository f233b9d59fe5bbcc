/**
 * A window in Restricted Mode shares the service of the trusted ones. What it begins is done without
 * the keys and MCP servers of anybody's environment, whoever is there.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { LocalService } from '../../src/extension/local-service/local-service.ts';
import type { Variables } from '../../src/extension/shell/local-access.ts';
import { newPostgresDatabase, type OwnDatabase } from '../support/postgres.ts';
import { chatReply, promptOf } from '../support/providers/chat.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { tablesPath } from './support/api.ts';
import type { Loose } from './support/loose.ts';
import { apiOf, Desktop, KeptAddresses } from './support/windows.ts';
import { until } from '../support/until.ts';

type Door = (window: LocalService) => Promise<string>;

const model = { provider: 'openai', name: 'gpt-4o-mini', parameters: {} };
const prompt = {
  ...promptOf('say {word}', ['word']),
  prompt_template_variable_mappings: { word: 'Word' },
};

/** The rows of a sheet when all of it has been recalculated. */
async function computed(api: Awaited<ReturnType<typeof apiOf>>, path: string): Promise<string> {
  const { operation_id: id } = await api.expect(202, 'POST', `${path}/operations`, {});
  await until(
    'the cell',
    async () => (await api.get(`${path}/operations/${id}`)).operation.pending_count === 0,
  );
  return (await api.call('GET', `${path}/rows`)).text;
}

/** Everything that makes the service ask a model; each answers what came of it. */
const doors: Readonly<Record<string, Door>> = {
  async 'an operation'(window) {
    const api = await apiOf(window);
    const sheet = await api.sheetOf('Word\nhello');
    const body = { title: 'Answer', type: 'PROMPT_TEMPLATE', config: prompt };
    await api.expect(201, 'POST', `${sheet.path}/columns`, body);
    return computed(api, sheet.path);
  },
  async 'a cell that is recalculated'(window) {
    const api = await apiOf(window);
    const sheet = await api.sheetOf('Word\nhello');
    const body = { title: 'Answer', type: 'PROMPT_TEMPLATE', config: prompt };
    const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, body);
    const { data } = await api.get(`${sheet.path}/rows`);
    const id = String(data[0]?.cells[column.id]?.id);
    await api.expect(202, 'POST', `${sheet.path}/cells/${id}/recalculations`, {});
    let text = '';
    await until('the cell', async () => {
      ({ text } = await api.call('GET', `${sheet.path}/cells/${id}`));
      return /"status":"(?:completed|error)/i.test(text);
    });
    return text;
  },
  async 'vectors of texts'(window) {
    const api = await apiOf(window);
    const sheet = await api.sheetOf('Word,Other\nhello,there');
    const config = { sources: ['Word', 'Other'] };
    const body = { title: 'Near', type: 'COSINE_SIMILARITY', config };
    await api.expect(201, 'POST', `${sheet.path}/columns`, body);
    return computed(api, sheet.path);
  },
  async 'a workflow'(window) {
    const api = await apiOf(window);
    const name = `flow ${String(Math.random())}`;
    const node = { name: 'node', node_type: 'PROMPT_TEMPLATE', configuration: prompt };
    await api.expect(201, 'POST', '/rest/workflows', {
      ...{ name, required_input_variables: { Word: 'string' } },
      nodes: [{ ...node, dependencies: ['Word'], is_output_node: true }],
    });
    const run = `/workflows/${encodeURIComponent(name)}/run`;
    const begun: Loose = await api.expect(201, 'POST', run, { input_variables: { Word: 'hello' } });
    const id = String(begun.workflow_version_execution_id);
    let text = '';
    await until('the node', async () => {
      const results = `/workflow-version-execution-results?workflow_version_execution_id=${id}&return_all_outputs=true`;
      const answer = await api.call('GET', results);
      ({ text } = answer);
      return answer.status === 200;
    });
    return text;
  },
  async 'a scorecard'(window) {
    const api = await apiOf(window);
    const sheet = await api.sheetOf('Word\nhello');
    const step = { title: 'judge', primitive_type: 'LLM_ASSERTION' };
    const primitive = { prompt: 'It is a word.', engine: { ...model, model: model.name } };
    const steps = [{ ...step, source_column_ids: [sheet.columnId], primitive_config: primitive }];
    const card = `${sheet.path}/scorecard`;
    await api.expect(200, 'PATCH', card, { name: 'card', aggregation: {}, steps });
    const { calculation_id: id }: Loose = await api.expect(202, 'POST', `${card}/recalculate`, {});
    let text = '';
    await until('the score', async () => {
      ({ text } = await api.call('GET', `${card}/calculations/${String(id)}`));
      return !/"status":"(?:queued|running)"/.test(text);
    });
    return text + (await api.call('GET', `${card}/rows`)).text;
  },
};

for (const where of ['SQLite', 'PostgreSQL'] as const) {
  describe(`A window in Restricted Mode beside trusted ones, on ${where}`, function () {
    this.timeout(120_000);
    let desktop: Desktop;
    let provider: FakeProvider;
    let database: OwnDatabase | undefined;
    let trusted: LocalService;
    let restricted: LocalService;
    let stored: Variables = {};
    /** Requests of earlier tests. */
    let asked = 0;

    const keys = (name: string): Variables => ({
      OPENAI_API_KEY: name,
      OPENAI_BASE_URL: `${provider.url}/v1`,
    });
    const used = (): string[] => [
      ...new Set(
        provider.requests.slice(asked).map(({ headers }) => String(headers['authorization'])),
      ),
    ];

    before(async () => {
      provider = await startFakeProvider(({ json }) =>
        'messages' in json
          ? { body: chatReply('{"verdict": true, "reason": "It is."}') }
          : // Vectors and tools: that it was asked is all that counts.
            { status: 400, body: { error: { message: 'no' } } },
      );
      desktop = new Desktop();
      const servers = path.join(path.dirname(desktop.dataPath), 'mcp.json');
      const own = { url: `${provider.url}/mcp`, headers: { Authorization: 'Bearer of-the-file' } };
      fs.writeFileSync(servers, JSON.stringify({ mcpServers: { own } }));
      const addresses = new KeptAddresses();
      trusted = desktop.open({ addresses, keys: keys('sk-of-the-environment'), servers });
      if (where === 'PostgreSQL') {
        database = await newPostgresDatabase();
        await trusted.keepIn(database.url);
      }
      await trusted.access();
      restricted = desktop.open({
        ...{ addresses, isTrusted: () => false },
        keys: keys('sk-of-the-environment'),
        stored: () => stored,
      });
    });
    after(async () => {
      await desktop.close();
      await provider.close();
      await database?.drop();
    });
    beforeEach(() => {
      asked = provider.requests.length;
      stored = {};
    });

    it('shares their service, by a key that does not tell theirs', async () => {
      const [one, other] = [await trusted.access(), await restricted.access()];
      assert.equal(await restricted.pid(), await trusted.pid());
      assert.notEqual(other.apiKey, one.apiKey);
      assert.equal((await (await apiOf(restricted)).call('GET', tablesPath)).status, 200);
    });

    for (const [name, door] of Object.entries(doors)) {
      it(`${name} has the keys of the environment when a trusted window begins it, and else not`, async () => {
        const refused = await door(restricted);
        assert.match(refused, /no key for openai|no model (?:that compares|to ask)/i);
        assert.deepEqual(used(), []);
        await door(trusted);
        assert.deepEqual(used(), ['Bearer sk-of-the-environment']);
      });
    }

    it('uses the keys that were set in VS Code, at their own address only', async () => {
      stored = keys('sk-set-in-vs-code');
      await restricted.heldWithChanged();
      for (const door of Object.values(doors)) await door(restricted);
      assert.deepEqual(used(), ['Bearer sk-set-in-vs-code']);
      stored = {};
      await restricted.heldWithChanged();
    });

    it('has no MCP server of the file', async () => {
      const columns = async (window: LocalService): Promise<string> => {
        const api = await apiOf(window);
        const sheet = await api.sheetOf('Word\nhello');
        const config = { mcp_server_id: 'own', tool_name: 'add' };
        const body = { title: 'Tool', type: 'MCP', config };
        await api.expect(201, 'POST', `${sheet.path}/columns`, body);
        const { operation_id: id } = await api.expect(202, 'POST', `${sheet.path}/operations`, {});
        await until(
          'the cell',
          async () =>
            (await api.get(`${sheet.path}/operations/${id}`)).operation.pending_count === 0,
        );
        return (await api.call('GET', `${sheet.path}/rows`)).text;
      };
      assert.match(await columns(restricted), /isn't used for a window in Restricted Mode/);
      assert.deepEqual(used(), []);
      await columns(trusted);
      assert.deepEqual(used(), ['Bearer of-the-file']);
    });
  });
}
