import type { Node, ScalarTag, Tags } from 'yaml';
import { Document, isMap, isScalar, parseDocument, Scalar, visit } from 'yaml';
import * as z from 'zod';
import { ExactNumber } from '../../../api/exact-number.ts';
import { parseJson } from '../../../core/http/json.ts';
import type { Mapping } from '../../../core/mapping.ts';
import { isMapping } from '../../../core/mapping.ts';
import type { Translate } from '../../shell/translate.ts';
import type { Line } from './blocks.ts';
import { isPlain, sturdyJson } from './blocks.ts';
import { pathToOdd, yamlFaults } from './odd-values.ts';
import type { Problem } from './problem.ts';

/** Numbers as JSON has them, digit by digit where a double would lose some. */
const number: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/,
  identify: (value) => value instanceof ExactNumber || Object.is(value, -0),
  resolve: (text) => parseJson(text),
  stringify: ({ value }) => (value instanceof ExactNumber ? value.text : '-0'),
};
const customTags = (tags: Tags): Tags => [number, ...tags];

const object = z.custom<Mapping>(isMapping, 'is not an object');
const names = z.array(z.string());

export const Front = z.strictObject({
  prompt: z.string().min(1).max(512),
  workspace: z.string().exactOptional(),
  version: z.int().positive().exactOptional(),
  type: z.string().exactOptional(),
  template_format: z.string().exactOptional(),
  tags: names.exactOptional(),
  model: object.exactOptional(),
  response_format: object.exactOptional(),
  input_variables: names.exactOptional(),
  tools: z.array(z.unknown()).exactOptional(),
  tool_choice: z.union([z.string(), object]).exactOptional(),
  functions: z.array(z.unknown()).exactOptional(),
  function_call: z.union([z.string(), object]).exactOptional(),
  metadata: object.exactOptional(),
  more: object.exactOptional(),
});
export type Front = z.output<typeof Front>;

export const frontKeys: readonly string[] = Object.keys(Front.shape);

export interface Place {
  readonly from: number;
  readonly to: number;
}

export interface FrontReading {
  readonly front: Front | undefined;
  readonly problems: readonly Problem[];
  /** Where each key of the top stands, without its value. */
  readonly keys: ReadonlyMap<string, Place>;
  /** Where each name in `input_variables` stands. */
  readonly variables: ReadonlyMap<string, Place>;
  /** Where the name of each parameter of the model stands, also inside of others: `a.0.b`. */
  readonly parameters: ReadonlyMap<string, Place>;
}

/** Begins like a word and has nothing in it that YAML gives a meaning; the library looks again. */
const bare = /^[\p{L}\p{N}_][\p{L}\p{N}_ ./@(),+=%$!?;'-]*$/u;

/** How a text is written: several lines as they are, odd characters in quotes. */
function styleOf(text: string): Scalar.Type | undefined {
  const isBlock = /^\S.*\n/.test(text) && isPlain(text) && !/\t|^ +$/m.test(text);
  if (isBlock) return Scalar.BLOCK_LITERAL;
  return bare.test(text) && !text.endsWith(' ') ? undefined : Scalar.QUOTE_DOUBLE;
}

/** How the library reads front matter. */
export const frontOptions = { customTags, version: '1.2', schema: 'core' } as const;

/** Texts of a node as we write them. */
export function styleTexts(node: Node | Document): void {
  visit(node, {
    Scalar(key, scalar) {
      if (typeof scalar.value !== 'string') return;
      const style = styleOf(scalar.value);
      const isKey = key === 'key';
      if (style !== undefined) scalar.type = isKey ? Scalar.QUOTE_DOUBLE : style;
    },
  });
}

/** Nothing is folded: a text in one line stays in one line. */
export const frontText = (document: Document): string =>
  sturdyJson(
    document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: 1e9 }).replace(/\n$/, ''),
  );

export function writeFront(front: Front): string {
  const document = new Document(front, { ...frontOptions, aliasDuplicateObjects: false });
  styleTexts(document);
  return frontText(document);
}

