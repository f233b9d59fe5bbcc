import { ownValue } from '../../../api/own-value.ts';
import { refuse } from '../python-text.ts';
import type { Filter } from './env.ts';
import { listFilters } from './filters-list.ts';
import { numberFilters } from './filters-number.ts';
import { textFilters } from './filters-text.ts';
import { isTrue } from './values.ts';

/** The only filter that looks at whether there is a value at all. */
const fallback: Filter = (_env, value, given) => {
  const parameters = given.read('default', ['default_value', 'boolean']);
  const isMissing =
    value === undefined || (isTrue(parameters.get('boolean', false)) && !isTrue(value));
  return isMissing ? parameters.get('default_value', '') : value;
};

const filters: Readonly<Record<string, Filter>> = {
  ...textFilters,
  ...numberFilters,
  ...listFilters,
  default: fallback,
};
const otherNames: Readonly<Record<string, string>> = { d: 'default', e: 'escape', count: 'length' };

export const filterNamed = (name: string): Filter =>
  ownValue(filters, ownValue(otherNames, name) ?? name) ?? refuse(`the filter ${name}`);
