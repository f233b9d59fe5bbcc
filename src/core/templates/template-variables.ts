import { fStringVariables } from './f-string.ts';
import { isMapping } from '../mapping.ts';
import { parseJinja } from './jinja-nodes.ts';
import { NotFaithful } from './python-text.ts';

const jinjaName = /\{\{-?\s*([A-Za-z_]\w*)/g;

const matched = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Names that mean something of their own, the innermost first; never copied, however many there are. */
class Bound {
  readonly #own: Set<string>;
  readonly #outer: Bound | undefined;

  constructor(names: Iterable<string>, outer?: Bound) {
    this.#own = new Set(names);
    this.#outer = outer;
  }

  has(name: string): boolean {
    return this.#own.has(name) || this.#outer?.has(name) === true;
  }

  add(name: string): void {
    this.#own.add(name);
  }
}

/** Names that a Jinja node reads. Methods and filters hang below other nodes and are left out. */
function readNames(node: unknown, bound: Bound, found: Set<string>): void {
  if (Array.isArray(node)) {
    const inner = new Bound([], bound);
    for (const item of node) {
      readNames(item, inner, found);
      if (isNode(item, 'Set')) for (const name of targets(item['assignee'])) inner.add(name);
    }
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if (isNode(node, 'Identifier')) {
    if (!bound.has(String(node['value']))) found.add(String(node['value']));
  } else if (isNode(node, 'MemberExpression')) {
    readNames(node['object'], bound, found);
    if (node['computed'] === true) readNames(node['property'], bound, found);
  } else if (isNode(node, 'FilterExpression')) {
    readNames(node['operand'], bound, found);
    if (isNode(node['filter'], 'CallExpression')) readNames(node['filter']['args'], bound, found);
  } else if (isNode(node, 'TestExpression')) {
    readNames(node['operand'], bound, found);
  } else if (isNode(node, 'For')) {
    readNames(node['iterable'], bound, found);
    const inner = new Bound([...targets(node['loopvar']), 'loop'], bound);
    readNames(node['body'], inner, found);
    readNames(node['defaultBlock'], bound, found);
  } else if (isNode(node, 'Set')) {
    readNames(node['value'], bound, found);
    readNames(node['body'], bound, found);
  } else {
    const { operator: _, ...rest } = node as Readonly<Record<string, unknown>>;
    for (const part of Object.values(rest)) readNames(part, bound, found);
  }
}

interface AnyNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown, type: string): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === type;

const targets = (node: unknown): string[] => {
  if (isNode(node, 'Identifier')) return [String(node['value'])];
  return isNode(node, 'TupleLiteral') && Array.isArray(node['value'])
    ? node['value'].flatMap(targets)
    : [];
};

/** What Jinja itself defines. */
const builtIn = new Bound(['range', 'namespace', 'dict', 'true', 'false', 'none', 'True', 'False']);

function jinjaVariables(text: string): string[] {
  const found = new Set<string>();
  try {
    readNames(parseJinja(text), builtIn, found);
    return [...found];
  } catch (error) {
    if (!(error instanceof NotFaithful)) throw error;
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
