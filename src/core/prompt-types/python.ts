import type { VariableForm } from '../templates/prompt-variables.ts';
import type { Former, MadeModule, PromptType } from './read.ts';
import { order } from './read.ts';
import type { Shape } from './shape.ts';
import { shapeOf } from './shape.ts';
import { quoted } from './typescript.ts';

const variableTypes: Readonly<Record<VariableForm, string>> = {
  text: 'Any',
  list: 'Sequence[str]',
  media: 'Sequence[str]',
  messages: 'Sequence[Mapping[str, Any]]',
  tools: 'Sequence[Mapping[str, Any]]',
};

const literalOf = (value: string | number | boolean | null): string => {
  if (value === null) return 'None';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
};

/** Writes classes one after the other, each before it is used. */
class PythonWriter {
  readonly lines: string[] = [];
  readonly #names = new Set<string>();

  /** A name that nothing else has. Names that come out the same get a number. */
  nameFor(prompt: string, suffix: string): string {
    const words = prompt.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const joined = words.map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`).join('');
    const stem = `${/^[A-Z]/.test(joined) ? '' : 'Prompt'}${joined}${suffix}`;
    let name = stem;
    for (let number = 2; this.#names.has(name); number += 1) name = `${stem}${String(number)}`;
    this.#names.add(name);
    return name;
  }

  /** Names that lines of before have. */
  reserve(lines: readonly string[]): void {
    for (const text of lines) {
      const [, name] = /^(\w+) = /.exec(text) ?? [];
      if (name !== undefined) this.#names.add(name);
    }
  }

  former({ types, overload }: FormerPrompt): readonly string[] {
    this.lines.push('', ...types);
    return overload;
  }

  dict(name: string, fields: readonly string[]): void {
    this.lines.push(
      `${name} = TypedDict(${quoted(name)}, {`,
      ...fields.map((field) => `    ${field},`),
      '})',
    );
  }

  typeOf(shape: Shape, prompt: string): string {
    switch (shape.kind) {
      case 'unknown':
        return 'Any';
      case 'string':
        return 'str';
      case 'number':
        return 'float';
      case 'integer':
        return 'int';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'literals': {
        // Literals of Python are no fractions.
        const isExact = shape.values.every(
          (value) => typeof value !== 'number' || Number.isSafeInteger(value),
        );
        const values = [...new Set(shape.values.map(literalOf))];
        return isExact ? `Literal[${values.join(', ')}]` : 'Any';
      }
      case 'list':
        return `List[${this.typeOf(shape.items, prompt)}]`;
      case 'either':
        return `Union[${[...new Set(shape.shapes.map((each) => this.typeOf(each, prompt)))].join(', ')}]`;
      case 'object': {
        if (shape.fields.length === 0) return 'Dict[str, Any]';
        const fields = shape.fields.map(({ name, shape: field, isNeeded }) => {
          const type = this.typeOf(field, prompt);
          return `${quoted(name)}: ${isNeeded ? type : `NotRequired[${type}]`}`;
        });
        const name = this.nameFor(prompt, 'Output');
        this.dict(name, fields);
        return name;
      }
    }
  }

  prompt({ name, variables, labels, output }: PromptType): readonly string[] {
    this.lines.push('', `# ${quoted(name)}`);
    const given = this.nameFor(name, 'Variables');
    this.dict(
      given,
      variables.map(({ name: variable, form, isOptional }) => {
        const type = variableTypes[form];
        return `${quoted(variable)}: ${isOptional ? `NotRequired[${type}]` : type}`;
      }),
    );
    if (output !== undefined) {
      const { shape, notes } = shapeOf(output);
      for (const path of notes)
        this.lines.push(`# No type is known for ${quoted(path)} of its output.`);
      const type = this.typeOf(shape, name);
      this.lines.push(`${this.nameFor(name, 'Answer')} = ${type}`);
    }
    const isOptional = variables.every((variable) => variable.isOptional);
    return [
      '@overload',
      'def run(',
      '    client: Any,',
      `    prompt_name: Literal[${quoted(name)}],`,
      '    *,',
      `    input_variables: ${isOptional ? `Optional[${given}] = None` : given},`,
      ...(labels.length === 0
        ? ['    prompt_release_label: None = None,']
        : [
            `    prompt_release_label: Optional[Literal[${labels.map(quoted).join(', ')}]] = None,`,
          ]),
      '    prompt_version: Optional[int] = None,',
      '    **options: Any,',
      ') -> Any: ...',
    ];
  }
}

const head = `# Made by Prompt Tables of the prompts of a workspace. Changes are lost when it is made again.
# Python 3.11 or later. fmt: off
from typing import (  # noqa: F401
    Any, Dict, List, Literal, Mapping, NotRequired, Optional, Sequence, TypedDict, Union, overload,
)
`;

const foot = `
def run(client: Any, prompt_name: str, **options: Any) -> Any:
    """Runs a prompt with a client of PromptLayer: only prompts, labels and variables that there are."""
    return client.run(prompt_name=prompt_name, **options)
`;

/** Overloads need at least two: one that nobody can call is the second of one. */
const never = `
@overload
def run(client: Any, prompt_name: Literal[""], *, nothing: None) -> Any: ...`;

interface FormerPrompt {
  readonly name: string;
  readonly types: readonly string[];
  readonly overload: readonly string[];
}

/** What a file says of a prompt; undefined: nothing, or not as it is written here. */
function formerPrompt(lines: readonly string[], name: string): FormerPrompt | undefined {
  const begin = lines.indexOf(`# ${quoted(name)}`);
  const at = lines.indexOf(`    prompt_name: Literal[${quoted(name)}],`) - 3;
  const last = lines.indexOf(') -> Any: ...', Math.max(at, 0));
  if (begin < 0 || lines[at] !== '@overload' || last < 0) return undefined;
  const types = lines.slice(begin, lines.indexOf('', begin));
  return { name, types, overload: lines.slice(at, last + 1) };
}

/** Names of types have numbers where those of several prompts are alike: of one prompt alone they count from its own. */
function withOwnNames({ types, overload }: Pick<FormerPrompt, 'types' | 'overload'>): string {
  const text = [...types, ...overload].join('\n');
  const declared = [...text.matchAll(/^(\w+) = /gm)].map(([, name]) => name);
  return text.replace(/\w+/g, (word) => {
    const at = declared.indexOf(word);
    return at < 0 ? word : `type ${String(at)}`;
  });
}

/** What a module says of a prompt, and what it would say now. */
export function pythonEntry(
  lines: readonly string[],
  prompt: PromptType,
): { readonly former: string; readonly made: string } {
  const former = formerPrompt(lines, prompt.name);
  const writer = new PythonWriter();
  const overload = writer.prompt(prompt);
  return {
    former: former === undefined ? '' : withOwnNames(former),
    made: withOwnNames({ types: writer.lines.slice(1), overload }),
  };
}

/** A module of Python. The same prompts always make the same text. */
export function pythonOf(prompts: readonly PromptType[], former?: Former): MadeModule {
  const writer = new PythonWriter();
  const before = former?.text.split('\n') ?? [];
  const unread = former?.unread ?? [];
  const kept = unread
    .map((name) => formerPrompt(before, name))
    .filter((each) => each !== undefined);
  for (const { types } of kept) writer.reserve(types);
  const all = [...prompts, ...kept];
  // They come sorted.
  if (kept.length > 0) all.sort((one, other) => order(one.name, other.name));
  const overloads = all.flatMap((each) => [
    '',
    ...('types' in each ? writer.former(each) : writer.prompt(each)),
  ]);
  const isOne = all.length === 1;
  return {
    text: [head, ...writer.lines, '', ...overloads, ...(isOne ? [never] : []), foot].join('\n'),
    leftOut: unread.filter((name) => kept.every((each) => each.name !== name)),
  };
}
