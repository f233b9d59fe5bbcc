import * as z from 'zod';
import { providerVariableNames } from '../../core/providers/variables.ts';
import type { KeySet } from '../models/window-keys.ts';
import { Problem } from './problem.ts';
import { readBody } from './body.ts';

const LONGEST_VALUE = 20_000;

const Variables = z.partialRecord(
  z.enum(providerVariableNames),
  z.string().min(1).max(LONGEST_VALUE),
);
const Body = z.strictObject({ variables: Variables, restricted: Variables.default({}) });

/** What a window hands over. No value stands in the refusal. */
export async function readWindowKeys(request: Request): Promise<KeySet> {
  const read = Body.safeParse(await readBody(request));
  if (read.success) return read.data;
  throw new Problem(
    422,
    'validation_error',
    'The body must be {"variables": {}} with variables of model providers, such as OPENAI_API_KEY.',
  );
}
