/**
 * Checks what the extension sends: enough of its shape that nothing here can trip over it. The
 * full truth of the values is the extension's business.
 */
import {
  cellKinds,
  gridCommands,
  pageSize,
  type CellDetail,
  type GridPage,
  type GridSheet,
  type ViewEvents,
  type ViewRequests,
} from '../../protocol/grid.ts';
import { logCommands } from '../../protocol/request-log.ts';
import { MisfitError } from './misfit.ts';
import { cellInput, rowsView } from './work-guards.ts';
import {
  flag,
  isPlain,
  listOf,
  nullable,
  number,
  oneOf,
  optional,
  recordOf,
  shape,
  text,
  whole,
  type Check,
  type Shape,
} from '../common/checks.ts';
import { t } from '../common/language.ts';

/** Names the first field that does not fit, for the log. */
function misfit(fields: Shape, value: unknown): string | undefined {
  if (!isPlain(value)) return t('not an object');
  return Object.entries(fields).find(([name, check]) => !check(value[name]))?.[0];
}

const column = shape({
  id: text,
  title: text,
  type: text,
  icon: text,
  editable: flag,
  computed: flag,
  system: flag,
  output: flag,
  sources: listOf(text),
  numeric: flag,
  input: optional(cellInput),
});
const layout = shape({
  widths: recordOf(number),
  hidden: listOf(text),
  pinned: listOf(text),
  order: listOf(text),
});
const operation = shape({
  operationId: text,
  status: text,
  total: number,
  completed: number,
  failed: number,
  pending: number,
  finished: flag,
});
const totals = shape({
  metric: text,
  label: text,
  count: number,
  sum: number,
  average: nullable(number),
  min: nullable(number),
  max: nullable(number),
  loaded: optional(
    shape({ rows: number, median: nullable(number), p95: nullable(number), negative: number }),
  ),
});
const unsaved = shape({
  columnId: text,
  rowIndex: whole,
  text: nullable(text),
  state: oneOf(['sending', 'waiting', 'conflict', 'refused']),
  message: optional(text),
  current: optional(text),
});

const counts = shape({ sending: whole, waiting: whole, conflict: whole, refused: whole });
const savingFields: Shape = { title: text, message: text, percent: optional(number) };
const draft = shape({
  columnId: text,
  rowIndex: whole,
  position: whole,
  text,
  base: nullable(text),
});

const sheetFields: Shape = {
  tableId: text,
  sheetId: text,
  title: text,
  tableTitle: text,
  connection: shape({ id: text, name: text, local: flag }),
  columns: listOf(column),
  rowCount: optional(whole),
  version: optional(number),
  view: rowsView,
  generation: whole,
  order: oneOf(['asc', 'desc']),
  systemColumns: flag,
  layout,
  operations: listOf(operation),
  statusCounts: recordOf(number),
  totals: listOf(totals),
  unsaved: listOf(unsaved),
  unsavedCounts: optional(counts),
  saving: optional(nullable(shape(savingFields))),
  draft: optional(nullable(draft)),
  canUndo: flag,
  canRedo: flag,
  log: optional(
    shape({
      search: text,
      filters: listOf(text),
      sortColumn: text,
      sortable: listOf(text),
      loaded: whole,
      total: optional(whole),
      hasMore: flag,
      isLoading: flag,
      isLoadingAll: flag,
      isFull: flag,
    }),
  ),
};

const patch = shape({
  rowIndex: whole,
  page: whole,
  place: whole,
  columnId: text,
  text,
  kind: (value) => whole(value) && (value as number) < cellKinds.length,
  status: text,
  cut: flag,
  error: optional(text),
});

const events: { readonly [Name in keyof ViewEvents]: Shape | null } = {
  sheet: sheetFields,
  cells: { generation: whole, patches: listOf(patch) },
  operations: {
    operations: listOf(operation),
    statusCounts: recordOf(number),
    totals: listOf(totals),
  },
  walk: { target: number, reached: number, pages: number },
  unsaved: {
    changed: listOf(unsaved),
    gone: listOf(shape({ columnId: text, rowIndex: whole })),
    counts,
    canUndo: flag,
    canRedo: flag,
  },
  saving: savingFields,
  problem: { message: text, hint: optional(text), retry: flag, isGone: optional(flag) },
};

const requests: { readonly [Name in keyof ViewRequests]: Shape | null } = {
  selection: null,
  command: {
    command: oneOf([...gridCommands, ...logCommands]),
    argument: optional(text),
  },
};

/** Throws when an event or a request of the extension does not have its shape. */
export function checkIncoming(kind: 'request' | 'event', name: string, payload: unknown): unknown {
  const shapes: Readonly<Record<string, Shape | null>> = kind === 'event' ? events : requests;
  const fields = shapes[name];
  if (fields === undefined) throw new MisfitError(`There is no ${kind} named “${name}”.`);
  const mayBeNull = name === 'problem' || name === 'saving';
  if (fields === null || (mayBeNull && payload === null)) return payload;
  const wrong = misfit(fields, payload);
  if (wrong !== undefined) throw new MisfitError(`The ${kind} “${name}” isn't valid: ${wrong}.`);
  return payload;
}

/** The one place where a checked value gets its type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what was checked
function checked<Value>(what: string, fields: Shape, value: unknown): Value {
  const wrong = misfit(fields, value);
  if (wrong !== undefined)
    throw new MisfitError(t("The message with {0} isn't valid: {1}.", what, wrong));
  return value as Value;
}

export const asSheet = (value: unknown): GridSheet => checked(t('the sheet'), sheetFields, value);

export function asPage(value: unknown): GridPage {
  const page = checked<GridPage>(
    t('rows'),
    {
      page: whole,
      generation: whole,
      rowIndices: (rows) => listOf(whole)(rows) && (rows as unknown[]).length <= pageSize,
      statuses: listOf(text),
      columns: isPlain,
    },
    value,
  );
  const ofPage =
    (check: Check): Check =>
    (list) =>
      listOf(check)(list) && (list as unknown[]).length === page.rowIndices.length;
  const pageColumn = shape({
    text: ofPage(text),
    kind: ofPage(whole),
    status: ofPage(whole),
    cut: listOf(whole),
    errors: recordOf(text),
  });
  const wrong = Object.entries(page.columns).find(([, part]) => !pageColumn(part));
  if (wrong)
    throw new MisfitError(t("The rows that were received aren't valid: column {0}.", wrong[0]));
  return page;
}

export const asDetail = (value: unknown): CellDetail =>
  checked(
    t('a cell'),
    {
      id: text,
      columnId: text,
      rowIndex: whole,
      columnTitle: text,
      columnType: text,
      editable: flag,
      status: text,
      kind: oneOf(cellKinds),
      text,
      displayText: optional(text),
      json: optional(text),
      cut: flag,
      error: optional(text),
      metrics: optional(recordOf((metric) => metric === null || text(metric) || number(metric))),
    },
    value,
  );
