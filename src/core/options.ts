import { runtime } from '#platform';
import { ConfigurationError } from './errors.ts';
import type { Clock } from './http/delay.ts';
import { systemClock } from './http/delay.ts';
import { isLoopback } from './http/loopback.ts';
import type { AnswerStore } from './run/answer-store.ts';
import type { HostProviders } from './providers/host/host-provider.ts';
import { Reach } from './http/reach.ts';
import type { Logger } from './logger.ts';
import type { ConnectionSettings, RequestDispatcher } from './platform/connections.ts';
import { redactingLogger, standardErrorLogger } from './logger.ts';
import { formsOf, redactText, replaceSecrets } from './redact.ts';

/** The hosted service. */
export const defaultBaseURL = 'https://api.promptlayer.com';
const defaultTimeoutMs = 60_000;
const defaultMaxBodyBytes = 128 * 1024 * 1024;
const defaultProviderTimeoutMs = 600_000;

/** Variables by name, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Finds a provider's key or setting by the name of its environment variable. */
export type LookUp = (name: string) => string | undefined | Promise<string | undefined>;

/** Where the workspace wants a provider's calls to go, in the place of the provider's own address. */
export interface WorkspaceAddress {
  /** Whose language is spoken there: `openai`, ... */
  readonly provider: string;
  /** `custom`: a custom provider, which gets its own key. `workspace`: this provider, elsewhere. */
  readonly source: 'workspace' | 'custom';
  /** As the workspace calls it. */
  readonly name: string | undefined;
  readonly url: URL;
}

/** How other machines are reached, and whose certificates count. */
export interface ProxyOptions {
  /** Wins over the environment. `http://user:password@host:port`. */
  readonly url?: string | undefined;
  /** Hosts reached directly: `host`, `host:port`, `.suffix`, `*`, `10.0.0.0/8`. Added to NO_PROXY. */
  readonly noProxy?: readonly string[] | string | undefined;
  /** False accepts any TLS certificate. Default true. */
  readonly strictSSL?: boolean | undefined;
  /** False trusts only the certificates of Node and those in `ca`. Default true. */
  readonly systemCertificates?: boolean | undefined;
  /** Certificate authorities to trust as well, PEM. */
  readonly ca?: readonly string[] | string | undefined;
  /** Send calls to this machine through the proxy too. Default false. */
  readonly loopback?: boolean | undefined;
}

/** Everything has a default but the key. What is missing or impossible is a ConfigurationError. */
export interface ClientOptions {
  /** Default: PROMPTLAYER_API_KEY of the environment. */
  readonly apiKey?: string | undefined;
  /** Default: PROMPTLAYER_BASE_URL of the environment, else the hosted service. */
  readonly baseURL?: string | undefined;
  /** Unix domain socket or named pipe of a local service; then there is no base URL and no proxy. */
  readonly socketPath?: string | undefined;
  /** False: failures log a warning and answer null (deletes, tracking: false). Default true. */
  readonly throwOnError?: boolean | undefined;
  /** How long a fetched template is used without asking again. Default 0: no cache. */
  readonly cacheTtlSeconds?: number | undefined;
  /** Called after the cache of templates has changed: ask `cachedState` again. Must not throw. */
  readonly onCacheChange?: (() => void) | undefined;
  /** For one attempt, from sending to the last byte of the answer. Default 60 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Largest answer, after decompression. Default 128 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Default: everything but debug messages to standard error. */
  readonly logger?: Logger | undefined;
  /** Time for waits, limits and the age of templates. Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Read instead of `process.env`. */
  readonly environment?: Environment | undefined;
  /**
   * Where keys and settings of model providers come from, `OPENAI_API_KEY` and so on. They go to
   * their provider and nowhere else. Default: the environment.
   */
  readonly providerEnvironment?: LookUp | undefined;
  /**
   * Providers that this program has itself, by name: models that it holds or that its own host
   * gives it. They are asked here, with no key and over no connection. A prompt runs with one when
   * it, or the options of the run, name that provider. Default: none.
   */
  readonly hostProviders?: HostProviders | undefined;
  /**
   * Where answers are kept for runs with `answerCache`: the same request again gets the same answer,
   * and nobody is asked. Default: none.
   */
  readonly answerStore?: AnswerStore | undefined;
  /**
   * Asked before a prompt is run at an address that the workspace has set (`provider_base_url`, a
   * custom provider). False: nothing is sent, and the run is cancelled. Default: it is honored.
   */
  readonly allowAddress?:
    ((address: WorkspaceAddress, signal: AbortSignal | undefined) => Promise<boolean>) | undefined;
  /**
   * The longest silence of a model provider: before its answer begins, and between two pieces of
   * it. Default 10 minutes.
   */
  readonly providerTimeoutMs?: number | undefined;
  /** False: never use a proxy, whatever the environment says. */
  readonly proxy?: ProxyOptions | false | undefined;
  /**
   * Sends every request, to the service and to providers: an undici Agent, Pool or MockAgent. It
   * stays yours, closing the client does not close it. Only on Node; not together with `socketPath`
   * and `proxy`, whose work it does. Workflows are polled for: it opens no WebSocket.
   */
  readonly dispatcher?: RequestDispatcher | undefined;
  /** Default: `prompt-tables (node <version>)`. */
  readonly userAgent?: string | undefined;
  /**
   * False: after a call has found in all of its attempts that no connection can be made, those of
   * the next ten seconds make one attempt each, until one is answered. For programs whose steps
   * follow one another while somebody waits. Default true: each call makes four.
   */
  readonly retriesWhileUnreachable?: boolean | undefined;
}

