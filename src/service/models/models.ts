import type { Template } from '../../api/template.ts';
import { namesInWords } from '../../core/destination/steering.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { Mapping } from '../../core/mapping.ts';
import { Reach } from '../../core/http/reach.ts';
import type { LookUp, SettledOptions } from '../../core/options.ts';
import { settleOptions } from '../../core/options.ts';
import { makeConnections } from '../../core/platform/node.ts';
import type { Connections } from '../../core/platform/connections.ts';
import { endingOf } from '../../core/providers/ending.ts';
import type { HostProvider } from '../../core/providers/host/host-provider.ts';
import type { ModelCall } from '../../core/providers/provider.ts';
import type { Reply } from '../../core/providers/reply.ts';
import { findProvider } from '../../core/providers/registry.ts';
import { isUnreached } from '../../core/providers/unreached.ts';
import type { GivenOptions } from '../../core/run/given.ts';
import { givenOptions } from '../../core/run/given.ts';
import { forHostProvider } from '../../core/run/host-template.ts';
import { modelCallOf } from '../../core/run/model-call.ts';
import type { CallEnvironment } from '../../core/run/provider-context.ts';
import { callEnvironmentOf } from '../../core/run/provider-context.ts';
import type { Outcome, RunFacts } from '../../core/run/track.ts';
import { trackedRun } from '../../core/run/track.ts';
import { ask } from '../../core/run/whole.ts';
import { Egress } from '../egress/egress.ts';
import type { Log } from '../log.ts';
import { observedCall } from '../observe/observed-call.ts';
import { unobserved, type Observer } from '../observe/observer.ts';
import type { Database } from '../store/database.ts';
import { noWindow, vscodeProvider } from './ask-window.ts';
import type { FoundModel } from './default-model.ts';
import { DefaultModel } from './default-model.ts';
import type { EmbeddingAnswer } from './embeddings.ts';
import { embeddingCall, fetchEmbeddings, findEmbeddingModel } from './embeddings.ts';
import { ProviderGate } from './gate.ts';
import type { ModelLimits } from './limits.ts';
import { concurrencyOf, mostAtOnce, usualLimits } from './limits.ts';

export interface ModelsOptions {
  readonly log: Log;
  /** Where processes share their limits. */
  readonly database: Database;
  readonly limits?: ModelLimits | undefined;
  /** Where a model may be asked beside the addresses of the environment. Default: nowhere. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly observer?: Observer | undefined;
  /** Default: the environment of the process. */
  readonly lookUp?: LookUp | undefined;
  /** For what a window in Restricted Mode has begun. Default: the same. */
  readonly restrictedLookUp?: LookUp | undefined;
  /** Asks language models of VS Code, in one of its windows. Default: there are no windows. */
  readonly askWindow?: HostProvider | undefined;
  /** How many requests they may get at the same time. */
  readonly windowRequests?: (() => number) | undefined;
}

/** What became of a request to a model. */
export interface Asked {
  readonly outcome: Outcome;
  /** The reply, when there is one. */
  readonly reply: Reply | undefined;
  /** Body of a track request, without any key. */
  readonly tracked: ReturnType<typeof trackedRun>;
  readonly latencyMs: number;
}

