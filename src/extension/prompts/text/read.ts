import { parseJson } from '../../../core/http/json.ts';
import { repeatedKey } from '../../../core/imports/repeated-key.ts';
import type { Mapping } from '../../../core/mapping.ts';
import { isMapping } from '../../../core/mapping.ts';
import type { Translate } from '../../shell/translate.ts';
import type { Block, Line } from './blocks.ts';
import { split, textOf } from './blocks.ts';
import type { PromptDraft } from './draft.ts';
import { completedContent, listOf, metadataOf } from './draft.ts';
import type { Front, FrontReading, Place } from './front-matter.ts';
import { readFront } from './front-matter.ts';
import { setTwice } from './odd-values.ts';
import type { Problem } from './problem.ts';

export const roles: readonly string[] = [
  'system',
  'user',
  'assistant',
  'developer',
  'tool',
  'function',
  'placeholder',
];
const nearlyHeader = new RegExp(`^\\s*={3,4}\\s*(${roles.join('|')}|completion)\\s*:?\\s*$`, 'i');

export const formats: readonly string[] = ['f-string', 'jinja2'];

/** Lines whose variables are filled in. */
export interface TextSpan {
  /** Position of its message, from 0. */
  readonly message: number;
  readonly role: string;
  readonly format: string;
  readonly lines: readonly Line[];
}

export interface Reading {
  /** Undefined when the text is broken in a way that leaves no prompt. */
  readonly draft: PromptDraft | undefined;
  /** What of the head could be read, also of a text that is broken below. */
  readonly front: Front | undefined;
  readonly problems: readonly Problem[];
  readonly spans: readonly TextSpan[];
  readonly blocks: readonly Block[];
  readonly keys: FrontReading['keys'];
  readonly variables: FrontReading['variables'];
  readonly parameters: FrontReading['parameters'];
}

const placeOf = ({ from, text }: Line): Place => ({ from, to: from + Math.max(1, text.length) });

/** Reads the blocks, and collects all that is wrong with them. */
class BlockReader {
  readonly problems: Problem[] = [];
  readonly spans: TextSpan[] = [];
  readonly t: Translate;
  readonly #format: string;

  constructor(format: string, t: Translate) {
    this.#format = format;
    this.t = t;
  }

  complain(place: Place, message: string): void {
    this.problems.push({ ...place, severity: 'error', message });
  }

  /** A header that is spelled otherwise is a text of the message before it. */
  suspect(line: Line): void {
    const [, word] = nearlyHeader.exec(line.text) ?? [];
    if (word === undefined) return;
    this.problems.push({
      ...placeOf(line),
      severity: 'warning',
      message: this.t(
        'This line is text. To begin a message, write: {0}',
        `=== ${word.toLowerCase()}`,
      ),
    });
  }

