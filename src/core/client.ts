import { makeConnections } from '#platform';
import { CancelledError } from './errors.ts';
import type { Folders } from './folders/folders.ts';
import { makeFolders } from './folders/folders.ts';
import { makeCall } from './http/call.ts';
import { makeDownload } from './http/download.ts';
import { Lifetime } from './http/lifetime.ts';
import type { ClientOptions, SettledOptions } from './options.ts';
import { settleOptions } from './options.ts';
import type { Connections } from './platform/connections.ts';
import type { Quiet } from './quiet.ts';
import { makeQuiet } from './quiet.ts';
import type { ConversationOptions, ConversationState } from './run/conversation/conversation.ts';
import { Conversation } from './run/conversation/conversation.ts';
import type { RunContext } from './run/context.ts';
import { makeRun } from './run/run.ts';
import type { RunMethod } from './run/run.ts';
import type { LogRequest, Requests } from './requests/requests.ts';
import { makeLogRequest, makeRequests } from './requests/requests.ts';
import type { Tables } from './tables/tables.ts';
import { makeTables } from './tables/tables.ts';
import type { CachedState, CachedTemplate } from './templates/cache.ts';
import { TemplateCache } from './templates/cache.ts';
import type { Templates } from './templates/templates.ts';
import { makeTemplates } from './templates/templates.ts';
import type { Group, Track } from './tracking/tracking.ts';
import { makeGroup, makeTrack } from './tracking/tracking.ts';
import type { RunWorkflow, Workflows } from './workflows/workflows.ts';
import { makeRunWorkflow, makeWorkflows } from './workflows/workflows.ts';

type Maybe<Throws extends boolean, Methods, Otherwise = null> = Throws extends false
  ? Quiet<Methods, Otherwise>
  : Methods;

function makeCache(settled: SettledOptions): TemplateCache | undefined {
  const { cacheTtlSeconds, clock, logger, apiKey, baseURL, connection, onCacheChange } = settled;
  if (cacheTtlSeconds === 0) return undefined;
  const workspace = [baseURL.href, connection.socketPath ?? '', apiKey].join('\n');
  return new TemplateCache({
    ttlMs: cacheTtlSeconds * 1_000,
    clock,
    logger,
    workspace,
    onChange: onCacheChange,
  });
}

/**
 * One connection to a workspace. Throws a ConfigurationError at once when a key or URL is missing
 * or wrong, whatever `throwOnError` says. Close it when it is no longer needed.
 *
 * Every method takes `{ signal }` last and fails with a PromptTablesError, whose `code` says what
 * went wrong: what the service refused, what did not arrive after four attempts, what does not fit.
 * Answers keep the names of the service; queries and bodies may be in camelCase or in snake_case.
 * Times of the service are ISO 8601, prices US dollars.
 */
export class Client<Throws extends boolean = true> {
  /** Tables, sheets, columns, rows, cells, operations, versions, imports, scores. */
  readonly tables: Maybe<Throws, Tables>;
  /** Prompt templates of the registry, with their labels; `get` goes through the cache. */
  readonly templates: Maybe<Throws, Templates>;
  /** Workflows of the registry. `runWorkflow` runs them. */
  readonly workflows: Maybe<Throws, Workflows>;
  /** Folders of prompts, workflows and tables. */
  readonly folders: Maybe<Throws, Folders>;
  /** What was logged: one request, a search, sums. */
  readonly requests: Maybe<Throws, Requests>;
  /** Adds metadata, scores, templates and groups to logged requests. */
  readonly track: Maybe<Throws, Track, false>;
  /** Groups of logged requests. */
  readonly group: Maybe<Throws, Group, false>;
  /** The same as `group`. */
  readonly groups: Maybe<Throws, Group, false>;
  /**
   * Logs a request that was made with another client: fields in camelCase or snake_case, times in
   * milliseconds since the epoch. Answers `{ request_id, ... }`. Errors: ValidationError (no time,
   * no prompt), and those of every call. Specification 4.4.
   */
  readonly logRequest: Maybe<Throws, { readonly logRequest: LogRequest }>['logRequest'];
  /**
   * Runs a stored prompt: fetches it, asks its model's provider from here, logs the request.
   * Answers `{ request_id, raw_response, prompt_blueprint }`, or with `stream: true` an async
   * iterator of chunks. Errors of the template and of the provider are thrown whatever
   * `throwOnError` says; without it, an answer that could not be logged is not an error.
   * Specification 4.4.
   */
  readonly run: RunMethod;
  /**
   * Runs a workflow on the service and waits for its result: the value of the output node, any
   * JSON; with `returnAllOutputs` `{ status, value, error_message, raw_error_message,
   * is_output_node }` by the name of the node. Options: `signal`, `timeoutMs` (default one hour),
   * `onProgress`. Errors: WorkflowError (no output node has succeeded), TimeoutError, and those of
   * every call. Specification 4.4.
   */
  readonly runWorkflow: Maybe<Throws, { readonly runWorkflow: RunWorkflow }>['runWorkflow'];
  readonly #connections: Connections;
  readonly #providerConnections: Connections;
  readonly #lifetime: Lifetime;
  readonly #cache: TemplateCache | undefined;
  readonly #runContext: RunContext;

