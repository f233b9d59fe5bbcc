import type { Column } from '../../../api/column.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import { inputOf } from '../cells/cell-input.ts';

/** Codicon by column type; types that a newer service adds get the last one. */
const icons: Readonly<Record<string, string>> = {
  TEXT: 'symbol-string',
  PROMPT_TEMPLATE: 'sparkle',
  CODE_EXECUTION: 'code',
  COMPOSITION: 'references',
  COALESCE: 'list-ordered',
  COMBINE_COLUMNS: 'combine',
  COMPARE: 'diff',
  COSINE_SIMILARITY: 'symbol-numeric',
  ABSOLUTE_NUMERIC_DISTANCE: 'symbol-numeric',
  COUNT: 'symbol-numeric',
  MIN_MAX: 'symbol-numeric',
  MATH_OPERATOR: 'symbol-operator',
  ASSERT_VALID: 'pass',
  CONTAINS: 'search',
  REGEX: 'regex',
  REGEX_EXTRACTION: 'regex',
  JSON_PATH: 'json',
  XML_PATH: 'code',
  PARSE_VALUE: 'symbol-structure',
  APPLY_DIFF: 'diff-modified',
  VARIABLE: 'symbol-variable',
  HUMAN: 'person',
  ENDPOINT: 'globe',
  WORKFLOW: 'type-hierarchy',
  MCP: 'plug',
  LLM_ASSERTION: 'beaker',
  AI_DATA_EXTRACTION: 'sparkle',
  CONVERSATION_SIMULATOR: 'comment-discussion',
  CONDITION: 'git-branch',
  FOR_LOOP: 'sync',
  WHILE_LOOP: 'sync',
};
const otherIcon = 'symbol-field';
const systemIcon = 'graph';

const numericTypes = new Set([
  'COUNT',
  'COSINE_SIMILARITY',
  'ABSOLUTE_NUMERIC_DISTANCE',
  'ABSOLUTE_NUMERIC',
]);

const isSystem = (column: Column): boolean =>
  column.is_system === true || column['is_system_column'] === true;

function isNumeric(column: Column): boolean {
  if (isSystem(column) || numericTypes.has(column.type)) return true;
  if (column.type === 'HUMAN') return inputOf(column).kind === 'number';
  return column.type === 'PARSE_VALUE' && column.config?.['type'] === 'number';
}

/** Columns as the grid knows them, in the sheet's order; system columns last. */
export function gridColumnsOf(columns: readonly Column[]): readonly GridColumn[] {
  const titles = new Map(columns.map((column) => [column.id, column.title]));
  const toGrid = (column: Column): GridColumn => {
    const system = isSystem(column);
    const sources = new Set(
      (column.dependencies ?? []).map(({ column_id: id }) => titles.get(id) ?? id),
    );
    return {
      id: column.id,
      title: column.title,
      type: column.type,
      icon: system ? systemIcon : (icons[column.type] ?? otherIcon),
      editable: (column.type === 'TEXT' || column.type === 'HUMAN') && !system,
      computed: column.type !== 'TEXT' && column.type !== 'COMPOSITION' && !system,
      system,
      output: column.is_output_column === true,
      sources: [...sources],
      numeric: isNumeric(column),
      ...(column.type === 'HUMAN' && { input: inputOf(column) }),
    };
  };
  const all = columns.map(toGrid);
  return [...all.filter(({ system }) => !system), ...all.filter(({ system }) => system)];
}

export const hasSameColumns = (one: readonly GridColumn[], other: readonly GridColumn[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