export function readFront(lines: readonly Line[], t: Translate): FrontReading {
  const start = lines[0]?.from ?? 0;
  const text = lines.map((line) => `${line.text}\n`).join('');
  // With Windows line ends, an offset in the joined text is behind by one for each line.
  const starts: number[] = [];
  let joined = 0;
  for (const line of lines) {
    starts.push(joined);
    joined += line.text.length + 1;
  }
  const offset = (at: number): number => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    const line = lines[low];
    return line === undefined || at >= joined
      ? start + text.length
      : line.from + at - (starts[low] ?? 0);
  };
  const place = (from: number, to: number): Place => ({ from: offset(from), to: offset(to) });
  const document = parseDocument(text, {
    ...frontOptions,
    prettyErrors: false,
    // The library compares each key with each one before it.
    uniqueKeys: false,
  });
  const faults = [...document.errors, ...yamlFaults(document)];
  const problems: Problem[] = faults.map(({ message, pos: [from, to] }) => ({
    ...place(from, Math.max(to, from + 1)),
    severity: 'error',
    message: t('The front matter is not YAML: {0}', message),
  }));
  const keys = new Map<string, Place>();
  const variables = new Map<string, Place>();
  const parameters = new Map<string, Place>();
  const none = { front: undefined, problems, keys, variables, parameters };
  if (problems.length > 0) return none;
  const { contents } = document;
  placeNames(document.getIn(['model', 'parameters'], true), [], (path, [from, to]) =>
    parameters.set(path, place(from, to)),
  );
  for (const pair of isMap(contents) ? contents.items : []) {
    const { key, value } = pair;
    if (!isScalar(key) || typeof key.value !== 'string') continue;
    keys.set(key.value, place(key.range[0], key.range[1]));
    if (key.value !== 'input_variables' || !isSequence(value)) continue;
    for (const item of value.items) {
      if (isScalar(item) && typeof item.value === 'string') {
        variables.set(item.value, place(item.range[0], item.range[1]));
      }
    }
  }
  let plain: unknown;
  try {
    plain = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // An alias that leads nowhere, or too many.
    const reason = error instanceof Error ? error.message : String(error);
    problems.push({
      ...place(0, text.length),
      severity: 'error',
      message: t('The front matter is not YAML: {0}', reason),
    });
    return none;
  }
  const odd = pathToOdd(plain);
  if (odd !== undefined) {
    const [key = ''] = odd.split('.');
    problems.push({
      ...(keys.get(key) ?? place(0, 1)),
      severity: 'error',
      message: t('The value of "{0}" isn\'t valid: {1}', odd, "it isn't a JSON value"),
    });
    return none;
  }
  const read = Front.safeParse(withoutNulls(plain));
  if (read.success) return { front: read.data, problems, keys, variables, parameters };
  for (const issue of read.error.issues) {
    const { path, message } = issue;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        problems.push({
          ...(keys.get(key) ?? place(0, 1)),
          severity: 'error',
          message: t('Unknown key "{0}". Known keys: {1}.', key, frontKeys.join(', ')),
        });
      }
      continue;
    }
    const key = String(path[0] ?? 'prompt');
    problems.push({
      ...(keys.get(key) ?? place(0, Math.max(1, lines[0]?.text.length ?? 1))),
      severity: 'error',
      message: keys.has(key)
        ? t('The value of "{0}" isn\'t valid: {1}', path.join('.'), message)
        : t('"{0}" is missing.', key),
    });
  }
  return none;
}

/** Every name below a node of YAML, with the place that it has in the text. */
function placeNames(
  node: unknown,
  path: readonly string[],
  tell: (path: string, range: readonly [number, number]) => void,
): void {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (!isScalar(key) || !key.range) continue;
      const own = [...path, String(key.value)];
      tell(own.join('.'), [key.range[0], key.range[1]]);
      placeNames(value, own, tell);
    }
  } else if (isSequence(node)) {
    node.items.forEach((item, at) => placeNames(item, [...path, String(at)], tell));
  }
}

/** `tags:` without a value is as good as none. */
const withoutNulls = (value: unknown): unknown =>
  isMapping(value)
    ? Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))
    : value;

const isSequence = (value: unknown): value is { readonly items: readonly unknown[] } =>
  typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items);
