import type { Clock } from '../http/delay.ts';
import type { Mapping } from '../mapping.ts';
import type { Logger } from '../logger.ts';
import type { Reply } from './reply.ts';
import type { ProviderVariable } from './variables.ts';

/** What a model is asked, and where: the arguments of the template say nothing of the latter. */
export interface ModelCall {
  /** As the template names it: `openai`, `openai.azure`, `anthropic`, ... */
  readonly provider: string;
  /** `chat-completions`, `responses`, `images`, ...; undefined when the template names none. */
  readonly apiType: string | undefined;
  readonly templateType: 'chat' | 'completion';
  readonly model: string;
  /** `llm_kwargs` without `stream`, and without all that would steer the call: what is sent. */
  readonly kwargs: Mapping;
  readonly stream: boolean;
  /** Set in the workspace: of a custom provider, or its own base URL of this provider. */
  readonly baseURL: string | undefined;
  /** The key of a custom provider, which the service keeps. Wins over the environment. */
  readonly apiKey: string | undefined;
  /**
   * Somebody else's server, whose address the service keeps: keys of the environment are not for
   * it, or whoever sets the address could collect them.
   */
  readonly isCustom?: boolean | undefined;
  /** Parameters of the prompt that would have steered the call, and were left out. */
  readonly ignored?: readonly string[] | undefined;
}

/** A request to a provider, ready to be sent. */
export interface ProviderRequest {
  readonly method?: 'GET' | 'POST' | undefined;
  readonly url: string;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** What a provider's module may use of its environment. */
export interface ProviderContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal | undefined;
  /**
   * Whether the address belongs to somebody who gets no key of the environment: then `secret` finds
   * none.
   */
  readonly isStranger: boolean;
  /** The first of these settings that is set: an address, a region, a project. */
  variable(...names: readonly ProviderVariable[]): Promise<string | undefined>;
  /** The same for a key. From then on its value is taken out of every log and error. */
  secret(...names: readonly ProviderVariable[]): Promise<string | undefined>;
  /** The first key that is set, or a ConfigurationError that names the variables. */
  requireSecret(...names: readonly ProviderVariable[]): Promise<string>;
  /** Hides a value that was found elsewhere: a signed token, a key inside a file. */
  hide(secret: string): void;
  /** Sends a request and reads the whole answer: for a provider that needs several. */
  fetchJson(request: ProviderRequest): Promise<unknown>;
  /** The same for bytes (audio, images). */
  fetchBytes(
    request: ProviderRequest,
  ): Promise<{ readonly bytes: Uint8Array; readonly type: string }>;
}

/** One event of a stream: its name, where the wire has one, and its parsed data. */
export interface ProviderEvent {
  readonly name: string | undefined;
  readonly data: unknown;
}

/** Bytes -> events. Any cut of the same bytes gives the same events. */
export interface EventDecoder {
  push(bytes: Uint8Array): readonly ProviderEvent[];
  /** The bytes have ended; what was cut off in the middle is no event. */
  end(): readonly ProviderEvent[];
}

/** Puts a streamed answer together. */
export interface Accumulator {
  /** Takes in one event. Throws a ProviderError for an event that says that the answer failed. */
  add(event: ProviderEvent): void;
  /** The reply so far. Immutable; what has not changed is the same object as before. */
  reply(): Reply;
  /** What the provider would have answered without streaming, as far as it has come. */
  response(): unknown;
  /** Whether the provider has said that this was all. False when the bytes end: it broke off. */
  readonly isWhole: boolean;
}

/** One API of one provider. */
export interface Provider {
  /** How the call is named in the log of requests. */
  readonly functionName: string;
  /** Address, headers and body. Throws before anything is sent when a key or a setting is missing. */
  readonly prepare: (call: ModelCall, context: ProviderContext) => Promise<ProviderRequest>;
  /** Undefined where the API can't stream: then the whole answer is the only chunk. */
  readonly streaming:
    | {
        readonly decoder: () => EventDecoder;
        readonly accumulator: (call: ModelCall) => Accumulator;
      }
    | undefined;
  /** Instead of sending what `prepare` made once: polls a job, reads bytes. Gives the response. */
  readonly complete?: (call: ModelCall, context: ProviderContext) => Promise<unknown>;
  /** The reply inside a whole response. */
  readonly replyOf: (response: unknown, call: ModelCall) => Reply;
}
