import * as z from 'zod';
import type { ColumnKind, Compute } from '../engine/columns/column-kind.ts';
import { defineColumn, sourceName, word } from '../engine/columns/column-kind.ts';
import { excerpt, isObject, jsonFromText, toJson, type Json } from '../engine/columns/json.ts';
import { isolated } from '../engine/columns/isolated.ts';
import { columnKind } from '../engine/columns/registry.ts';
import { CellProblem } from '../engine/problem.ts';
import { structure } from './structure.ts';
import { toolsOfTrace } from './trace-tools.ts';

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
  if (Array.isArray(value['spans']) || Array.isArray(value['children'])) return toolsOfTrace(value);
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

/** Tools that must be called, in their order. */
type Scenario = readonly string[];

const trajectory = defineColumn(
  'TRAJECTORY',
  z
    .looseObject({
      source: sourceName,
      expected: z.unknown().optional(),
      accepted_scenarios: z.unknown().optional(),
      expected_source: sourceName.nullish(),
      mode: word(['strict', 'non_strict']).nullish(),
    })
    .refine(
      ({ expected, accepted_scenarios: scenarios, expected_source: from }) =>
        (expected ?? scenarios ?? from ?? undefined) !== undefined,
      {
        error:
          'give expected, accepted_scenarios or expected_source: the names of the tools in their order',
      },
    )
    .refine(
      ({ expected, accepted_scenarios: scenarios }) =>
        (expected ?? scenarios ?? undefined) === undefined ||
        (typeof (expected ?? scenarios) !== 'string' &&
          scenariosIn((expected ?? scenarios) as Json) !== undefined),
      { error: 'expected is a list of names of tools, or a list of such lists; [[]] means none' },
    ),
  ({ expected, accepted_scenarios: scenarios, expected_source: from, mode }): Compute => {
    const fixed = (expected ?? scenarios ?? undefined) as Json | undefined;
    const fits = mode === 'strict' ? isSame : isPartOf;
    return (sources) => {
      const called = toolCallsOf(sources.one('source').value).map(({ name }) => name);
      const given =
        fixed ?? (typeof from === 'string' ? sources.one('expected_source').value : null);
      const accepted = scenariosIn(given);
      if (accepted !== undefined) return accepted.some((wanted) => fits(called, wanted));
      throw new CellProblem(
        'invalid_input',
        `${excerpt(given)} does not say which tools are expected. Give a list of their names, or accepted_scenarios with required_tools; [[]] for none.`,
      );
    };
  },
);

/**
 * The scenarios that something spells: names, lists of names, `{ accepted_scenarios }`,
 * `{ required_tools }`, or calls of tools. Undefined where it spells none: that is not "no tools".
 */
function scenariosIn(sent: Json): readonly Scenario[] | undefined {
  const parsed = typeof sent === 'string' ? toJson(sent, 'expected_source') : sent;
  const json = isObject(parsed) ? (parsed['accepted_scenarios'] ?? parsed) : parsed;
  // No scenario at all; that no tool is called is one: `[[]]`.
  if (Array.isArray(json) && json.length === 0) return undefined;
  const single = scenarioIn(json);
  if (single !== undefined) return [single];
  const all = Array.isArray(json) ? json.map(scenarioIn) : [undefined];
  return all.every((one) => one !== undefined) ? all : undefined;
}

function scenarioIn(sent: Json): Scenario | undefined {
  const json = isObject(sent) ? (sent['required_tools'] ?? sent) : sent;
  if (isObject(json)) {
    const called = toolCallsOf(json).map(({ name }) => name);
    return called.length > 0 ? called : undefined;
  }
  if (!Array.isArray(json)) return undefined;
  const found = json.map((item) => {
    if (typeof item === 'string') return item;
    const [call, ...more] = isObject(item) ? toolCallsOf(item) : [];
    return more.length === 0 ? call?.name : undefined;
  });
  return found.every((name) => name !== undefined) ? found : undefined;
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name, at) => name === right[at]);

/** Whether all of `wanted` come in their order, with others in between. None means none. */
function isPartOf(called: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return called.length === 0;
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
