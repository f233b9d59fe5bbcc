import * as z from 'zod';
import { describeError } from '../errors.ts';
import { parseJsonAsWritten, stringifyJson } from '../http/json.ts';
import { withSortedNames } from '../mapping.ts';
import type { SettledOptions } from '../options.ts';
import type { Ending } from '../providers/ending.ts';
import type { ModelCall, Provider } from '../providers/provider.ts';
import type { AnswerStore } from './answer-store.ts';
import type { CallEnvironment } from './provider-context.ts';

/** Raised when entries are of no use to what reads them now. */
const format = 1;

const Entry = z.object({
  format: z.literal(format),
  key: z.string(),
  answered_at: z.iso.datetime(),
  /** Of the response as it is written: what the disk has changed is no answer. */
  sha256: z.string(),
  response: z.unknown(),
});

const encoder = new TextEncoder();

async function hashOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', encoder.encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a model was asked before, and what it has answered. */
export interface KnownAnswer {
  readonly response: unknown;
  /** ISO 8601. */
  readonly answeredAt: string;
}

/** The place of one answer among those that are kept. */
export interface AnswerPlace {
  /** Undefined: there is none that could be used. */
  find(): Promise<KnownAnswer | undefined>;
  /** Keeps an answer that is whole, and nothing else. Never an error: the answer is there already. */
  keep(response: unknown, ending: Ending): Promise<void>;
}

interface Asked {
  readonly provider: Provider;
  readonly call: ModelCall;
  readonly callEnvironment: CallEnvironment;
  /** Answers of the same request that are to be different ones. */
  readonly repetition: number;
}

/**
 * Everything that decides about an answer, and no key of a provider: where it is asked, in which
 * language, for what, with which parameters, tools and schema, and for which time.
 */
async function keyOf({ provider, call, repetition }: Asked, url: string): Promise<string> {
  // User names, passwords and queries may hold keys.
  const { origin, pathname } = new URL(url);
  const { apiType, templateType, model, kwargs, stream } = call;
  const asked = { apiType: apiType ?? null, templateType, model, kwargs, stream, repetition };
  const where = { provider: call.provider, function: provider.functionName, origin, pathname };
  return hashOf(stringifyJson(withSortedNames({ format, ...where, ...asked })));
}

/**
 * Undefined where nothing is kept: of what is no single answer, such as a job that is waited for, or
 * when the request can't even be made, which the run itself will say.
 */
export async function answerPlaceOf(
  store: AnswerStore,
  asked: Asked,
  { clock, logger, redactKnown }: Pick<SettledOptions, 'clock' | 'logger' | 'redactKnown'>,
): Promise<AnswerPlace | undefined> {
  if (asked.provider.streaming === undefined) return undefined;
  let url: string;
  try {
    ({ url } = await asked.provider.prepare(asked.call, asked.callEnvironment.provider));
  } catch {
    // The run itself fails by it, and says so.
    return undefined;
  }
  const key = await keyOf(asked, url);
  return {
    async find() {
      try {
        const read = Entry.safeParse(await store.read(key));
        if (!read.success || read.data.key !== key) return undefined;
        const { response, sha256, answered_at: answeredAt } = read.data;
        return (await hashOf(stringifyJson(response))) === sha256
          ? { response, answeredAt }
          : undefined;
      } catch (error) {
        logger.info(`A kept answer could not be read, so it is asked for. ${describeError(error)}`);
        return undefined;
      }
    },
    async keep(response, ending) {
      // Who doesn't say that it was all may have been cut off.
      if (ending.kind !== 'complete' || ending.reason === undefined) return;
      try {
        const text = stringifyJson(response);
        // A model may say a key that it was shown; it goes no further.
        if (redactKnown(text) !== text) return;
        const answered_at = new Date(clock.now()).toISOString();
        const sha256 = await hashOf(text);
        // As it is read again: a response may still be somebody's.
        await store.write(key, {
          ...{ format, key, answered_at, sha256, response: parseJsonAsWritten(text) },
        });
      } catch (error) {
        logger.warn(`An answer could not be kept. ${describeError(error)}`);
      }
    },
  };
}
