import * as z from 'zod';
import { defineColumn, sourceNames } from './column-kind.ts';

/** An object that holds each source under its title. */
export const combineColumns = defineColumn(
  'COMBINE_COLUMNS',
  z.looseObject({ sources: sourceNames(1) }),
  () => (sources) =>
    Object.fromEntries(sources.many('sources').map(({ title, value }) => [title, value])),
);
