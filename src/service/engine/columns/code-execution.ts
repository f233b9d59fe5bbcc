import * as z from 'zod';
import { CellProblem } from '../problem.ts';
import { defineColumn, word } from './column-kind.ts';

const MAX_CODE = 200_000;

const config = z.looseObject({
  code: z
    .string()
    .min(1)
    .max(MAX_CODE, { error: `at most ${String(MAX_CODE)} characters` }),
  language: word(['JAVASCRIPT', 'PYTHON'], 'upper').nullish(),
});

/** Runs JavaScript or, where it is turned on, Python on `data`, which holds the row's columns by title. */
export const codeExecution = defineColumn('CODE_EXECUTION', config, ({ code, language }) => {
  if (language === 'PYTHON') {
    return {
      slow: true,
      compute: (sources, { outside, ...runOptions }) => {
        if (outside?.runPython !== undefined) {
          return outside.runPython(code, Object.fromEntries(sources.named('code')), runOptions);
        }
        throw new CellProblem(
          'not_supported',
          "Code in Python is turned off, because it can't be kept apart from this machine as well as JavaScript. Start the local service with PROMPT_TABLES_PYTHON=1 (in VS Code: the setting promptTables.localService.python) to allow it, or write the column in JavaScript.",
        );
      },
    };
  }
  return {
    slow: true,
    compute: (sources, tools) =>
      tools.sandbox.runJavaScript(code, Object.fromEntries(sources.named('code')), tools),
  };
});
