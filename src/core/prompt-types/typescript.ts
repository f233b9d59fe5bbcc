import type { VariableForm } from '../templates/prompt-variables.ts';
import type { Former, MadeModule, PromptType } from './read.ts';
import { order } from './read.ts';
import type { Shape } from './shape.ts';
import { shapeOf } from './shape.ts';

/** Any text as a string of JavaScript and of Python, on one line whatever is in it. */
export const quoted = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('\u0085', '\\u0085');

const variableTypes: Readonly<Record<VariableForm, string>> = {
  text: 'string | number | boolean | object | null',
  list: 'readonly string[]',
  media: 'readonly string[]',
  messages: 'readonly object[]',
  tools: 'readonly object[]',
};

function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case 'unknown':
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return shape.kind;
    case 'integer':
      return 'number';
    case 'literals':
      return [
        ...new Set(
          shape.values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))),
        ),
      ].join(' | ');
    case 'list':
      return `(${typeOf(shape.items)})[]`;
    case 'either':
      return [...new Set(shape.shapes.map((each) => typeOf(each)))].join(' | ');
    case 'object': {
      const fields = shape.fields.map(
        ({ name, shape: field, isNeeded }) =>
          `${quoted(name)}${isNeeded ? '' : '?'}: ${typeOf(field)}`,
      );
      if (shape.isOpen) fields.push('[field: string]: unknown');
      return fields.length === 0 ? '{ [field: string]: never }' : `{ ${fields.join('; ')} }`;
    }
  }
}

function entryOf({ name, variables, labels, output }: PromptType): readonly string[] {
  const given = variables.map(
    ({ name: variable, form, isOptional }) =>
      `${quoted(variable)}${isOptional ? '?' : ''}: ${variableTypes[form]}`,
  );
  const { shape, notes } = output === undefined ? { shape: undefined, notes: [] } : shapeOf(output);
  return [
    `  ${quoted(name)}: {`,
    `    variables: { ${given.length === 0 ? '[variable: string]: never' : given.join('; ')} };`,
    `    labels: ${labels.length === 0 ? 'never' : labels.map(quoted).join(' | ')};`,
    ...notes.map((path) => `    // No type is known for ${quoted(path)} of its output.`),
    `    output: ${shape === undefined ? 'unknown' : typeOf(shape)};`,
    '  };',
  ];
}

const head = `// Made by Prompt Tables of the prompts of a workspace. Changes are lost when it is made again.
/* eslint-disable */

/** The prompts by their names: variables, labels, and structured output of the latest version. */
export interface Prompts {`;

const foot = `}

type Generated = Prompts;
declare global {
  /** Read by \`run\` of the client of Prompt Tables. */
  interface PromptTablesPrompts extends Generated {}
}

export type PromptName = keyof Prompts;
export type PromptVariables<Name extends PromptName> = Prompts[Name]["variables"];
export type PromptLabel<Name extends PromptName> = Prompts[Name]["labels"];
export type PromptOutput<Name extends PromptName> = Prompts[Name]["output"];

type Given<Variables> = Record<string, never> extends Variables
  ? { inputVariables?: Variables }
  : { inputVariables: Variables };
type Typed = "promptName" | "promptReleaseLabel" | "promptVersion" | "inputVariables";
type SnakeCase = "prompt_name" | "prompt_release_label" | "prompt_version" | "input_variables";

/** What a run is given: the name decides the labels and the variables. */
export type PromptRun<Name extends PromptName> = {
  promptName: Name;
  promptReleaseLabel?: PromptLabel<Name>;
  promptVersion?: number;
} & Given<PromptVariables<Name>>;

interface Runs {
  run(options: never): unknown;
}
type Others<Options> = Options extends unknown ? Partial<Omit<Options, Typed | SnakeCase>> : never;
type RunOf<Client extends Runs> = <Name extends PromptName>(
  options: PromptRun<Name> & Others<Parameters<Client["run"]>[0]>,
) => ReturnType<Client["run"]>;

/** The same client, whose \`run\` takes only prompts, labels and variables that there are. */
export function typed<Client extends Runs>(
  client: Client,
): Omit<Client, "run"> & { run: RunOf<Client> };
export function typed(client: unknown): unknown {
  return client;
}
`;

/** The lines of an entry as a file has them, up to the one that ends it. */
function formerEntry(lines: readonly string[], name: string): readonly string[] {
  const begin = lines.indexOf(`  ${quoted(name)}: {`);
  const end = begin < 0 ? -1 : lines.indexOf('  };', begin);
  return end < 0 ? [] : lines.slice(begin, end + 1);
}

/** What a module says of a prompt, and what it would say now. */
export const typescriptEntry = (
  lines: readonly string[],
  prompt: PromptType,
): { readonly former: string; readonly made: string } => ({
  former: formerEntry(lines, prompt.name).join('\n'),
  made: entryOf(prompt).join('\n'),
});

/** A module of TypeScript. The same prompts always make the same text. */
export function typescriptOf(prompts: readonly PromptType[], former?: Former): MadeModule {
  const before = former?.text.split('\n') ?? [];
  const kept = (former?.unread ?? []).map((name) => ({ name, lines: formerEntry(before, name) }));
  const entries = [...prompts.map((each) => ({ name: each.name, lines: entryOf(each) })), ...kept];
  // They come sorted.
  if (kept.length > 0) entries.sort((one, other) => order(one.name, other.name));
  return {
    text: [head, ...entries.flatMap(({ lines }) => lines), foot].join('\n'),
    leftOut: kept.filter(({ lines }) => lines.length === 0).map(({ name }) => name),
  };
}
