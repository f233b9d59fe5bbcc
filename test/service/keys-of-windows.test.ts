import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { silentLogger } from '../../src/core/logger.ts';
import { providerVariableNames } from '../../src/core/providers/variables.ts';
import { serviceEnvironment } from '../../src/extension/local-service/environment.ts';
import { LocalService } from '../../src/extension/local-service/local-service.ts';
import type { Variables } from '../../src/extension/local-service/reach.ts';
import { promptOf, saying } from '../support/providers/chat.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { serviceEntry } from '../support/service-entry.ts';
import { t } from '../unit/extension/words.ts';
import { Api, cellAt } from './support/api.ts';

/** What a bundle says of itself; one of the sources fits any window. */
const packageVersion = (
  JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    readonly version: string;
  }
).version;
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

const settings = { allowedHosts: [], python: true, mcpServersFile: '', model: '' };

async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await check())) {
    assert.ok(Date.now() < deadline, `${what} did not happen`);
    await pause(30);
  }
}

const isRunning = (pid: number): boolean => fs.existsSync(`/proc/${String(pid)}`);

/** The process and all that it has started, by their environment. */
function environments(pid: number): Map<number, string> {
  const found = new Map([[pid, fs.readFileSync(`/proc/${String(pid)}/environ`, 'utf8')]]);
  for (const entry of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const status = fs.readFileSync(`/proc/${entry}/stat`, 'utf8');
      const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
      if (parent === pid)
        found.set(Number(entry), fs.readFileSync(`/proc/${entry}/environ`, 'utf8'));
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

describe('The local service as the extension starts it', function () {
  this.timeout(90_000);
  let dataPath: string;
  let provider: FakeProvider;
  const windows: LocalService[] = [];

  before(async () => {
    provider = await startFakeProvider(saying((asked) => asked.toUpperCase()));
  });
  after(() => provider.close());
  beforeEach(() => {
    dataPath = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'pt-keys-')), 'local');
  });
  afterEach(async () => {
    const pids = await Promise.all(windows.map((window) => window.pid().catch(() => undefined)));
    for (const window of windows.splice(0)) window.dispose();
    for (const pid of pids) {
      if (pid !== undefined) await until('its end', () => !isRunning(pid));
    }
    fs.rmSync(path.dirname(dataPath), { recursive: true, force: true });
  });

  const openWindow = (keys: Variables | (() => Variables), idleSeconds = 1): LocalService => {
    const window = new LocalService({
      dataPath,
      entry: serviceEntry,
      version: packageVersion,
      idleSeconds: () => idleSeconds,
      environment: (key) =>
        serviceEnvironment({
          key,
          environment: { ...process.env, ...shell },
          ...{ settings, isTrusted: true, isElectron: false },
        }),
      providerKeys: async () => (typeof keys === 'function' ? keys() : keys),
      ...{ log: silentLogger, t },
      onReplaced: () => undefined,
      onGivenUp: () => undefined,
    });
    windows.push(window);
    return window;
  };
  const apiOf = async (window: LocalService): Promise<Api> => {
    const { socketPath, apiKey } = await window.access();
    return new Api(new Client('http://localhost', { socketPath }), apiKey);
  };
  /** Runs a cell that asks a model, and answers what has become of it. */
  async function ask(api: Api): Promise<string> {
    const sheet = await api.sheetOf('Word\nhello');
    const body = {
      title: 'Answer',
      type: 'PROMPT_TEMPLATE',
      config: {
        ...promptOf('say {word}', ['word']),
        prompt_template_variable_mappings: { word: 'Word' },
      },
    };
    const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, body);
    const { operation_id: id } = await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    await until(
      'the answer',
      async () => (await api.get(`${sheet.path}/operations/${id}`)).operation.pending_count === 0,
    );
    const cell = cellAt(await api.get(`${sheet.path}/rows`), 0, column.id);
    return typeof cell.value === 'string' ? cell.value : cell.error_message;
  }
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
    assert.ok(fs.existsSync(path.join(dataPath, 'tables.db')), 'The data is in its folder.');
    assert.match(await ask(api), /SAY HELLO/);
    const log = fs.readFileSync(path.join(dataPath, 'service.log'), 'utf8');
    assert.ok(!log.includes('sk-of-a-window'));
  });

  it('asks models with keys of a window that it has not got itself, while that is there', async () => {
    // The first window, in a folder that is not trusted, has none to give.
    const restricted = openWindow({});
    const api = await apiOf(restricted);
    assert.match(await ask(api), /There is no key for openai/);
    assert.equal(provider.requests.length > 0 && lastKey().includes(canary), false);
    const trusted = openWindow(at('sk-of-the-trusted'));
    await trusted.access();
    assert.equal(await ask(api), 'SAY HELLO');
    assert.equal(lastKey(), 'Bearer sk-of-the-trusted');
    trusted.dispose();
    await until('the keys to go with their window', async () =>
      /There is no key for openai/.test(await ask(api)),
    );
  });

  it('takes a key that is set later, and forgets one that is removed', async () => {
    let keys: Variables = {};
    const window = openWindow(() => keys);
    const api = await apiOf(window);
    const pid = await window.pid();
    assert.match(await ask(api), /There is no key for openai/);
    keys = at('sk-set-later');
    await window.providerKeysChanged();
    assert.equal(await ask(api), 'SAY HELLO');
    keys = {};
    await window.providerKeysChanged();
    await until('the key to be forgotten', async () =>
      /There is no key for openai/.test(await ask(api)),
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