  #fields({ fields, head }: Block): Mapping {
    if (fields === undefined) return {};
    const place = { from: fields.from, to: head.from + head.text.length };
    const value = this.#json(fields.text, place);
    if (isMapping(value)) return value;
    if (value !== undefined)
      this.complain(place, this.t('The word must be followed by a JSON object.'));
    return {};
  }

  #json(text: string, place: Place): unknown {
    try {
      const value = parseJson(text);
      const key = isMapping(value) || Array.isArray(value) ? repeatedKey(text, value) : undefined;
      if (key !== undefined) this.#twice(place, key);
      return value;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.complain(place, this.t('This is not JSON: {0}', reason));
      return undefined;
    }
  }

  #twice(place: Place, name: string): void {
    this.complain(place, this.t('"{0}" is set twice. Remove one of them.', name));
  }

  #body(block: Block): unknown {
    const [first] = block.lines;
    const last = block.lines.at(-1);
    const place =
      first === undefined || last === undefined
        ? placeOf(block.head)
        : { from: first.from, to: last.from + last.text.length };
    return this.#json(block.lines.map(({ text }) => text).join('\n'), place);
  }

  #part(block: Block, about: Omit<TextSpan, 'lines'>): unknown {
    if (block.word === 'text') {
      this.spans.push({ ...about, lines: block.lines });
      const fields = this.#fields(block);
      for (const name of ['type', 'text'])
        if (fields[name] !== undefined) this.#twice(placeOf(block.head), name);
      return { ...fields, type: 'text', text: textOf(block.lines) };
    }
    const fields = this.#fields(block);
    const body = this.#body(block);
    if (block.word === 'json') return body;
    if (isMapping(body)) {
      const names = ['type', ...Object.keys(fields)];
      for (const name of names)
        if (body[name] !== undefined && body[name] !== block.word)
          this.#twice(placeOf(block.head), name);
      return { ...fields, ...body, type: block.word };
    }
    if (body !== undefined) {
      this.complain(placeOf(block.head), this.t('A part of this type is a JSON object.'));
    }
    return {};
  }

  /** A message or the completion: its header's block and the blocks of its parts. */
  holder(message: number, block: Block, parts: readonly Block[]): Mapping {
    const { content: given, ...fields } = this.#fields(block);
    const own = fields['template_format'];
    const format = typeof own === 'string' ? own : this.#format;
    const about = { message, role: block.word, format };
    const content: unknown[] = [];
    const text = textOf(block.lines);
    if (text !== '') {
      this.spans.push({ ...about, lines: block.lines });
      content.push({ type: 'text', text });
    }
    const calls: Mapping[] = [];
    for (const part of parts) {
      if (part.word === 'tool_calls') calls.push({ tool_calls: this.#body(part) });
      else content.push(this.#part(part, about));
    }
    const [, second] = parts.filter(({ word }) => word === 'tool_calls');
    if (second !== undefined) this.#twice(placeOf(second.head), 'tool_calls');
    if (fields['role'] !== undefined) this.#twice(placeOf(block.head), 'role');
    if (given !== undefined && content.length > 0) {
      this.complain(
        placeOf(block.head),
        this.t('The content is in the header and below it. Remove one of them.'),
      );
    }
    return {
      ...fields,
      ...(given !== undefined && { content: given }),
      ...(content.length > 0 && { content }),
      ...calls[0],
    };
  }

  message(at: number, block: Block, parts: readonly Block[]): unknown {
    if (block.word === 'json') {
      for (const part of parts) {
        this.complain(placeOf(part.head), this.t('A message in JSON has no further parts.'));
      }
      return this.#body(block);
    }
    if (!roles.includes(block.word)) {
      this.complain(
        placeOf(block.head),
        this.t('"{0}" isn\'t a role. Roles: {1}.', block.word, roles.join(', ')),
      );
    }
    const message = {
      role: block.word,
      template_format: this.#format,
      ...this.holder(at, block, parts),
    };
    this.#missing(block, message);
    return message;
  }

  #missing({ word, head }: Block, message: Mapping): void {
    const needs = { placeholder: 'name', function: 'name', tool: 'tool_call_id' } as const;
    const field = Object.hasOwn(needs, word) ? needs[word as keyof typeof needs] : undefined;
    if (field !== undefined && typeof message[field] !== 'string') {
      this.complain(
        placeOf(head),
        this.t(
          'A message of the role {0} needs a field, such as: {1}',
          word,
          `=== ${word} {"${field}": "…"}`,
        ),
      );
    }
    const isSpoken = ['system', 'user', 'developer', 'tool'].includes(word);
    if (isSpoken && (message['content'] ?? undefined) === undefined) {
      this.complain(placeOf(head), this.t('This message has no text. Write it below its header.'));
    }
  }
}

/** A header of a message with the parts that follow it. */
function grouped(blocks: readonly Block[], reader: BlockReader, t: Translate) {
  const groups: { readonly block: Block; readonly parts: Block[] }[] = [];
  for (const block of blocks) {
    if (block.kind === 'message') groups.push({ block, parts: [] });
    else if (groups.length > 0) groups.at(-1)?.parts.push(block);
    else
      reader.complain(placeOf(block.head), t('A part needs a message above it, such as: === user'));
  }
  return groups;
}

function metadataFrom({ model, response_format: format, metadata }: Front): Mapping {
  const parameters = isMapping(model?.['parameters']) ? model['parameters'] : {};
  const whole =
    format === undefined
      ? model
      : { ...model, parameters: { ...parameters, response_format: format } };
  return { ...metadata, ...(whole !== undefined && { model: whole }) };
}

/** A document as a prompt. `writeText` is its inverse. */
export function readText(text: string, t: Translate): Reading {
  const { front: lines, stray, blocks } = split(text);
  const problems: Problem[] = [];
  if (lines === undefined) {
    problems.push({
      from: 0,
      to: 3,
      severity: 'error',
      message: t('A prompt begins with front matter: a line ---, then "prompt: name", then ---.'),
    });
  }
  const conflict = /^(?:<{7} |={7}$|>{7} )/m.exec(text);
  if (conflict !== null) {
    problems.push({
      from: conflict.index,
      to: conflict.index + 7,
      severity: 'error',
      message: t('A conflict of two versions is not resolved yet.'),
    });
  }
  const head = lines === undefined ? undefined : readFront(lines, t);
  const front = head?.front;
  const format = front?.template_format ?? 'f-string';
  const reader = new BlockReader(format, t);
  for (const line of stray) {
    reader.complain(placeOf(line), t('Text needs a header above it, such as: === user'));
  }
  for (const { lines: texts } of blocks) for (const line of texts) reader.suspect(line);
  const groups = grouped(blocks, reader, t);
  const isCompletion = front?.type === 'completion';
  let template: Mapping;
  if (isCompletion) {
    const [first, ...others] = groups;
    for (const { block } of others) {
      reader.complain(placeOf(block.head), t('A completion has one text, below === completion.'));
    }
    if (first !== undefined && first.block.word !== 'completion') {
      reader.complain(
        placeOf(first.block.head),
        t('The text of a completion goes below === completion.'),
      );
    }
    template = {
      content: [],
      ...(first !== undefined && reader.holder(0, first.block, first.parts)),
      type: 'completion',
      template_format: format,
    };
  } else {
    const messages = groups.map(({ block, parts }, at) => reader.message(at, block, parts));
    template = { type: front?.type ?? 'chat', messages };
  }
  for (const { name, key } of setTwice(front ?? {}, ofFront(front ?? {}, template))) {
    const place = head?.keys.get(key) ?? { from: 0, to: 3 };
    reader.complain(place, t('"{0}" is set twice. Remove one of them.', name));
  }
  if (!formats.includes(format)) {
    problems.push({
      ...(head?.keys.get('template_format') ?? { from: 0, to: 3 }),
      severity: 'error',
      message: t('"{0}" isn\'t a template format. Formats: {1}.', format, formats.join(', ')),
    });
  }
  const all = [...problems, ...(head?.problems ?? []), ...reader.problems];
  return {
    draft: front === undefined ? undefined : draftFrom(front, template),
    front,
    problems: all,
    spans: reader.spans,
    blocks,
    keys: head?.keys ?? new Map(),
    variables: head?.variables ?? new Map(),
    parameters: head?.parameters ?? new Map(),
  };
}

function draftFrom(front: Front, template: Mapping): PromptDraft {
  return {
    promptName: front.prompt,
    workspace: front.workspace,
    version: front.version,
    tags: front.tags ?? [],
    metadata: metadataOf(metadataFrom(front)),
    template: completedContent({ ...front.more, ...ofFront(front, template) }),
  };
}

/** The template with what of it stands in the head. */
function ofFront(front: Partial<Front>, template: Mapping): Mapping {
  const { tools, tool_choice: choice, functions, function_call: call } = front;
  return {
    ...template,
    ...(listOf(front.input_variables).length > 0 && { input_variables: front.input_variables }),
    ...(tools !== undefined && { tools }),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(functions !== undefined && { functions }),
    ...(call !== undefined && { function_call: call }),
  };
}
