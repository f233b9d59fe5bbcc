import { absoluteNumericDistance } from './absolute-numeric-distance.ts';
import { aiDataExtraction } from './ai-data-extraction.ts';
import { applyDiff } from './apply-diff.ts';
import { assertValid } from './assert-valid.ts';
import { coalesce } from './coalesce.ts';
import { codeExecution } from './code-execution.ts';
import type { ColumnKind } from './column-kind.ts';
import { combineColumns } from './combine-columns.ts';
import { compare } from './compare.ts';
import { condition } from './condition.ts';
import { contains } from './contains.ts';
import { cosineSimilarity } from './cosine-similarity.ts';
import { conversationSimulator } from './conversation-simulator.ts';
import { count } from './count.ts';
import { endpoint } from './endpoint.ts';
import { human } from './human.ts';
import { jsonPath } from './json-path.ts';
import { llmAssertion } from './llm-assertion.ts';
import { mathOperator } from './math-operator.ts';
import { forLoop, whileLoop } from './loops.ts';
import { mcp } from './mcp.ts';
import { minMax } from './min-max.ts';
import { parseValue } from './parse-value.ts';
import { promptTemplate } from './prompt-template.ts';
import { regex, regexExtraction } from './regex.ts';
import { unsupportedColumn } from './unsupported.ts';
import { variable } from './variable.ts';
import { workflow } from './workflow.ts';
import { xmlPath } from './xml-path.ts';

const kinds: ReadonlyMap<string, ColumnKind> = new Map(
  [
    absoluteNumericDistance,
    aiDataExtraction,
    applyDiff,
    assertValid,
    coalesce,
    codeExecution,
    combineColumns,
    compare,
    condition,
    contains,
    conversationSimulator,
    cosineSimilarity,
    count,
    endpoint,
    forLoop,
    human,
    jsonPath,
    llmAssertion,
    mathOperator,
    mcp,
    minMax,
    parseValue,
    promptTemplate,
    regex,
    regexExtraction,
    variable,
    whileLoop,
    workflow,
    xmlPath,
  ].map((kind) => [kind.type, kind]),
);

/** A computed column runs per row: not input (TEXT), not a mirror of another column (COMPOSITION). */
export const isComputed = (type: string): boolean =>
  type !== 'TEXT' && type !== 'COMPOSITION' && type !== 'DATASET';

/** A person computes it: its cells wait, stale, until somebody fills them in. No operation runs them. */
export const isManual = (type: string): boolean => type === 'HUMAN';

export const columnKind = (type: string): ColumnKind => kinds.get(type) ?? unsupportedColumn(type);
