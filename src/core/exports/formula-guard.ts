/**
 * Begins as a formula does, in ASCII or in full width; a line break or tab may hide the sign. What is
 * guarded already is guarded once more, so that taking one guard off gives the text.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Makes text harmless in a spreadsheet. Numbers stay as they are, negative ones too. */
export const guardFormula = (text: string): string =>
  FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;

/** The text that was guarded; every other text as it is. */
export const unguardFormula = (text: string): string =>
  text.startsWith("'") && guardFormula(text.slice(1)) === text ? text.slice(1) : text;
