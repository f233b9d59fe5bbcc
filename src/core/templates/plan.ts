import type { Template } from '../../api/template.ts';
import type { Render } from './f-string.ts';
import { compileFString } from './f-string.ts';
import { compileJinja } from './jinja.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { NotFaithful } from './python-text.ts';

/** Makes a rendered value; undefined where nothing depends on variables. */
type Piece = ((variables: Mapping) => unknown) | undefined;
type CompileText = (source: string) => Render | undefined;

/** Renders a template without asking the service. */
export interface Plan {
  /** Undefined when only the service can render it with these variables. */
  render(variables: Mapping | undefined): Template | undefined;
}

function compilerOf(format: unknown): CompileText {
  if (format === undefined || format === null || format === 'f-string') return compileFString;
  if (format === 'jinja2') return compileJinja;
  throw new NotFaithful('The format of the template is not known here.');
}

const snippet = '@@@';
const jinjaMark = /\{\{|\{%|\{#/;

/** Types of parts, messages and tools that the service replaces by something else. */
const expanded = new Set(['media_variable', 'enum_variable', 'registry', 'variable']);

/** Throws for what the service would expand or render and this plan does not. */
function refuseExpansion(value: unknown, isTemplateText: (text: string) => boolean): void {
  if (typeof value === 'string') {
    if (value.includes(snippet) || isTemplateText(value)) {
      throw new NotFaithful('Text outside the messages has variables.');
    }
  } else if (Array.isArray(value)) {
    for (const item of value) refuseExpansion(item, isTemplateText);
  } else if (isMapping(value)) {
    if (expanded.has(String(value['type'])) || value['role'] === 'placeholder') {
      throw new NotFaithful('The template has a part that the service fills in.');
    }
    if (value['image_variable'] !== undefined && value['image_variable'] !== null) {
      throw new NotFaithful('The template has an image variable.');
    }
    for (const item of Object.values(value)) refuseExpansion(item, isTemplateText);
  }
}

/** Walks a value: the texts at some places are compiled, all others must not need it. */
class Compiler {
  readonly #compile: CompileText;
  readonly #isTemplateText: (text: string) => boolean;

  constructor(format: unknown) {
    this.#compile = compilerOf(format);
    this.#isTemplateText =
      format === 'jinja2'
        ? (text) => jinjaMark.test(text)
        : (text) => jinjaMark.test(text) || compileFString(text) !== undefined;
  }

  readonly text = (value: unknown): Piece => {
    if (typeof value !== 'string') return this.fixed(value);
    if (value.includes(snippet)) throw new NotFaithful('A snippet is left.');
    return this.#compile(value);
  };

  readonly fixed = (value: unknown): Piece => {
    refuseExpansion(value, this.#isTemplateText);
    return undefined;
  };

  list =
    (each: (item: unknown) => Piece) =>
    (value: unknown): Piece => {
      if (!Array.isArray(value)) return this.fixed(value);
      const pieces = value.map(each);
      if (pieces.every((piece) => piece === undefined)) return undefined;
      return (variables) =>
        Object.freeze(
          pieces.map(
            (piece, at) => (piece === undefined ? value[at] : piece(variables)) as unknown,
          ),
        );
    };

  fields =
    (places: Readonly<Record<string, (value: unknown) => Piece>>) =>
    (value: unknown): Piece => {
      if (!isMapping(value)) return this.fixed(value);
      const rest = Object.fromEntries(
        Object.entries(value).filter(([name]) => !Object.hasOwn(places, name)),
      );
      this.fixed(rest);
      const pieces = Object.entries(places).flatMap(([name, place]) => {
        const piece = Object.hasOwn(value, name) ? place(value[name]) : undefined;
        return piece === undefined ? [] : [{ name, piece }];
      });
      if (pieces.length === 0) return undefined;
      return (variables) => {
        const copy: Record<string, unknown> = { ...value };
        for (const { name, piece } of pieces) copy[name] = piece(variables);
        return Object.freeze(copy);
      };
    };

  part =
    (...types: readonly unknown[]) =>
    (value: unknown): Piece =>
      isMapping(value) && types.includes(value['type'])
        ? this.fields({ text: this.text })(value)
        : this.fixed(value);
}

const parts = (compiler: Compiler) => compiler.list(compiler.part('text'));

function compileMessages(messages: unknown): {
  readonly piece: Piece;
  readonly formats: unknown[];
} {
  const formats: unknown[] = [];
  const each = (message: unknown): Piece => {
    const format = isMapping(message) ? (message['template_format'] ?? 'f-string') : 'f-string';
    formats.push(format);
    const compiler = new Compiler(format);
    return compiler.fields({ content: parts(compiler) })(message);
  };
  return { piece: new Compiler('f-string').list(each)(messages), formats };
}

function compilePrompt(prompt: Mapping): { readonly piece: Piece; readonly formats: unknown[] } {
  if (prompt['type'] === 'completion') {
    const format = prompt['template_format'] ?? 'f-string';
    const compiler = new Compiler(format);
    return { piece: compiler.fields({ content: parts(compiler) })(prompt), formats: [format] };
  }
  if (prompt['type'] !== 'chat') throw new NotFaithful('The type of the template is not known.');
  const messages = compileMessages(prompt['messages']);
  const outer = new Compiler('f-string').fields({ messages: () => messages.piece })(prompt);
  return { piece: outer, formats: messages.formats };
}

/** The places of provider arguments that hold texts of the template, per provider family. */
function compileArguments(args: unknown, formats: readonly unknown[]): Piece {
  if (args === undefined || args === null) return undefined;
  const [format = 'f-string'] = formats;
  const compiler = new Compiler(format);
  // Which argument came from which message is not said, so they must all be of one format.
  if (formats.some((other) => other !== format)) {
    throw new NotFaithful('Messages of different formats.');
  }
  const { text, list, fields } = compiler;
  const content = (value: unknown): Piece =>
    typeof value === 'string' ? text(value) : list(compiler.part('text', 'input_text'))(value);
  const textParts = fields({ parts: list(fields({ text })) });
  const message = fields({ content });
  const system = (value: unknown): Piece =>
    Array.isArray(value) ? list(fields({ text }))(value) : text(value);
  const instruction = (value: unknown): Piece =>
    Array.isArray(value) ? list(fields({ text }))(value) : textParts(value);
  return fields({
    messages: list(message),
    input: list(message),
    system,
    contents: list(textParts),
    history: list(textParts),
    system_instruction: instruction,
    generation_config: fields({ system_instruction: instruction }),
    prompt: text,
  })(args);
}

/**
 * Throws NotFaithful for a template that only the service can render. The template is unrendered
 * and frozen; what a plan gives shares all that no variable changes.
 */
export function makePlan(template: Template): Plan {
  const prompt = compilePrompt(template.prompt_template);
  const args = compileArguments(template.llm_kwargs, prompt.formats);
  const { metadata } = template;
  refuseExpansion(metadata, (text) => jinjaMark.test(text));
  if (prompt.piece === undefined && args === undefined) return { render: () => template };
  const hasArguments = template.llm_kwargs !== undefined && template.llm_kwargs !== null;
  return {
    render: (variables) => {
      if (variables === undefined && !hasArguments) return template;
      const given = variables ?? {};
      try {
        return Object.freeze({
          ...template,
          ...(prompt.piece && {
            prompt_template: prompt.piece(given) as Template['prompt_template'],
          }),
          ...(args && { llm_kwargs: args(given) as Template['llm_kwargs'] }),
        });
      } catch (error) {
        // A RangeError is a value that holds itself, or is nested beyond measure.
        if (error instanceof NotFaithful || error instanceof RangeError) return undefined;
        throw error;
      }
    },
  };
}

/** The same, or undefined for a template that only the service can render. */
export function planOf(template: Template): Plan | undefined {
  try {
    return makePlan(template);
  } catch (error) {
    if (error instanceof NotFaithful) return undefined;
    throw error;
  }
}
