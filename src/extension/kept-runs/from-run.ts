import * as z from 'zod';
import { Blueprint } from '../shell/choice-schema.ts';
import { Variable } from '../shell/variable-schema.ts';
import { lazy } from '../shell/lazy.ts';

/** A run that a panel is opened with: its variables and result, or to be run once more. */
const FromRun = lazy(() =>
  z.object({
    variables: z.array(Variable),
    record: z.unknown(),
    /** The prompt that ran, when that was not a published one. */
    blueprint: Blueprint.exactOptional(),
    isStarted: z.boolean(),
  }),
);
export type FromRun = Readonly<z.output<ReturnType<typeof FromRun>>>;

/** Of the argument of a run command; undefined when it brings none. */
export function fromRunOf(given: unknown): FromRun | undefined {
  if (typeof given !== 'object' || given === null || !('from' in given)) return undefined;
  return FromRun().safeParse(given.from).data;
}
