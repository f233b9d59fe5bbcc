import type { Column } from '../../../api/column.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import type { CellInput } from '../../../protocol/grid-work.ts';
import { ExactNumber } from '../../../api/exact-number.ts';
import { decimalIn, numeralIn } from '../../../core/numeral.ts';
import type { Translate } from '../../shell/translate.ts';
import { isMapping } from '../../../core/mapping.ts';

const optionText = (option: unknown): string[] => {
  if (typeof option === 'string' || typeof option === 'number') return [String(option)];
  if (isMapping(option)) return optionText(option['value'] ?? option['label']);
  return [];
};

/** How people fill in a HUMAN column, read from its configuration. */
export function inputOf({ config }: Pick<Column, 'config'>): CellInput {
  const element = config?.['ui_element'];
  const { type, min, max, options } = isMapping(element) ? element : {};
  const dataType = config?.['data_type'];
  const choices = Array.isArray(options) ? options.flatMap(optionText) : [];
  if (choices.length > 0) return { kind: 'choice', options: choices };
  const isBoolean = [dataType, type].some(
    (word) => typeof word === 'string' && /^(boolean|checkbox|toggle|switch)$/i.test(word),
  );
  if (isBoolean) return { kind: 'choice', options: ['true', 'false'] };
  if (dataType !== 'number') return { kind: 'text' };
  return {
    kind: 'number',
    ...(typeof min === 'number' && { min }),
    ...(typeof max === 'number' && { max }),
  };
}

/** Why a text can not be a cell of the column; undefined when it can. */
export function inputFault(
  { input, title }: GridColumn,
  text: string | null,
  t: Translate,
): string | undefined {
  if (input === undefined || text === null || input.kind === 'text') return undefined;
  if (input.kind === 'choice') {
    return input.options.includes(text)
      ? undefined
      : t('{0} must be one of: {1}.', title, input.options.join(', '));
  }
  const number = decimalIn(text);
  const { min, max } = input;
  if (number === undefined) return t('{0} must be a number, not “{1}”.', title, text.slice(0, 40));
  if (min !== undefined && number.lt(min)) return t('{0} must be at least {1}.', title, min);
  if (max !== undefined && number.gt(max)) return t('{0} must be at most {1}.', title, max);
  return undefined;
}

/** An answer that is emptied is taken back; a text may be empty. */
export const enteredText = ({ input }: GridColumn, text: string | null): string | null =>
  input !== undefined && text === '' ? null : text;

/** The value as the service wants it. */
export function sentValue({ input }: GridColumn, text: string | null): unknown {
  if (text === null || input === undefined) return text;
  if (input.kind === 'number') {
    const number = numeralIn(text);
    return typeof number === 'object' ? new ExactNumber(number.toString()) : (number ?? text);
  }
  const isBoolean = input.kind === 'choice' && input.options.join() === 'true,false';
  return isBoolean ? text === 'true' : text;
}
