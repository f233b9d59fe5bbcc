import * as z from 'zod';
import type { RequestMetrics } from '../../../api/cell.ts';
import { LOOP_NAMES } from '../edges.ts';
import { CellProblem } from '../problem.ts';
import { Metered, MeteredProblem } from '../prompts.ts';
import { totalOf, withCost } from './ask-about.ts';
import { defineColumn, sourceName, word, type Tools } from './column-kind.ts';
import { isolated } from './isolated.ts';
import { jsonPath } from './json-path.ts';
import { isObject, jsonFromText, toJson, type Json } from './json.ts';
import { promptConfig, promptOf } from './prompt-template.ts';
import { Sources } from './sources.ts';
import { workflowConfig, workflowOf } from './workflow-config.ts';

/** A loop costs money with every turn. */
const MOST_TURNS = 1000;
/** Of a WHILE_LOOP that names no limit. */
const USUAL_TURNS = 10;

const loop = {
  loop_type: word(['prompt', 'workflow']),
  prompt_config: promptConfig.nullish(),
  workflow_config: workflowConfig.nullish(),
  max_iterations: z.int().min(1).max(MOST_TURNS).nullish(),
  return_all_outputs: z.boolean().nullish(),
  variable_mappings: z.record(z.string(), sourceName).nullish(),
};

interface LoopConfig {
  readonly loop_type: 'prompt' | 'workflow';
  readonly prompt_config?: unknown;
  readonly workflow_config?: unknown;
}

const hasItsConfig = (given: LoopConfig): boolean =>
  Boolean(given.loop_type === 'prompt' ? given.prompt_config : given.workflow_config);
const itsConfig = {
  error: 'a loop over prompts has prompt_config, one over workflows workflow_config',
};

const forConfig = z
  .looseObject({ ...loop, iterator_source: sourceName.nullish() })
  .refine(hasItsConfig, itsConfig)
  .refine((given) => Boolean(given.iterator_source) !== Boolean(given.max_iterations), {
    error: 'give iterator_source or max_iterations, one of them',
  });

const whileConfig = z
  .looseObject({ ...loop, end_condition_json_path: z.string().min(1).nullish() })
  .refine(hasItsConfig, itsConfig);

type Given = Pick<
  z.output<typeof forConfig>,
  'loop_type' | 'prompt_config' | 'workflow_config' | 'return_all_outputs' | 'variable_mappings'
>;
type Variables = Readonly<Record<string, Json>>;
type Step = (variables: Variables, tools: Tools) => Promise<Json | Metered>;

/** One turn of the loop: a prompt or a workflow. */
function stepOf({
  prompt_config: prompt,
  workflow_config: workflow,
  loop_type: type,
}: Given): Step {
  const asked = type === 'prompt' && prompt ? promptOf(prompt) : undefined;
  const run = type === 'workflow' && workflow ? workflowOf(workflow) : undefined;
  return async (variables, tools) => {
    const { prompts, callContext, signal, onBegin } = tools;
    if (prompts === undefined) {
      throw new CellProblem('not_supported', "This process doesn't run prompts.");
    }
    if (asked) return prompts.run({ ...asked, callContext, variables, signal, onBegin });
    if (run) return prompts.runWorkflow({ tools, workflow: run, variables });
    throw new CellProblem('invalid_config', 'The loop has nothing to run.');
  };
}

/** Variables that stand for what the loop itself knows, by the name that they stand for. */
function loopNamesOf(mappings: Given['variable_mappings']): readonly (readonly [string, string])[] {
  return Object.entries(mappings ?? {}).flatMap(([variable, name]) =>
    typeof name === 'string' && LOOP_NAMES.has(name) ? [[variable, name] as const] : [],
  );
}

interface Turns {
  readonly most: number;
  /** What the turns go through, one each. */
  readonly items?: readonly Json[];
  readonly isOver?: (output: Json, tools: Tools) => Promise<boolean>;
}

