/** Checks of what panels that run something have in common. */
import { variableForms, variableKinds } from '../../protocol/run.ts';
import { isPlain, listOf, number, oneOf, optional, shape, text, type Check } from './checks.ts';

export const choice: Check = (value) =>
  isPlain(value) &&
  (value['kind'] === 'latest' ||
    (value['kind'] === 'version' && number(value['version'])) ||
    (value['kind'] === 'label' && text(value['label'])));
export const problem = shape({ message: text, hint: optional(text), variable: optional(text) });
export const runVariables = listOf(
  shape({
    name: text,
    kind: oneOf(variableKinds),
    text,
    as: optional(oneOf(variableForms)),
    type: optional(text),
  }),
);
