import * as z from 'zod';
import { EngineProblem, messageOf } from '../problem.ts';
import { defineColumn, word } from './column-kind.ts';
import { jsonAsWritten, type Json } from './json.ts';

const config = z.looseObject({
  value: z.looseObject({ type: word(['string', 'json']), value: z.unknown() }),
});

/** The same value in every row. */
export const variable = defineColumn('VARIABLE', config, ({ value: { type, value } }) => {
  const given = (value ?? null) as Json;
  if (type === 'string' || typeof given !== 'string') return () => given;
  try {
    const parsed = jsonAsWritten(given);
    return () => parsed;
  } catch (error) {
    throw new EngineProblem(
      'invalid_config',
      `The config of a VARIABLE column is not valid: value.value: not JSON: ${messageOf(error)}.`,
      {
        cause: error,
        faults: [{ loc: ['value', 'value'], msg: `not JSON: ${messageOf(error)}`, type: 'json' }],
      },
    );
  }
});