/** Runs turn after turn; all that they have cost counts, also when one fails. */
function loopOf(
  given: Given,
): (sources: Sources, tools: Tools, turns: Turns) => Promise<Metered | Json> {
  const step = stepOf(given);
  const names = loopNamesOf(given.variable_mappings);
  return async (sources, tools, { most, items, isOver }) => {
    const mapped = Object.fromEntries(sources.variables('variable_mappings'));
    const outputs: Json[] = [];
    const paid: RequestMetrics[] = [];
    for (let index = 0; index < most; index += 1) {
      tools.signal.throwIfAborted();
      const own: Record<string, Json> = {
        loop_index: index,
        previous_outputs: [...outputs],
        ...(items && { _iterator_item: items[index] ?? null }),
      };
      const renamed = names.map(([variable, name]) => [variable, own[name] ?? null] as const);
      const variables = { ...own, ...mapped, ...Object.fromEntries(renamed) };
      const result = await step(variables, tools).catch((error: unknown) =>
        withCost(inTurn(error, index), paid),
      );
      if (result instanceof Metered) paid.push(result.metrics);
      const output = result instanceof Metered ? result.value : result;
      outputs.push(output);
      if (
        isOver &&
        (await isOver(output, tools).catch((error: unknown) =>
          withCost(inTurn(error, index), paid),
        ))
      )
        break;
    }
    const value: Json = {
      iterations: outputs.length,
      outputs: given.return_all_outputs === true ? outputs : [],
      final_output: outputs.at(-1) ?? null,
    };
    return paid.length === 0 ? value : new Metered(value, totalOf(paid));
  };
}

function inTurn(error: unknown, index: number): unknown {
  if (!(error instanceof CellProblem)) return error;
  const message = `Turn ${String(index + 1)} of the loop failed: ${error.message}`;
  return error instanceof MeteredProblem
    ? new MeteredProblem(message, error.metrics, { cause: error })
    : new CellProblem(error.code, message, { cause: error });
}

function itemsOf(sources: Sources): Json[] {
  const { title, value } = sources.one('iterator_source');
  const list = toJson(value, title);
  if (!Array.isArray(list)) {
    throw new CellProblem('invalid_input', `Column "${title}" does not hold a list to go through.`);
  }
  if (list.length <= MOST_TURNS) return list;
  throw new CellProblem(
    'limit_exceeded',
    `Column "${title}" holds ${String(list.length)} items; a loop has at most ${String(MOST_TURNS)} turns.`,
  );
}

/** A prompt or a workflow, once for each item of a list or so many times. */
export const forLoop = defineColumn('FOR_LOOP', forConfig, (given) => {
  const run = loopOf(given);
  const most = given.max_iterations ?? undefined;
  return {
    slow: true,
    compute: async (sources, tools) => {
      if (most !== undefined) return run(sources, tools, { most });
      const items = itemsOf(sources);
      return run(sources, tools, { most: items.length, items });
    },
  };
});

/** Nothing found, null, false, 0 and the empty text keep a loop going; so does a text "false". */
const isTrue = (found: Json | undefined): boolean =>
  typeof found === 'string' ? !/^(?:false)?$/i.test(found.trim()) : Boolean(found);

function endTest(path: string): (output: Json, tools: Tools) => Promise<boolean> {
  const { compute } = isolated(jsonPath).compile({ source: 'output', json_path: path });
  return async (output, tools) => {
    let json = output;
    if (typeof output === 'string') {
      try {
        json = jsonFromText(output);
      } catch {
        // An answer that is no JSON does not say that the loop is over.
        return false;
      }
    }
    if (!isObject(json) && !Array.isArray(json)) return false;
    const state = { kind: 'value', title: 'output', value: json } as const;
    const source = new Sources([{ configKey: 'source', name: undefined, state }]);
    const found = await compute(source, tools);
    return isTrue(found instanceof Metered ? found.value : found);
  };
}

/** A prompt or a workflow again and again, until its output says that it is done. */
export const whileLoop = defineColumn('WHILE_LOOP', whileConfig, (given) => {
  const run = loopOf(given);
  const path = given.end_condition_json_path ?? undefined;
  const turns: Turns = {
    most: given.max_iterations ?? USUAL_TURNS,
    ...(path !== undefined && { isOver: endTest(path) }),
  };
  return {
    slow: true,
    compute: (sources, tools) => run(sources, tools, turns),
  };
});