/** Everything present, everything checked: after this nobody asks whether it was given. */
export interface SettledOptions {
  readonly apiKey: string;
  readonly baseURL: URL;
  readonly throwOnError: boolean;
  readonly cacheTtlSeconds: number;
  readonly onCacheChange: (() => void) | undefined;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Whether the service could be connected to a moment ago; undefined: that changes nothing. */
  readonly reach: Reach | undefined;
  readonly connection: ConnectionSettings;
  readonly lookUp: LookUp;
  readonly allowAddress: ClientOptions['allowAddress'];
  readonly hostProviders: HostProviders | undefined;
  readonly answerStore: AnswerStore | undefined;
  readonly providerTimeoutMs: number;
  /** Takes known secrets out of a text. */
  readonly redact: (text: string) => string;
  /** The same for the values that are known, and nothing that merely looks like a secret. */
  readonly redactKnown: (text: string) => string;
  /**
   * From now on this value is taken out of texts and logs too; until what this returns is called,
   * for secrets that are soon worth nothing.
   */
  readonly hide: (secret: string) => () => void;
}

/** A browser has none. */
/** The environment of this process, for those who settle what they are started with. */
export const ownEnvironment = (): Environment =>
  typeof process === 'undefined' ? {} : process.env;

const given = (text: string | undefined): string | undefined => text?.trim() || undefined;

function settleApiKey(options: ClientOptions, environment: Environment): string {
  const key = given(options.apiKey) ?? given(environment['PROMPTLAYER_API_KEY']);
  if (key === undefined) {
    throw new ConfigurationError({ kind: 'no-api-key' }, { hint: { kind: 'pass-key' } });
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigurationError({ kind: 'bad-api-key' }, { hint: { kind: 'copy-key' } });
  }
  return key;
}

function settleBaseURL(options: ClientOptions, environment: Environment): URL {
  if (options.socketPath !== undefined) return new URL('http://localhost');
  const fromOption = given(options.baseURL);
  const text = fromOption ?? given(environment['PROMPTLAYER_BASE_URL']) ?? defaultBaseURL;
  const name = fromOption === undefined ? 'PROMPTLAYER_BASE_URL' : 'baseURL';
  const address = { name, example: defaultBaseURL };
  const hint = { kind: 'set-base-url', ...address } as const;
  if (!URL.canParse(text))
    throw new ConfigurationError({ kind: 'base-url-unreadable', name }, { hint });
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigurationError({ kind: 'base-url-not-http', name }, { hint });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ConfigurationError(
      { kind: 'base-url-too-long', name },
      { hint: { kind: 'set-only-base-url', ...address } },
    );
  }
  return url;
}

