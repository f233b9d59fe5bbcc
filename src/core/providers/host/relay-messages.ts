import * as z from 'zod';

/*
 * How a program without models of its own asks one that has them, a line of JSON each. Cells show
 * nothing of an answer before its end, so answers come whole.
 */

/** `ask`: a request by its id, in the words of OpenAI's chat API. `stop`: nobody waits for it any more. */
export const RelayOrder = z.union([
  z.object({ ask: z.string(), body: z.record(z.string(), z.unknown()) }),
  z.object({ stop: z.string() }),
]);
export type RelayOrder = z.output<typeof RelayOrder>;

/** Chunks of a stream of that API, or why there are none. */
export const RelayAnswer = z.union([
  z.object({ chunks: z.array(z.record(z.string(), z.unknown())) }),
  z.object({
    error: z.object({
      message: z.string(),
      hint: z.string().optional(),
      type: z.string().optional(),
    }),
  }),
]);
export type RelayAnswer = z.output<typeof RelayAnswer>;

/** Of an error before anything was sent. */
export const notAsked = 'NOT_ASKED';
