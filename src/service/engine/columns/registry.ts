import { absoluteNumericDistance } from './absolute-numeric-distance.ts';
import { aiDataExtraction } from './ai-data-extraction.ts';
import { assertValid } from './assert-valid.ts';
import { coalesce } from './coalesce.ts';
import { codeExecution } from './code-execution.ts';
import type { ColumnKind } from './column-kind.ts';
import { combineColumns } from './combine-columns.ts';
import { contains } from './contains.ts';
import { cosineSimilarity } from './cosine-similarity.ts';
import { conversationSimulator } from './conversation-simulator.ts';
import { count } from './count.ts';
import { endpoint } from './endpoint.ts';
import { human } from './human.ts';
import { llmAssertion } from './llm-assertion.ts';
import { mathOperator } from './math-operator.ts';
import { forLoop, whileLoop } from './loops.ts';
import { mcp } from './mcp.ts';
import { isolated } from './isolated.ts';
import { parseValue } from './parse-value.ts';
import { promptTemplate } from './prompt-template.ts';
import { pureKinds } from './pure-kinds.ts';
import { unsupportedColumn } from './unsupported.ts';
import { variable } from './variable.ts';
import { workflow } from './workflow.ts';

const kinds: ReadonlyMap<string, ColumnKind> = new Map(
  [
    absoluteNumericDistance,
    aiDataExtraction,
    assertValid,
    coalesce,
    codeExecution,
    combineColumns,
    contains,
    conversationSimulator,
    cosineSimilarity,
    count,
    endpoint,
    forLoop,
    human,
    llmAssertion,
    mathOperator,
    mcp,
    parseValue,
    promptTemplate,
    variable,
    whileLoop,
    workflow,
    ...pureKinds.filter(({ type }) => type !== 'STRUCTURE').map(isolated),
  ].map((kind) => [kind.type, kind]),
);

/** A computed column runs per row: not input (TEXT), not a mirror of another column (COMPOSITION). */
export const isComputed = (type: string): boolean =>
  type !== 'TEXT' && type !== 'COMPOSITION' && type !== 'DATASET';

/** A person computes it: its cells wait, stale, until somebody fills them in. No operation runs them. */
export const isManual = (type: string): boolean => type === 'HUMAN';

export const columnKind = (type: string): ColumnKind => kinds.get(type) ?? unsupportedColumn(type);
