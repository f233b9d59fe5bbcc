import type { Mapping } from '../mapping.ts';
import type { EitherSpelling } from '../spelling.ts';

export interface RunFields {
  readonly promptName: string;
  /** Neither version nor label: the latest version. */
  readonly promptVersion?: number | undefined;
  readonly promptReleaseLabel?: string | undefined;
  /**
   * A prompt that runs as it stands here, published or not, instead of the one of that name:
   * `{ prompt_template, metadata: { model: { provider, name, parameters } } }`.
   * With `inputVariables`, also empty ones, its texts are filled in here, snippets from the service;
   * without them it is sent as it is. Its request is logged without a prompt.
   */
  readonly promptBlueprint?: Mapping | undefined;
  readonly inputVariables?: Readonly<Record<string, unknown>> | undefined;
  /** Logged with the request. */
  readonly tags?: readonly string[] | undefined;
  /** Logged with the request; together with a label it also chooses the label's variant. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** What chooses a label's variant, instead of `metadata`. Given, the cache is left out. */
  readonly metadataFilters?: Readonly<Record<string, string>> | null | undefined;
  /** Merged into the model's arguments by the service. Given, the cache is left out. */
  readonly modelParameterOverrides?: Readonly<Record<string, unknown>> | null | undefined;
  /** In the place of the prompt's own; empty: none. Given, variables in them are filled in here. */
  readonly tools?: readonly unknown[] | null | undefined;
  /** `auto`, `none`, `required`, or the function: its name, or `{ type, function: { name } }`. */
  readonly toolChoice?: string | Readonly<Record<string, unknown>> | null | undefined;
  /** Give provider and model together: the arguments are made for them. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  /** A group that the request is put into. */
  readonly groupId?: number | undefined;
  /**
   * True: if the same was answered before, by the same model at the same address, that answer is
   * taken from the client's `answerStore`, at no cost and without a request in the log. Else the
   * answer is kept there, if it is whole. Default false.
   */
  readonly answerCache?: boolean | undefined;
  /** With `answerCache`: the same request with another number is another one. Default 0. */
  readonly repetition?: number | undefined;
}

/** In camelCase or in snake_case. */
export type RunOptions = EitherSpelling<RunFields> & {
  /** True: the answer comes in chunks. Default false. */
  readonly stream?: boolean | undefined;
};

/** Specification 2.9. */
export interface RunResult {
  /** Of the log of requests; null when the request could not be logged and that was no error. */
  readonly request_id: number | null;
  /** What the provider answered, in its own form. */
  readonly raw_response: unknown;
  /** The same for every provider; the last of `prompt_template.messages` is the reply. */
  readonly prompt_blueprint: Mapping;
  /** It was kept from another run; then nothing was logged, and `request_id` is null. */
  readonly cached?: { readonly answered_at: string };
}

/**
 * A piece of a streamed run. The blueprint holds all that has come so far. Never changed once it
 * was handed out.
 */
export interface RunChunk {
  /** Present in the last chunk only, whose `raw_response` is the whole answer put together. */
  readonly request_id?: number | null;
  /** One event of the provider's stream. */
  readonly raw_response: unknown;
  readonly prompt_blueprint: Mapping;
  /** Of the last chunk, which is the only one then: as of a run that isn't streamed. */
  readonly cached?: { readonly answered_at: string };
}

/** Chunks of a run. Leaving the loop ends the call of the provider, and logs what had come. */
export type RunStream = AsyncGenerator<RunChunk, void, undefined>;
