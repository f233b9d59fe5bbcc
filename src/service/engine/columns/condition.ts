import * as z from 'zod';
import { checkConditionals, conditionsHold, quickConditions } from '../../workflows/conditions.ts';
import { CellProblem, EngineProblem, messageOf } from '../problem.ts';
import { defineColumn } from './column-kind.ts';

/** Each item of a list is compared with the whole of what is looked for. */
const QUICK_CHARACTERS = 2000;

const config = z.looseObject({
  conditionals: z.array(z.looseObject({})).nullish(),
  is_and: z.boolean().nullish(),
});

/** Whether the comparisons of a row hold: all of them or, where is_and is false, one. */
export const condition = defineColumn('CONDITION', config, ({ conditionals, is_and: isAnd }) => {
  if (!conditionals) {
    return () => {
      throw new CellProblem(
        'invalid_config',
        'This CONDITION column compares nothing. Give conditionals: a list of { operator, left_config, right_config }.',
      );
    };
  }
  try {
    checkConditionals(conditionals);
  } catch (error) {
    throw new EngineProblem(
      'invalid_config',
      `The config of a CONDITION column is not valid: ${messageOf(error)}`,
      {
        cause: error,
        faults: [{ loc: ['conditionals'], msg: messageOf(error), type: 'invalid_config' }],
      },
    );
  }
  return {
    slow: false,
    quickUpTo: quickConditions(conditionals) ? QUICK_CHARACTERS : 0,
    compute: (sources) => {
      const values = sources.variables('conditionals');
      return conditionsHold(conditionals, isAnd !== false, (name) => values.get(name));
    },
  };
});
