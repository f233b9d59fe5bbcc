import { parseArgs } from 'node:util';
import { AllowedHosts } from '../egress/allowed-hosts.ts';
import { readMcpServers } from '../egress/mcp-servers.ts';
import type { OutsideSettings } from '../egress/outside.ts';
import { checkKeys } from '../keys.ts';
import type { LogLevel } from '../log.ts';
import type { ModelLimits } from '../models/limits.ts';
import type { ObserveSettings } from '../observe/observe.ts';
import { readConcurrency, readCostCeiling } from '../models/limits.ts';
import { readDatabaseUrl } from '../store/database-url.ts';

export interface Settings {
  readonly dataFolder: string;
  readonly keys: readonly string[];
  readonly listen:
    | { readonly kind: 'socket'; readonly path?: string }
    | { readonly kind: 'port'; readonly port: number };
  readonly databaseUrl: string | undefined;
  /** `only`: no HTTP. `none`: HTTP only, other processes do the work. */
  readonly worker: 'with' | 'only' | 'none';
  readonly idleExitMs: number | undefined;
  /** A thread that says nothing for so long is started anew; by itself each knows how long. */
  readonly hangAfterMs: number | undefined;
  /** Keys of providers come from the windows that hold the service, never from the environment. */
  readonly keysFromWindows: boolean;
  readonly logLevel: LogLevel;
  /** Prices of models, before those of the public list. */
  readonly pricesFile: string | undefined;
  readonly observe: ObserveSettings;
  /** How models may be asked. */
  readonly limits: ModelLimits;
  /** USD that an operation may cost, unless its request says something else. */
  readonly costCeiling: number | undefined;
  /** What cells may reach beside this process. */
  readonly outside: OutsideSettings;
  /** Hosts that results of workflows may be sent to. */
  readonly callbackHosts: readonly string[];
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Usage: service --data FOLDER [options]
       service backup | restore | move --data FOLDER ...   (each says what it takes)

