import * as z from 'zod';
import { defineColumn, sourceNames } from './column-kind.ts';
import { decimalToJson, toDecimal } from './decimal.ts';
import { pair } from './pair.ts';

/** How far two numbers are apart, exactly. */
export const absoluteNumericDistance = defineColumn(
  'ABSOLUTE_NUMERIC_DISTANCE',
  z.looseObject({ sources: sourceNames(2, 2) }),
  () => (sources) => {
    const [left, right] = pair(sources.many('sources'));
    const distance = toDecimal(left.value, left.title).minus(toDecimal(right.value, right.title));
    return decimalToJson(distance.abs());
  },
);
