import type { Endpoint } from '../../api/endpoint.ts';
import {
  createGroup,
  trackGroup,
  trackMetadata,
  trackPrompt,
  trackScore,
} from '../../api/tracking.ts';
import { ValidationError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import type { EitherSpelling } from '../spelling.ts';
import { snakeFields } from '../spelling.ts';
import type { ApiContext } from '../tables/context.ts';

interface Logged {
  readonly requestId: number;
}
/** Texts by name. */
export type TrackedMetadata = EitherSpelling<
  Logged & { readonly metadata: Readonly<Record<string, string>> }
>;
/** A score, under a name if it has one. */
export type TrackedScore = EitherSpelling<
  Logged & {
    /** A whole number from 0 to 100. */
    readonly score: number;
    readonly name?: string | undefined;
  }
>;
/** The template that was used, with its variables; a version or a label. */
export type TrackedPrompt = EitherSpelling<
  Logged & {
    readonly promptName: string;
    readonly promptInputVariables: Readonly<Record<string, unknown>>;
    readonly version?: number | undefined;
    readonly label?: string | undefined;
  }
>;
/** A group, made by `group.create()`. */
export type TrackedGroup = EitherSpelling<Logged & { readonly groupId: number }>;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function demand(isGiven: boolean, what: string, hint: string): void {
  if (isGiven) return;
  throw new ValidationError(
    { kind: 'invalid-argument', doing: 'Nothing was tracked', problem: what },
    { hint: { kind: 'argument', words: hint } },
  );
}

function fieldsOf(given: object): Record<string, unknown> {
  const fields = snakeFields(given);
  demand(
    Number.isInteger(fields['request_id']),
    'there is no request id',
    'Give requestId, as run and logRequest return it.',
  );
  return fields;
}

/** What `client.track` is. */
export type Track = ReturnType<typeof makeTrack>;

/** Adds to a logged request. Wrong arguments throw at once, whatever `throwOnError` says. */
export function makeTrack({ call }: ApiContext) {
  const send = async (
    endpoint: Endpoint,
    fields: Record<string, unknown>,
    options: CallOptions,
  ): Promise<true> => {
    // Checked here as far as it can go wrong unnoticed; the service checks the rest.
    await call(endpoint, { params: {}, body: fields }, options);
    return true;
  };

  return {
    /** Adds metadata to a logged request. */
    metadata: (given: TrackedMetadata, options: CallOptions = {}): Promise<true> => {
      const fields = fieldsOf(given);
      const { metadata } = fields;
      demand(
        isObject(metadata) && Object.values(metadata).every((value) => typeof value === 'string'),
        'metadata is not an object of strings',
        'Make every value a string.',
      );
      return send(trackMetadata, fields, options);
    },

    /** Scores a logged request. */
    score: (given: TrackedScore, options: CallOptions = {}): Promise<true> => {
      const fields = fieldsOf(given);
      const score = Number(fields['score']);
      demand(
        typeof fields['score'] === 'number' &&
          Number.isInteger(score) &&
          score >= 0 &&
          score <= 100,
        "the score isn't a whole number from 0 to 100",
        'Scale it to that range.',
      );
      return send(trackScore, fields, options);
    },

    /** Says which template a logged request came from. */
    prompt: (given: TrackedPrompt, options: CallOptions = {}): Promise<true> => {
      const fields = fieldsOf(given);
      demand(
        isObject(fields['prompt_input_variables']),
        'there are no input variables',
        'Give promptInputVariables, {} if there are none.',
      );
      return send(trackPrompt, fields, options);
    },

    /** Puts a logged request into a group. */
    group: (given: TrackedGroup, options: CallOptions = {}): Promise<true> =>
      send(trackGroup, fieldsOf(given), options),
  };
}

/** What `client.group` and `client.groups` are. */
export type Group = ReturnType<typeof makeGroup>;

/** Groups of logged requests. */
export function makeGroup({ call }: ApiContext, apiKey: string) {
  return {
    /** The id of a new group. */
    create: async (options: CallOptions = {}): Promise<number> =>
      (await call(createGroup, { params: {}, body: { api_key: apiKey } }, options)).id,
  };
}
