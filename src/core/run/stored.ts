/** What runs of prompts are given whose types a program has: their names decide labels and variables. */
import type { EitherSpelling } from '../spelling.ts';
import type { RunFields, RunOptions } from './options.ts';

declare global {
  /**
   * Types of stored prompts by their names. Modules that `prompt-tables-types` generates add theirs:
   * `{ variables, labels, output }` for each.
   */
  interface PromptTablesPrompts {
    /** No name of a prompt: without any an interface must have something. */
    readonly [Symbol.species]?: never;
  }
}

type StoredName = Extract<keyof PromptTablesPrompts, string>;

type FieldOf<Name extends StoredName, Field extends string> =
  PromptTablesPrompts[Name] extends Readonly<Record<Field, infer Value>> ? Value : never;

/** Variables that may all be left out may be left out as a whole. */
type VariablesField<Variables> =
  Record<string, never> extends Variables
    ? { readonly inputVariables?: Variables | undefined }
    : { readonly inputVariables: Variables };

type OwnFields = 'promptName' | 'promptReleaseLabel' | 'promptBlueprint' | 'inputVariables';

type StoredFields<Name extends StoredName> = Omit<RunFields, OwnFields> & {
  readonly promptName: Name;
  readonly promptReleaseLabel?: FieldOf<Name, 'labels'> | undefined;
} & VariablesField<FieldOf<Name, 'variables'>>;

interface Streamed {
  readonly stream?: boolean | undefined;
}

type OptionsOf<Name extends string> = Name extends StoredName
  ? EitherSpelling<StoredFields<Name>> & Streamed
  : RunOptions;

/** A name without types, or one that is only known when the program runs, is given anything. */
export type AnyName = Extract<keyof PromptTablesPrompts | (string & {}), string>;

/** Options of a run of a stored prompt, checked as far as its types are known. */
export type StoredRunOptions<Name extends AnyName> = EitherSpelling<{ readonly promptName: Name }> &
  OptionsOf<Name>;

/** The prompt that stands in the options decides what it takes, whatever it is called. */
export type InlineRunOptions = RunOptions &
  EitherSpelling<Required<Pick<RunFields, 'promptBlueprint'>>>;
