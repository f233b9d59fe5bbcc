import { fStringVariables } from './f-string.ts';
import { isMapping } from '../mapping.ts';
import { functionNames } from './jinja/functions.ts';
import { inputVariables } from './jinja/names.ts';
import { parseJinja } from './jinja/parser.ts';
import { NotFaithful } from './python-text.ts';

const jinjaName = /\{\{-?\s*([A-Za-z_]\w*)/g;

const matched = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

function jinjaVariables(text: string): string[] {
  try {
    return inputVariables(parseJinja(text), functionNames);
  } catch (error) {
    if (!(error instanceof NotFaithful) && !(error instanceof RangeError)) throw error;
    return matched(jinjaName, text);
  }
}

/** The names of the variables of a text, in the order in which they first stand in it. */
export const variablesOfText = (text: string, format: unknown): string[] => [
  ...new Set(format === 'jinja2' ? jinjaVariables(text) : fStringVariables(text)),
];

/** The names of the variables of a message or a completion: of texts, media and placeholders. */
export function variablesOf(holder: unknown): string[] {
  if (!isMapping(holder)) return [];
  const format = holder['template_format'];
  const names = new Set<string>();
  if (holder['role'] === 'placeholder' && typeof holder['name'] === 'string') {
    names.add(holder['name']);
  }
  const parts: readonly unknown[] = Array.isArray(holder['content']) ? holder['content'] : [];
  for (const part of parts) {
    if (!isMapping(part)) continue;
    if (typeof part['text'] === 'string') {
      for (const name of variablesOfText(part['text'], format)) names.add(name);
    }
    if (part['type'] === 'media_variable' && typeof part['name'] === 'string') {
      names.add(part['name']);
    }
    if (typeof part['image_variable'] === 'string') names.add(part['image_variable']);
  }
  return [...names];
}
