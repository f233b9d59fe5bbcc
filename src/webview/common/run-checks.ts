/** Checks of what panels that run something have in common. */
import type { PromptChoice, RunProblem, RunVariable } from '../../protocol/run.ts';
import { variableForms, variableKinds } from '../../protocol/run.ts';
import { anyOf, listOf, number, oneOf, optional, shape, text, type Check } from './checks.ts';

export const choice: Check<PromptChoice> = anyOf(
  shape({ kind: oneOf(['latest']) }),
  shape({ kind: oneOf(['version']), version: number }),
  shape({ kind: oneOf(['label']), label: text }),
);
export const problem: Check<RunProblem> = shape({
  message: text,
  hint: optional(text),
  variable: optional(text),
});
export const runVariables: Check<readonly RunVariable[]> = listOf(
  shape({
    name: text,
    kind: oneOf(variableKinds),
    text,
    as: optional(oneOf(variableForms)),
    type: optional(text),
  }),
);
