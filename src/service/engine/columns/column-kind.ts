import * as z from 'zod';
import { EngineProblem, faultsOf } from '../problem.ts';
import type { Sandbox, RunOptions } from '../../sandbox/sandbox.ts';
import type { Outside } from '../outside.ts';
import type { CallContext, Metered, PromptRunner } from '../prompts.ts';
import type { Json } from './json.ts';
import type { Sources } from './sources.ts';

/** What a computation may use besides its sources. */
export interface Tools extends RunOptions {
  readonly sandbox: Sandbox;
  readonly callContext: CallContext;
  /** Undefined in a process that asks no models. */
  readonly prompts: PromptRunner | undefined;
  /** Undefined in a process that reaches nothing outside. */
  readonly outside: Outside | undefined;
}

export type Compute = (sources: Sources, tools: Tools) => Json | Metered | Promise<Json | Metered>;

/** A column's config, read once and used for every row. */
export interface CompiledColumn {
  /** Slow cells are shown as running and committed as soon as they are done. */
  readonly slow: boolean;
  /**
   * Up to how many characters of sources the computation is quick for certain; larger ones are left
   * to a sandbox process that can be killed. Unset: its cost is linear, whatever it is given.
   */
  readonly quickUpTo?: number | undefined;
  /** Whether it is quick for such sources at all, however short they are. Unset: it is. */
  readonly isQuick?: ((sources: Sources) => boolean) | undefined;
  readonly compute: Compute;
}

export interface ColumnKind {
  readonly type: string;
  /** Throws an EngineProblem that says which field of the config is wrong, with its path in it. */
  compile(config: Json): CompiledColumn;
}

/**
 * `compile` does what is the same for every row (a regular expression, a path) and answers the
 * function that computes one cell; a plain function is quick, `{slow, compute}` is not.
 */
export function defineColumn<Schema extends z.ZodType>(
  type: string,
  schema: Schema,
  compile: (config: z.output<Schema>) => Compute | CompiledColumn,
): ColumnKind {
  return {
    type,
    compile(config) {
      const parsed = schema.safeParse(config);
      if (!parsed.success) {
        throw new EngineProblem('invalid_config', configMessage(type, parsed.error), {
          cause: parsed.error,
          faults: faultsOf(parsed.error),
        });
      }
      const compiled = compile(parsed.data);
      return typeof compiled === 'function' ? { slow: false, compute: compiled } : compiled;
    },
  };
}

function configMessage(type: string, error: z.ZodError): string {
  const faults = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return `The config of a ${type} column is not valid: ${faults.join('; ')}.`;
}

/** A source is the title or the id of a column, or an object that carries one of them. */
export const sourceName = z.union(
  [
    z.string().min(1),
    z.looseObject({ column_id: z.string().min(1) }),
    z.looseObject({ title: z.string().min(1) }),
  ],
  { error: 'name a column by its title or id' },
);

export const sourceNames = (min: number, max?: number): z.ZodType<unknown[]> => {
  const names = z.array(sourceName).min(min, { error: `name at least ${String(min)} column(s)` });
  return max === undefined
    ? names
    : names.max(max, { error: `name at most ${String(max)} columns` });
};

/** Words of an enum are accepted in either case. */
export const word = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  spelling: 'lower' | 'upper' = 'lower',
): z.ZodType<Words[number]> =>
  z.preprocess(
    (sent) =>
      typeof sent !== 'string'
        ? sent
        : spelling === 'lower'
          ? sent.toLowerCase()
          : sent.toUpperCase(),
    z.enum(words),
  );
