import { createHash } from 'node:crypto';
import * as z from 'zod';
import { stringifyJson } from '../../core/http/json.ts';
import { withSortedNames } from '../../core/mapping.ts';
import { Blueprint, Choice, Model } from '../shell/choice-schema.ts';
import { Variable } from '../shell/variable-schema.ts';

/** What a column runs: a version that doesn't change any more, or a text as it stood when it was added. */
export const Source = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('version'),
    promptName: z.string(),
    version: z.int(),
    /** As it was asked for: a label may have moved since. */
    choice: Choice,
  }),
  z.object({
    kind: z.literal('unpublished'),
    promptName: z.string(),
    blueprint: Blueprint,
    /** The document that it was taken from. */
    uri: z.string().exactOptional(),
  }),
]);
export type Source = Readonly<z.output<typeof Source>>;

export const Column = z.object({
  id: z.string(),
  source: Source,
  /** In the place of the one that the prompt names. */
  model: Model.exactOptional(),
  parameters: z.record(z.string(), z.unknown()).exactOptional(),
  /** The model that answers: whose places it takes. */
  provider: z.string(),
  modelName: z.string(),
  /** Everything that it has to be given, and how; their texts are empty. */
  variables: z.array(Variable).readonly(),
});
export type Column = Readonly<z.output<typeof Column>>;

export const Case = z.object({
  id: z.int(),
  title: z.string(),
  values: z.record(z.string(), z.unknown()),
});
export type Case = Readonly<z.output<typeof Case>>;

const Scored = { id: z.string() };
export const Scorer = z.discriminatedUnion('kind', [
  /** With the value that the case has by this name. */
  z.object({ ...Scored, kind: z.literal('equals'), field: z.string() }),
  z.object({ ...Scored, kind: z.literal('contains'), text: z.string() }),
  z.object({ ...Scored, kind: z.literal('regex'), pattern: z.string() }),
  z.object({ ...Scored, kind: z.literal('schema'), schema: z.unknown() }),
  z.object({ ...Scored, kind: z.literal('assertion'), statement: z.string(), model: Model }),
]);
export type Scorer = Readonly<z.output<typeof Scorer>>;

/** What is compared, but for the cases. */
export const Plan = z.object({
  connectionId: z.string(),
  title: z.string(),
  columns: z.array(Column).readonly(),
  scorers: z.array(Scorer).readonly(),
});
export type Plan = Readonly<z.output<typeof Plan>>;

const digest = (value: unknown): string =>
  createHash('sha256')
    .update(stringifyJson(withSortedNames(value)))
    .digest('hex')
    .slice(0, 24);

type Unnamed = Omit<Column, 'id'>;

/**
 * The same prompt, model and parameters have the same id, however they were asked for: by a label or
 * a number, by the model that the prompt names anyway, from a draft or from a file that says the same.
 */
export function columnIdOf({ source, provider, modelName, parameters = {} }: Unnamed): string {
  const asked =
    source.kind === 'version'
      ? [source.promptName, source.version]
      : [source.promptName, source.blueprint];
  return digest([source.kind, asked, provider, modelName, parameters]);
}

/** What two columns of the same prompt have in common, whichever models they are run with. */
export const promptIdOf = ({ source }: Pick<Column, 'source'>): string =>
  source.kind === 'version'
    ? digest([source.promptName, source.version])
    : digest([source.promptName, source.blueprint]);

/** A variable's value: by its name, else without regard to capitals. */
export function valueIn(
  values: Case['values'],
  name: string,
): { readonly value: unknown } | undefined {
  if (Object.hasOwn(values, name)) return { value: values[name] };
  const alike = Object.keys(values).find((key) => key.toLowerCase() === name.toLowerCase());
  return alike === undefined ? undefined : { value: values[alike] };
}

export interface Missing {
  readonly title: string;
  readonly names: readonly string[];
}

/** Cases that lack what some variant has to be given. Without media a prompt can be asked. */
export function missingOf(columns: readonly Column[], cases: readonly Case[]): readonly Missing[] {
  const wanted = new Set(
    columns.flatMap(({ variables }) =>
      variables.filter(({ as }) => as !== 'media').map(({ name }) => name),
    ),
  );
  return cases.flatMap(({ title, values }) => {
    const names = [...wanted].filter((name) => {
      const value = valueIn(values, name)?.value;
      return value === undefined || value === null;
    });
    return names.length === 0 ? [] : [{ title, names }];
  });
}
