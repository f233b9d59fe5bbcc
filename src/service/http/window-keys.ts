import * as z from 'zod';
import { providerVariableNames } from '../../core/providers/variables.ts';
import { RelayAnswer } from '../../core/providers/host/relay-messages.ts';
import { Problem } from './problem.ts';
import { readBody } from './body.ts';

const LONGEST_VALUE = 20_000;

const Variables = z.partialRecord(
  z.enum(providerVariableNames),
  z.string().min(1).max(LONGEST_VALUE),
);
const MOST_REQUESTS = 16;
const Body = z.strictObject({
  variables: Variables,
  restricted: Variables.default({}),
  /** Requests of cells to language models of its VS Code at the same time. */
  modelRequests: z.int().min(0).max(MOST_REQUESTS).default(0),
  /** The same each time that a window takes hold. */
  window: z.uuid().optional(),
});

/** What a window hands over. No value stands in the refusal. */
export async function readWindowKeys(request: Request): Promise<z.output<typeof Body>> {
  const read = Body.safeParse(await readBody(request));
  if (read.success) return read.data;
  throw new Problem(
    422,
    'validation_error',
    'The body must be {"variables": {}} with variables of model providers, such as OPENAI_API_KEY.',
  );
}

/** What a window has got from one of its language models. */
export async function readWindowAnswer(request: Request): Promise<RelayAnswer> {
  const read = RelayAnswer.safeParse(await readBody(request));
  if (read.success) return read.data;
  throw new Problem(422, 'validation_error', 'The body must be {"chunks": []} or {"error": {}}.');
}
