import * as z from 'zod';
import { ownValue } from './own-value.ts';

/** A known literal, or any other string: what a newer service sends is kept and shown as it is. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** Lowercases a text and replaces other spellings of a known value by the known one. */
export const respell =
  (spellings: Readonly<Record<string, string>>) =>
  (sent: string): string => {
    const lower = sent.toLowerCase();
    return ownValue(spellings, lower) ?? lower;
  };

/** Schema of an open enum. `normalise` maps other spellings of a known value to the known one. */
export function openEnum<const Known extends string>(
  known: readonly Known[],
  normalise: (sent: string) => string = (sent) => sent,
): z.ZodType<Open<Known>, string> & { readonly known: readonly Known[] } {
  const schema = z
    .string()
    .transform((sent): Open<Known> => normalise(sent))
    .meta({ description: `Known values: ${known.join(', ')}. Others are kept.` });
  return Object.assign(schema, { known });
}