  --data FOLDER        where the data, the socket and service.json are
  --port N             listen on 127.0.0.1:N instead of a socket in the folder (0: any free port)
  --socket PATH        listen on this socket or named pipe
  --api-key KEY        key that callers must send; other users of the machine can see arguments,
                       so prefer the environment: PROMPT_TABLES_API_KEY (several: separated by commas,
                       each opens a workspace of its own; NAME=KEY names the workspace)
  --idle-exit SECONDS  end when no window has held the service for so long
  --hang-after SECONDS restart a thread that says nothing for so long (5 or more; without it, 30 for
                       the one that answers and 20 for the one that computes)
  --keys-from-windows  take keys of model providers from the windows of VS Code that hold the
                       service, for as long as they do, and none from the environment
  --metrics-port N     answer /metrics (Prometheus) and /healthz on 127.0.0.1:N, without a key
  --worker             compute only, no HTTP (with DATABASE_URL)
  --no-worker          HTTP only, others compute (with DATABASE_URL)

DATABASE_URL=postgres://... keeps the data in PostgreSQL instead of the folder.
PROMPT_TABLES_PRICES=FILE names prices of models that win over the public list:
                       {"provider/model": {"input": USD, "output": USD}} for a million tokens.
PROMPT_TABLES_CONCURRENCY=16 is how many requests a provider gets at the same time, from all
                       processes together; openai=4,ollama=1,*=8 says it for each.
PROMPT_TABLES_COST_CEILING=2.50 stops an operation before its requests cost more than so many USD.
PROMPT_TABLES_CALLBACK_HOSTS=a.example,b.example lets results of workflows be sent to these hosts
                       too, beside this machine itself.
PROMPT_TABLES_ALLOWED_HOSTS=a.example,*.b.example,10.0.0.5 lets ENDPOINT and MCP columns reach these
                       hosts; * allows every public one. Without it they reach none.
PROMPT_TABLES_MCP_SERVERS=FILE names MCP servers by the ids that columns use:
                       {"mcpServers": {"id": {"url": "https://...", "headers": {"Authorization":
                       "Bearer \${TOKEN}"}}}}; \${TOKEN} is read from the environment. Instead of a
                       url, {"command": "npx", "args": ["-y", "a-server"], "env": {}} is a program
                       that is started for them.
PROMPT_TABLES_PYTHON=1 lets CODE_EXECUTION columns run Python on this machine.
OTEL_EXPORTER_OTLP_ENDPOINT=http://... sends traces there; the other OTEL_ variables hold too.
PROMPT_TABLES_LOG=debug|info|warn|error sets the log level (info).
`;

type Environment = Readonly<Record<string, string | undefined>>;

function whole(name: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new UsageError(`--${name} must be a whole number up to ${String(most)}, not "${text}".`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        socket: { type: 'string' },
        'api-key': { type: 'string', multiple: true },
        'idle-exit': { type: 'string' },
        'hang-after': { type: 'string' },
        'metrics-port': { type: 'string' },
        worker: { type: 'boolean' },
        'no-worker': { type: 'boolean' },
        'keys-from-windows': { type: 'boolean' },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Arguments and environment as settled settings, or a UsageError that says what to change. */
export function readSettings(args: readonly string[], environment: Environment): Settings {
  const given = parse(args);
  if (given.data === undefined || given.data === '')
    throw new UsageError('--data FOLDER is missing.');
  if (given.port !== undefined && given.socket !== undefined) {
    throw new UsageError('Give --port or --socket, not both.');
  }
  const keysFromWindows = given['keys-from-windows'] === true;
  if (keysFromWindows && (given.port !== undefined || given.worker === true)) {
    throw new UsageError('--keys-from-windows needs a socket: leave out --port and --worker.');
  }
  const databaseUrl = readDatabaseUrl(environment['DATABASE_URL']);
  if ((given.worker === true || given['no-worker'] === true) && databaseUrl === undefined) {
    throw new UsageError('--worker and --no-worker need DATABASE_URL: a folder has one process.');
  }
  const worker = given.worker === true ? 'only' : given['no-worker'] === true ? 'none' : 'with';
  const keys = given['api-key'] ?? (environment['PROMPT_TABLES_API_KEY'] ?? '').split(',');
  const usable = keys.map((key) => key.trim()).filter((key) => key !== '');
  if (usable.length === 0 && worker !== 'only') {
    throw new UsageError('There is no API key. Set PROMPT_TABLES_API_KEY, or give --api-key.');
  }
  checked(() => checkKeys(usable));
  const idle = given['idle-exit'];
  const metricsPort = given['metrics-port'];
  return {
    dataFolder: given.data,
    keys: usable,
    listen:
      given.port !== undefined
        ? { kind: 'port', port: whole('port', given.port, 65_535) }
        : { kind: 'socket', ...(given.socket !== undefined && { path: given.socket }) },
    databaseUrl,
    worker,
    idleExitMs: idle === undefined ? undefined : whole('idle-exit', idle, 1_000_000) * 1000,
    hangAfterMs: hangAfter(given['hang-after']),
    keysFromWindows,
    observe: {
      metricsPort:
        metricsPort === undefined ? undefined : whole('metrics-port', metricsPort, 65_535),
      traces: hasTraceEndpoint(environment),
    },
    logLevel: logLevel(environment['PROMPT_TABLES_LOG']),
    limits: {
      concurrency: checked(() => readConcurrency(environment['PROMPT_TABLES_CONCURRENCY'])),
    },
    costCeiling: checked(() => readCostCeiling(environment['PROMPT_TABLES_COST_CEILING'])),
    outside: {
      allowedHosts: allowedHosts(environment['PROMPT_TABLES_ALLOWED_HOSTS']),
      mcpServers: mcpServers(environment),
      python: /^(?:1|true|yes|on)$/i.test(environment['PROMPT_TABLES_PYTHON']?.trim() ?? ''),
    },
    callbackHosts: (environment['PROMPT_TABLES_CALLBACK_HOSTS'] ?? '')
      .toLowerCase()
      .split(',')
      .map((host) => host.trim())
      .filter((host) => host !== ''),
    pricesFile: environment['PROMPT_TABLES_PRICES']?.trim() || undefined,
  };
}

/** Less than a few signs of life is no silence. */
const SHORTEST_SILENCE = 5;

function hangAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = whole('hang-after', text, 3600);
  if (seconds >= SHORTEST_SILENCE) return seconds * 1000;
  throw new UsageError(`--hang-after must be ${String(SHORTEST_SILENCE)} or more, not "${text}".`);
}

/** The variables by which OpenTelemetry's own packages find where to send spans. */
const hasTraceEndpoint = (environment: Environment): boolean =>
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some(
    (name) => (environment[name]?.trim() ?? '') !== '',
  ) && environment['OTEL_SDK_DISABLED'] !== 'true';

/** What is wrong with a setting is said as with an argument. */
function checked<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function allowedHosts(text: string | undefined): string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim());
  // Made here, so that a typing error is heard of at the start.
  checked(() => new AllowedHosts(entries));
  return entries.filter((entry) => entry !== '');
}

function mcpServers(environment: Environment): OutsideSettings['mcpServers'] {
  const file = environment['PROMPT_TABLES_MCP_SERVERS']?.trim() ?? '';
  return file === '' ? {} : checked(() => readMcpServers(file, environment));
}

function logLevel(text: string | undefined): LogLevel {
  return text === 'debug' || text === 'warn' || text === 'error' ? text : 'info';
}