  constructor(options: ClientOptions & { readonly throwOnError?: Throws | undefined } = {}) {
    const settled = settleOptions(options);
    const { clock, logger, throwOnError } = settled;
    const lifetime = new Lifetime(clock);
    this.#lifetime = lifetime;
    this.#connections = makeConnections(settled.connection);
    // A local service has a socket of its own; providers are always out there.
    this.#providerConnections = makeConnections({ ...settled.connection, socketPath: undefined });
    this.#cache = makeCache(settled);
    const call = makeCall(settled, this.#connections, lifetime);
    const download = makeDownload(settled, this.#connections, lifetime);
    const context = { call, download, clock, logger };
    // The option and the type parameter are the same fact, which TypeScript cannot see.
    const nullable = <Methods extends object>(methods: Methods) =>
      (throwOnError ? methods : makeQuiet(methods, logger)) as Maybe<Throws, Methods>;
    const falsy = <Methods extends object>(methods: Methods) =>
      (throwOnError ? methods : makeQuiet(methods, logger, false as const)) as Maybe<
        Throws,
        Methods,
        false
      >;
    this.tables = nullable(makeTables(context));
    const templates = makeTemplates(context, this.#cache);
    this.templates = nullable(templates);
    this.#runContext = {
      call,
      settled,
      templates,
      connections: this.#providerConnections,
      lifetime,
    };
    this.run = makeRun(this.#runContext);
    this.workflows = nullable(makeWorkflows(context));
    this.folders = nullable(makeFolders(context));
    this.runWorkflow = nullable({
      runWorkflow: makeRunWorkflow({
        call,
        settled,
        connections: this.#connections,
        lifetime,
      }),
    }).runWorkflow;
    this.requests = nullable(makeRequests(context));
    this.logRequest = nullable({ logRequest: makeLogRequest(context) }).logRequest;
    this.track = falsy(makeTrack(context));
    this.group = falsy(makeGroup(context, settled.apiKey));
    this.groups = this.group;
  }

  /**
   * A conversation over a stored prompt: `send` and `stream` run one turn after the other, each a
   * request that is logged in one group. Options are those of `run`; with the `state` of an earlier
   * conversation it goes on from there.
   */
  conversation(options: ConversationOptions, state?: ConversationState): Conversation {
    return new Conversation(this.#runContext, options, state);
  }

  /** Forgets a cached template, by its name or id; without one, all of them. */
  invalidate(promptName?: string | number): void {
    this.#cache?.invalidate(promptName === undefined ? undefined : String(promptName));
  }

  /** What is in memory of a template, by its name or id; undefined: nothing. */
  cachedState(promptName: string | number): CachedState | undefined {
    return this.#cache?.stateOf(String(promptName));
  }

  /** The templates in memory, unrendered: those of a name or id; without one, all of them. */
  cachedTemplates(promptName?: string | number): readonly CachedTemplate[] {
    return this.#cache?.list(promptName === undefined ? undefined : String(promptName)) ?? [];
  }

  /**
   * Closes once nothing has been under way for `quietMs` (default 30,000): what was paid for comes to
   * its end and is logged. Calls are taken until then. A stream counts until it is read to its end
   * or left.
   */
  async closeWhenIdle(quietMs = 30_000): Promise<void> {
    await this.#lifetime.quiet(quietMs);
    await this.close();
  }

  /** Ends what is under way (as cancelled) and closes all sockets. */
  async close(): Promise<void> {
    this.#lifetime.end(new CancelledError({ kind: 'client-closed' }));
    await Promise.all([this.#connections.destroy(), this.#providerConnections.destroy()]);
  }
}
