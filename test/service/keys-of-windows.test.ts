import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { providerVariableNames } from '../../src/core/providers/variables.ts';
import type { LocalService } from '../../src/extension/local-service/local-service.ts';
import type { Variables } from '../../src/extension/shell/local-access.ts';
import { saying } from '../support/providers/chat.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { apiOf, askModel, Desktop, environments } from './support/windows.ts';
import { timeLimit } from '../support/time-limit.ts';
import { until } from '../support/until.ts';

const canary = 'sk-canary-of-the-shell';
/** What VS Code's own environment holds besides: of another program, or of somebody's shell. */
const shell: Record<string, string> = {
  ...Object.fromEntries(providerVariableNames.map((name) => [name, canary])),
  DATABASE_URL: `postgres://me:${canary}@127.0.0.1:9/app`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:9/${canary}`,
  NODE_ENV: canary,
  NODE_PATH: canary,
  npm_config_registry: canary,
  PROMPT_TABLES_PRICES: canary,
  PROMPT_TABLES_MCP_SERVERS: canary,
  PROMPTLAYER_API_KEY: canary,
};

describe('The local service as the extension starts it', function () {
  this.timeout(90_000);
  let desktop: Desktop;
  let provider: FakeProvider;

  before(async () => {
    provider = await startFakeProvider(saying((asked) => asked.toUpperCase()));
  });
  after(() => provider.close());
  beforeEach(() => {
    desktop = new Desktop();
  });
  afterEach(() => desktop.close());

  const openWindow = (keys: Variables | (() => Variables)): LocalService =>
    desktop.open({ keys, shell });
  const at = (name: string): Variables => ({
    OPENAI_API_KEY: name,
    OPENAI_BASE_URL: `${provider.url}/v1`,
  });
  const lastKey = (): string => String(provider.requests.at(-1)?.headers['authorization']);

  it('has no variable of the shell, and neither has what it starts', async function () {
    if (process.platform !== 'linux') this.skip();
    const window = openWindow(at('sk-of-a-window'));
    const api = await apiOf(window);
    const sheet = await api.sheetOf('Word\nhello');
    for (const language of ['JAVASCRIPT', 'PYTHON']) {
      const config = { language, code: language === 'PYTHON' ? 'return 1' : 'return 1;' };
      const body = { title: language, type: 'CODE_EXECUTION', config };
      await api.expect(201, 'POST', `${sheet.path}/columns`, body);
    }
    const { operation_id: id } = await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    await until(
      'the cells',
      async () => (await api.get(`${sheet.path}/operations/${id}`)).operation.pending_count === 0,
    );
    const found = environments((await window.pid()) ?? 0);
    assert.ok(found.size > 1, 'The sandbox is a process of its own.');
    for (const [pid, environment] of found) {
      const names = environment.split('\0').map((line) => line.split('=')[0] ?? '');
      assert.ok(!environment.includes(canary), `${String(pid)}: ${names.join(' ')}`);
      assert.ok(!environment.includes('sk-of-a-window'), 'Handed keys are in memory only.');
      for (const name of names) assert.doesNotMatch(name, /^(?:NODE_(?!EXTRA)|OTEL_|npm_|PG)/);
    }
    assert.ok(
      fs.existsSync(path.join(desktop.dataPath, 'tables.db')),
      'The data is in its folder.',
    );
    assert.match(await askModel(api), /SAY HELLO/);
    const log = fs.readFileSync(path.join(desktop.dataPath, 'service.log'), 'utf8');
    assert.ok(!log.includes('sk-of-a-window'));
  });

  it('asks models with keys of a window that it has not got itself, while that is there', async () => {
    // The first window, in a folder that is not trusted, has none to give.
    const restricted = openWindow({});
    const api = await apiOf(restricted);
    assert.match(await askModel(api), /There is no key for openai/);
    assert.equal(provider.requests.length > 0 && lastKey().includes(canary), false);
    const trusted = openWindow(at('sk-of-the-trusted'));
    await trusted.access();
    assert.equal(await askModel(api), 'SAY HELLO');
    assert.equal(lastKey(), 'Bearer sk-of-the-trusted');
    trusted.dispose();
    await until(
      'the keys have gone with their window',
      async () => /There is no key for openai/.test(await askModel(api)),
      { limitMs: timeLimit(60_000) },
    );
  });

  it('takes a key that is set later, and forgets one that is removed', async () => {
    let keys: Variables = {};
    const window = openWindow(() => keys);
    const api = await apiOf(window);
    const pid = await window.pid();
    assert.match(await askModel(api), /There is no key for openai/);
    keys = at('sk-set-later');
    await window.heldWithChanged();
    assert.equal(await askModel(api), 'SAY HELLO');
    keys = {};
    await window.heldWithChanged();
    await until(
      'the key is forgotten',
      async () => /There is no key for openai/.test(await askModel(api)),
      { limitMs: timeLimit(60_000) },
    );
    assert.equal(await window.pid(), pid, 'Nothing had to be started again.');
  });

  it('refuses what is no variable of a provider, without repeating it', async () => {
    const api = await apiOf(openWindow({}));
    for (const variables of [{ DATABASE_URL: canary }, { OPENAI_API_KEY: 1 }, [canary]]) {
      const answer = await api.call('POST', '/_local/hold', { variables });
      assert.equal(answer.status, 422);
      assert.ok(!answer.text.includes(canary));
    }
  });
});