/** What became of a request for vectors. */
export interface Embedded {
  readonly model: FoundModel;
  readonly outcome:
    | ({ readonly kind: 'whole' } & EmbeddingAnswer)
    | { readonly kind: 'failed'; readonly error: unknown };
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

const mostRemembered = 1_000;

/** Says a warning the first time only. */
function onceLogger(log: Log): Logger {
  const said = new Set<string>();
  const warn: Logger['warn'] = (message, ...details) => {
    if (said.has(message)) return;
    if (said.size >= mostRemembered) said.clear();
    said.add(message);
    log.warn(message, ...(details as []));
  };
  return Object.assign(Object.create(log) as Logger, { warn });
}

/** Where keys are found, and what follows from it. */
interface Keyring {
  readonly settled: SettledOptions;
  readonly defaultModel: DefaultModel;
}

function keyringOf(
  log: Log,
  lookUp: LookUp | undefined,
  askWindow: HostProvider = noWindow,
): Keyring {
  const settled = settleOptions({
    // Nothing is asked of a service: this process is it.
    apiKey: 'local-service',
    baseURL: 'http://localhost',
    logger: log,
    hostProviders: { [vscodeProvider]: askWindow },
    ...(lookUp !== undefined && { providerEnvironment: lookUp }),
  });
  return { settled, defaultModel: new DefaultModel(settled.lookUp) };
}

interface AskOptions<Answer, Settled> {
  /** Begun by a window in Restricted Mode. */
  readonly isRestricted: boolean;
  readonly signal: AbortSignal;
  readonly onBegin?: (() => void) | undefined;
  /** Called before anything is sent, once; may wait, or refuse by what it throws. */
  readonly beforeSending?: ((call: ModelCall) => Promise<void>) | undefined;
  /** Stores what became of the request, before another one takes its place at the provider. */
  readonly settle: (answer: Answer) => Promise<Settled>;
}

/** Asks models for the service itself, with keys of its own environment. */
export class Models {
  readonly #usual: Keyring;
  readonly #restricted: Keyring;
  readonly #connections: Connections;
  /** To addresses that are not of the environment: none, unless it is allowed. */
  readonly #egress: Egress;
  readonly #guarded: Connections;
  readonly #reach: Reach;
  readonly #database: Database;
  readonly #log: Log;
  /** A prompt that is run for a million cells warns once. */
  readonly #oncePerPrompt: Logger;
  readonly #limits: ModelLimits;
  readonly #observer: Observer;
  readonly #windowRequests: () => number;
  readonly #gates = new Map<string, ProviderGate>();

  constructor(options: ModelsOptions) {
    const { log, lookUp, database, limits, observer, allowedHosts = [] } = options;
    this.#observer = observer ?? unobserved;
    this.#log = log;
    this.#database = database;
    this.#limits = limits ?? usualLimits;
    this.#windowRequests = options.windowRequests ?? (() => 0);
    const { askWindow } = options;
    this.#usual = keyringOf(log, lookUp, askWindow);
    const { restrictedLookUp = lookUp } = options;
    this.#restricted =
      restrictedLookUp === lookUp ? this.#usual : keyringOf(log, restrictedLookUp, askWindow);
    const { connection, clock } = this.#usual.settled;
    // Requests beyond the sockets would wait in a line that knows no limits, pauses, or turns.
    const maxSockets = mostAtOnce(this.#limits);
    this.#connections = makeConnections({ ...connection, maxSockets });
    this.#egress = new Egress(allowedHosts);
    this.#guarded = makeConnections({ ...connection, dispatcher: this.#egress.dispatcher });
    this.#oncePerPrompt = onceLogger(log);
    this.#reach = new Reach(clock);
  }

  /** For prompts that name none. Throws a ConfigurationError when there is none. */
  defaultModel(isRestricted: boolean): Promise<FoundModel> {
    return this.#keyring(isRestricted).defaultModel.find();
  }

  /**
   * Asks the model of a rendered template. A request that fails is an outcome; what keeps it from
   * being sent (no model, no key) is thrown, as is the abort of the signal.
   */
  async ask<Settled>(
    rendered: Template,
    askOptions: AskOptions<Asked, Settled> & {
      readonly variables: Readonly<Record<string, unknown>>;
      /** Parameters of the column, in the place of the prompt's own. */
      readonly overrides?: Mapping | undefined;
    },
  ): Promise<Settled> {
    const { variables, overrides, signal } = askOptions;
    const { settled } = this.#keyring(askOptions.isRestricted);
    const { clock, hostProviders } = settled;
    const logger = this.#oncePerPrompt;
    const named = { promptName: rendered.prompt_name, inputVariables: variables };
    const template = forHostProvider(rendered, hostProviders, givenOptions(named));
    const call = modelCallOf(template, { stream: false, throwOnError: true, logger, overrides });
    if (call.baseURL !== undefined) this.#egress.check(call.baseURL);
    const { ignored = [] } = call;
    const provider = await findProvider(call, hostProviders);
    const callEnvironment = this.#callEnvironment(settled, call, signal);
    // A missing key is found before the turn is waited for.
    if (provider.complete === undefined) await provider.prepare(call, callEnvironment.provider);
    const given: GivenOptions = givenOptions({
      ...named,
      ...(ignored.length > 0 && { metadata: { ignored_parameters: namesInWords(ignored) } }),
    });
    return this.#pass(call, askOptions, async (): Promise<Asked> => {
      const startedAt = clock.now();
      const facts: RunFacts = {
        ...{ template, given, call, startedAt },
        functionName: provider.functionName,
      };
      let outcome: Outcome;
      let reply: Reply | undefined;
      try {
        const response = await ask(provider, call, callEnvironment);
        reply = provider.replyOf(response, call);
        outcome = { kind: 'whole', response, ending: endingOf(response, reply) };
      } catch (error) {
        // Nothing was sent, so there is nothing to log.
        if (hasErrorCode(error, 'configuration', 'template') || isUnreached(error)) throw error;
        outcome = { kind: 'failed', error };
      }
      return {
        outcome,
        reply,
        tracked: trackedRun(facts, outcome, settled),
        latencyMs: clock.now() - startedAt,
      };
    });
  }

