import * as z from 'zod';
import { defineColumn, sourceNames } from './column-kind.ts';

/** The first value that is not null; a source that failed or was not computed counts as null. */
export const coalesce = defineColumn(
  'COALESCE',
  z.looseObject({ sources: sourceNames(2) }),
  () => (sources) =>
    sources.manyOrNull('sources').find(({ value }) => value !== null)?.value ?? null,
);
