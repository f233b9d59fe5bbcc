import * as z from 'zod';
import type { ColumnKind, Compute } from '../engine/columns/column-kind.ts';
import { defineColumn, sourceName } from '../engine/columns/column-kind.ts';
import { isObject, jsonFromText, toJson, type Json } from '../engine/columns/json.ts';
import { isolated } from '../engine/columns/isolated.ts';
import { columnKind } from '../engine/columns/registry.ts';
import { structure } from './structure.ts';

/** A step is a column that is computed for the score alone; these are the kinds that no column has. */
const value = z.looseObject({ source: sourceName });

const columnAggregate = defineColumn(
  'COLUMN_AGGREGATE',
  value,
  (): Compute => (sources) => sources.one('source').value,
);

interface CalledTool {
  readonly name: string;
  /** JSON text, or what stands for it. */
  readonly given: Json;
}

/** The tool calls in a message, a conversation, a blueprint or a list of calls, in their order. */
export function toolCallsOf(sent: Json): CalledTool[] {
  const found: CalledTool[] = [];
  const rest = [sent];
  // Each value is looked at once, without recursion: it may be nested as deeply as it likes.
  while (rest.length > 0) {
    const value = rest.pop() ?? null;
    const call = isObject(value) ? callOf(value) : undefined;
    if (call !== undefined) found.push(call);
    else for (const inner of partsOf(value).toReversed()) rest.push(inner);
  }
  return found;
}

/** Where calls may stand in a value that is none. */
function partsOf(value: Json): readonly Json[] {
  if (typeof value === 'string') {
    const text = value.trim();
    if (!/^[[{]/.test(text)) return [];
    try {
      return [jsonFromText(text)];
    } catch {
      // Text that begins with a bracket and is no JSON calls nothing.
      return [];
    }
  }
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return ['tool_calls', 'messages', 'content', 'prompt_template', 'output'].map(
    (field) => value[field] ?? null,
  );
}

function callOf(value: { readonly [key: string]: Json }): CalledTool | undefined {
  const made = value['function'];
  if (made !== undefined && isObject(made) && typeof made['name'] === 'string') {
    return { name: made['name'], given: made['arguments'] ?? null };
  }
  if (typeof value['name'] === 'string' && 'arguments' in value) {
    return { name: value['name'], given: value['arguments'] ?? null };
  }
  if (value['type'] === 'tool_use' && typeof value['name'] === 'string') {
    return { name: value['name'], given: value['input'] ?? null };
  }
  return undefined;
}

const names = z.array(z.string().min(1));

const maxToolCalls = defineColumn(
  'MAX_TOOL_CALLS',
  z
    .looseObject({
      source: sourceName,
      max_tool_calls: z.int().min(0).nullish(),
      max: z.int().min(0).nullish(),
    })
    .refine((config) => (config.max_tool_calls ?? config.max ?? undefined) !== undefined, {
      error: 'give max_tool_calls',
    }),
  ({ max_tool_calls, max }): Compute => {
    const most = max_tool_calls ?? max ?? 0;
    return (sources) => toolCallsOf(sources.one('source').value).length <= most;
  },
);

const noInvalidToolCalls = defineColumn(
  'NO_INVALID_TOOL_CALLS',
  z.looseObject({ source: sourceName, tool_names: names.nullish() }),
  ({ tool_names: known }): Compute =>
    (sources) =>
      toolCallsOf(sources.one('source').value).every(
        ({ name, given }) => (known?.includes(name) ?? true) && isArguments(given),
      ),
);

function isArguments(given: Json): boolean {
  if (typeof given !== 'string') return given === null || isObject(given);
  if (given.trim() === '') return true;
  try {
    return isObject(jsonFromText(given));
  } catch {
    // A model may write anything; that is what the step is for.
    return false;
  }
}

const toolEvaluator = defineColumn(
  'TOOL_EVALUATOR',
  z
    .looseObject({
      source: sourceName,
      tool_name: z.string().nullish(),
      tool_names: names.nullish(),
    })
    .refine(({ tool_name: one, tool_names: more }) => (one ?? more ?? undefined) !== undefined, {
      error: 'give tool_name or tool_names: the tools that must have been called',
    }),
  ({ tool_name: one, tool_names: more }): Compute => {
    const wanted = [...(typeof one === 'string' ? [one] : []), ...(more ?? [])];
    return (sources) => {
      const called = new Set(toolCallsOf(sources.one('source').value).map(({ name }) => name));
      return wanted.filter((name) => called.has(name)).length / Math.max(1, wanted.length);
    };
  },
);

const trajectory = defineColumn(
  'TRAJECTORY',
  z
    .looseObject({
      source: sourceName,
      expected: names.nullish(),
      expected_source: sourceName.nullish(),
      mode: z.string().nullish(),
    })
    .refine(
      ({ expected, expected_source: from }) => (expected ?? from ?? undefined) !== undefined,
      {
        error: 'give expected or expected_source: the names of the tools in their order',
      },
    ),
  ({ expected, expected_source: from, mode }): Compute =>
    (sources) => {
      const called = toolCallsOf(sources.one('source').value).map(({ name }) => name);
      const wanted =
        expected ??
        (from === null || from === undefined ? [] : namesIn(sources.one('expected_source').value));
      return mode === 'strict' ? isSame(called, wanted) : isPartOf(called, wanted);
    },
);

function namesIn(sent: Json): string[] {
  const parsed = toJson(sent, 'expected_source');
  if (Array.isArray(parsed) && parsed.every((name) => typeof name === 'string')) return parsed;
  return toolCallsOf(parsed).map(({ name }) => name);
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name, at) => name === right[at]);

/** Whether all of `wanted` come in their order, with others in between. */
function isPartOf(called: readonly string[], wanted: readonly string[]): boolean {
  let found = 0;
  for (const name of called) if (name === wanted[found]) found += 1;
  return found === wanted.length;
}

const bounds = z.looseObject({
  min_count: z.number().nullish(),
  max_count: z.number().nullish(),
  min: z.number().nullish(),
  max: z.number().nullish(),
});

/** Counting says nothing about good or bad until there are bounds. */
const boundedCount: ColumnKind = {
  type: 'COUNT',
  compile(config) {
    const { slow, compute } = columnKind('COUNT').compile(config);
    const found = bounds.safeParse(config);
    const { min_count, max_count, min, max } = found.success ? found.data : {};
    const [least, most] = [min_count ?? min ?? undefined, max_count ?? max ?? undefined];
    if (least === undefined && most === undefined) return { slow, compute };
    return {
      slow,
      compute: (sources, tools) => {
        const count = Number(compute(sources, tools));
        return count >= (least ?? 0) && count <= (most ?? Infinity);
      },
    };
  },
};

const own: ReadonlyMap<string, ColumnKind> = new Map(
  [
    columnAggregate,
    isolated(structure),
    maxToolCalls,
    noInvalidToolCalls,
    toolEvaluator,
    trajectory,
    boundedCount,
  ].map((kind) => [kind.type, kind]),
);

const shared = ['CONTAINS', 'REGEX', 'ASSERT_VALID', 'COMPARE', 'LLM_ASSERTION', 'CODE_EXECUTION'];

export const stepTypes: readonly string[] = [...own.keys(), ...shared];

/** Undefined for a type that no step has. */
export const stepKind = (type: string): ColumnKind | undefined =>
  own.get(type) ?? (shared.includes(type) ? columnKind(type) : undefined);

/** Whether its results cost something, so that they are used again while nothing has changed. */
export const isPaid = (type: string): boolean => type === 'LLM_ASSERTION';
