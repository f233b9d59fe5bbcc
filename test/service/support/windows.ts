/** The local service as windows of VS Code share it: each is a `LocalService` on the same folder. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'undici';
import type { HostProvider } from '../../../src/core/providers/host/host-provider.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { serviceEnvironment } from '../../../src/extension/local-service/environment.ts';
import { LocalService } from '../../../src/extension/local-service/local-service.ts';
import type { Variables } from '../../../src/extension/shell/local-access.ts';
import type { AddressSecrets } from '../../../src/extension/local-service/storage.ts';
import { promptOf } from '../../support/providers/chat.ts';
import { serviceEntry } from '../../support/service-entry.ts';
import { t } from '../../unit/extension/words.ts';
import { Api, cellAt } from './api.ts';
import { until } from '../../support/until.ts';

/** What a bundle says of itself; one of the sources fits any window. */
const packageVersion = (
  JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
    readonly version: string;
  }
).version;

const settings = { allowedHosts: [], python: true, mcpServersFile: '', model: '' };

const isRunning = (pid: number): boolean => fs.existsSync(`/proc/${String(pid)}`);

/** The secret storage of one editor. */
export class KeptAddresses implements AddressSecrets {
  readonly kept = new Map<string, string>();
  get = async (id: string) => this.kept.get(id);
  async set(id: string, address: string) {
    this.kept.set(id, address);
  }
  async delete(id: string) {
    this.kept.delete(id);
  }
}

interface WindowOptions {
  /** Keys of model providers that it hands over. */
  readonly keys?: Variables | (() => Variables);
  /** Of them those that the user has set in VS Code. Default: none, all are of the environment. */
  readonly stored?: () => Variables;
  /** File of MCP servers. */
  readonly servers?: string;
  /** Default: the folder is trusted. */
  readonly isTrusted?: () => boolean;
  readonly addresses?: AddressSecrets;
  readonly idleSeconds?: number;
  /** Language models of its VS Code, and how many requests cells may make to them. */
  readonly models?: HostProvider;
  readonly modelRequests?: () => number;
  /** Of VS Code, besides that of the test. */
  readonly shell?: Readonly<Record<string, string>>;
}

/** A VS Code without language models. */
export const noModels: HostProvider = () => {
  throw new Error('This window offers no language models.');
};

/** A data folder and the windows that are open on it. */
export class Desktop {
  readonly dataPath = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'pt-keys-')), 'local');
  readonly #windows: LocalService[] = [];

  open(options: WindowOptions = {}): LocalService {
    const { keys = {}, stored = () => ({}), isTrusted = () => true } = options;
    const { addresses, idleSeconds = 1, shell, servers = '' } = options;
    const { models = noModels, modelRequests = () => 0 } = options;
    const window = new LocalService({
      dataPath: this.dataPath,
      entry: serviceEntry,
      version: packageVersion,
      idleSeconds: () => idleSeconds,
      environment: (key, databaseUrl) =>
        serviceEnvironment({
          ...{ key, databaseUrl, isTrusted: isTrusted(), isElectron: false },
          settings: {
            ...settings,
            ...(servers !== '' && { mcpServersFile: servers, allowedHosts: ['127.0.0.1'] }),
          },
          environment: { ...process.env, ...shell },
        }),
      addresses: addresses ?? new KeptAddresses(),
      providerKeys: async () => ({
        variables: isTrusted()
          ? { ...stored(), ...(typeof keys === 'function' ? keys() : keys) }
          : stored(),
        restricted: stored(),
      }),
      isTrusted,
      languageModels: { requests: modelRequests, ask: models },
      ...{ log: silentLogger, t },
      onReplaced: () => undefined,
      onGivenUp: () => undefined,
    });
    this.#windows.push(window);
    return window;
  }

  /** Closes the windows, and waits until their service has ended. */
  async letGo(): Promise<void> {
    const windows = this.#windows.splice(0);
    const pids = await Promise.all(windows.map((window) => window.pid().catch(() => undefined)));
    for (const window of windows) window.dispose();
    for (const pid of pids) {
      if (pid !== undefined) await until('its end', () => !isRunning(pid));
    }
  }

  async close(): Promise<void> {
    await this.letGo();
    fs.rmSync(path.dirname(this.dataPath), { recursive: true, force: true });
  }
}

export async function apiOf(window: LocalService): Promise<Api> {
  const { socketPath, apiKey } = await window.access();
  return new Api(new Client('http://localhost', { socketPath }), apiKey);
}

/** Runs a cell that asks a model, and answers what has become of it. */
export async function askModel(api: Api): Promise<string> {
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

/** The process and all that it has started, by their environment. */
export function environments(pid: number): Map<number, string> {
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
