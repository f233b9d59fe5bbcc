import * as z from 'zod';
import { CellProblem } from '../problem.ts';
import { defineColumn, sourceName } from './column-kind.ts';
import { workflowConfig, workflowOf } from './workflow-config.ts';

const config = workflowConfig.and(
  z.looseObject({ input_mappings: z.record(z.string(), sourceName).nullish() }),
);

/** The result of a workflow whose input variables come from the columns that they are mapped to. */
export const workflow = defineColumn('WORKFLOW', config, (given) => {
  const chosen = workflowOf(given);
  return {
    slow: true,
    compute: (sources, tools) => {
      const { prompts } = tools;
      if (prompts === undefined) {
        throw new CellProblem('not_supported', "This process doesn't run workflows.");
      }
      const variables = Object.fromEntries(sources.variables('input_mappings'));
      return prompts.runWorkflow({ tools, workflow: chosen, variables });
    },
  };
});
