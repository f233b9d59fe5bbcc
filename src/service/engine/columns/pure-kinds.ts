import { applyDiff } from './apply-diff.ts';
import type { ColumnKind } from './column-kind.ts';
import { compare } from './compare.ts';
import { condition } from './condition.ts';
import { jsonPath } from './json-path.ts';
import { minMax } from './min-max.ts';
import { regex, regexExtraction } from './regex.ts';
import { structure } from '../../scorecards/structure.ts';
import { xmlPath } from './xml-path.ts';

/**
 * Kinds that need nothing but their sources, and whose cost some values or configs drive up beyond
 * any bound: those are computed in a sandbox process. See `isolated`.
 */
export const pureKinds: readonly ColumnKind[] = [
  applyDiff,
  compare,
  condition,
  jsonPath,
  minMax,
  regex,
  regexExtraction,
  structure,
  xmlPath,
];