function listOf(value: readonly string[] | string | undefined): string[] {
  if (value === undefined) return [];
  const entries = typeof value === 'string' ? value.split(/[\s,]+/) : value;
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function settleConnection(options: ClientOptions, environment: Environment): ConnectionSettings {
  const socketPath = given(options.socketPath);
  if (options.dispatcher !== undefined && (socketPath !== undefined || options.proxy)) {
    const other = socketPath === undefined ? 'proxy' : 'socketPath';
    throw new ConfigurationError(
      { kind: 'options-together', other },
      { hint: { kind: 'leave-one-out' } },
    );
  }
  const proxy = options.proxy === false ? {} : (options.proxy ?? {});
  const variable = (name: string): string | undefined =>
    options.proxy === false
      ? undefined
      : (given(environment[name]) ?? given(environment[name.toLowerCase()]));
  const all = variable('ALL_PROXY');
  return {
    dispatcher: options.dispatcher,
    socketPath,
    proxy: {
      url: given(proxy.url),
      httpsProxy: variable('HTTPS_PROXY') ?? all,
      httpProxy: variable('HTTP_PROXY') ?? all,
      noProxy: [...listOf(proxy.noProxy), ...listOf(variable('NO_PROXY'))],
      loopback: proxy.loopback ?? false,
    },
    strictSSL: proxy.strictSSL ?? true,
    systemCertificates: proxy.systemCertificates ?? true,
    ca: typeof proxy.ca === 'string' ? [proxy.ca] : (proxy.ca ?? []),
  };
}

/** User name and password inside a URL, in every form that may turn up in a message. */
function credentialsIn(url: string | undefined): readonly string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return pair === ':' ? [] : [...formsOf(pair), ...formsOf(decodeURIComponent(password))];
}

function positive(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (Number.isFinite(value) && value > 0) return value;
  throw new ConfigurationError({ kind: 'not-above-zero', name });
}

function settleCacheTtl(seconds = 0): number {
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new ConfigurationError({ kind: 'cache-below-zero' });
}

export function settleOptions(options: ClientOptions): SettledOptions {
  const environment = options.environment ?? ownEnvironment();
  const apiKey = settleApiKey(options, environment);
  const connection = settleConnection(options, environment);
  const { url, httpProxy, httpsProxy } = connection.proxy;
  const secrets = [...formsOf(apiKey), ...[url, httpProxy, httpsProxy].flatMap(credentialsIn)];
  const logger = redactingLogger(options.logger ?? standardErrorLogger, secrets);
  const baseURL = settleBaseURL(options, environment);
  if (baseURL.protocol === 'http:' && !isLoopback(baseURL.hostname)) {
    logger.warn('The base URL is http, so the API key travels unencrypted. Use https.');
  }
  if (!connection.strictSSL) {
    logger.warn('TLS certificates are not checked, because strictSSL is off.');
  }
  const clock = options.clock ?? systemClock;
  return {
    apiKey,
    baseURL,
    throwOnError: options.throwOnError ?? true,
    cacheTtlSeconds: settleCacheTtl(options.cacheTtlSeconds),
    onCacheChange: options.onCacheChange,
    timeoutMs: positive('timeoutMs', options.timeoutMs, defaultTimeoutMs),
    maxBodyBytes: positive('maxBodyBytes', options.maxBodyBytes, defaultMaxBodyBytes),
    logger,
    clock,
    userAgent: options.userAgent ?? `prompt-tables (${runtime})`,
    reach: (options.retriesWhileUnreachable ?? true) ? undefined : new Reach(clock),
    connection,
    allowAddress: options.allowAddress,
    hostProviders: options.hostProviders,
    answerStore: options.answerStore,
    lookUp: options.providerEnvironment ?? ((name) => environment[name]),
    providerTimeoutMs: positive(
      'providerTimeoutMs',
      options.providerTimeoutMs,
      defaultProviderTimeoutMs,
    ),
    redact: (text) => redactText(text, secrets),
    redactKnown: (text) => replaceSecrets(text, secrets),
    hide: (secret) => {
      const forms = formsOf(secret).filter((form) => !secrets.includes(form));
      secrets.push(...forms);
      return () => {
        for (const form of forms.splice(0)) {
          const at = secrets.indexOf(form);
          if (at >= 0) secrets.splice(at, 1);
        }
      };
    },
  };
}