  /** Vectors of texts, by the embedding model at hand. Throws and answers as `ask` does. */
  async embed<Settled>(
    texts: readonly string[],
    askOptions: AskOptions<Embedded, Settled>,
  ): Promise<Settled> {
    const { settled } = this.#keyring(askOptions.isRestricted);
    const { clock } = settled;
    const model = await findEmbeddingModel(settled.lookUp);
    const call = embeddingCall(model, texts);
    const callEnvironment = this.#callEnvironment(settled, call, askOptions.signal);
    return this.#pass(call, askOptions, async (): Promise<Embedded> => {
      const startedAt = clock.now();
      let outcome: Embedded['outcome'];
      try {
        outcome = { kind: 'whole', ...(await fetchEmbeddings(call, callEnvironment)) };
      } catch (error) {
        if (hasErrorCode(error, 'configuration') || isUnreached(error)) throw error;
        outcome = { kind: 'failed', error };
      }
      return { model, outcome, startedAt, endedAt: clock.now() };
    });
  }

  async close(): Promise<void> {
    for (const gate of this.#gates.values()) await gate.close();
    await Promise.all([this.#connections.destroy(), this.#guarded.destroy()]);
    await this.#egress.close();
  }

  #keyring(isRestricted: boolean): Keyring {
    return isRestricted ? this.#restricted : this.#usual;
  }

  #callEnvironment(settled: SettledOptions, call: ModelCall, signal: AbortSignal): CallEnvironment {
    const connections = call.baseURL === undefined ? this.#connections : this.#guarded;
    return callEnvironmentOf(
      // Who is refused for asking too often waits together with all others, at the gate.
      { settled, connections, leavesRateLimits: true, reach: this.#reach },
      call,
      signal,
    );
  }

  #pass<Result extends { readonly outcome: { readonly kind: string } }, Settled>(
    call: ModelCall,
    { signal, onBegin, beforeSending, settle }: AskOptions<Result, Settled>,
    attempt: () => Promise<Result>,
  ): Promise<Settled> {
    let isAllowed = false;
    const observedAttempt = async (): Promise<Result> => {
      if (!isAllowed) await beforeSending?.(call);
      isAllowed = true;
      onBegin?.();
      return observedCall(this.#observer, call, attempt);
    };
    return this.#gateOf(call.provider).pass(observedAttempt, settle, signal);
  }

  #gateOf(provider: string): ProviderGate {
    const most =
      provider === vscodeProvider
        ? Math.max(1, this.#windowRequests())
        : concurrencyOf(this.#limits, provider);
    // A setting of VS Code may have changed: what passes through the earlier gate goes on.
    const key = `${provider} ${String(most)}`;
    let gate = this.#gates.get(key);
    if (gate === undefined) {
      gate = new ProviderGate({ database: this.#database, log: this.#log, provider, most });
      this.#gates.set(key, gate);
    }
    return gate;
  }
}
