/**
 * Checks what the extension sends: enough of its shape that nothing here can trip over it. The
 * full truth of the values is the extension's business.
 */
import {
  cellKinds,
  pageSize,
  type CellDetail,
  type GridPage,
  type PageColumn,
} from '../../protocol/grid-cells.ts';
import { gridCommands } from '../../protocol/grid-commands.ts';
import type { GridSheet } from '../../protocol/grid-sheet.ts';
import type { ViewEvents, ViewRequests } from '../../protocol/grid.ts';
import { logCommands } from '../../protocol/request-log.ts';
import { MisfitError } from './misfit.ts';
import { cellInput, rowsView } from './work-guards.ts';
import {
  anyOf,
  flag,
  isPlain,
  listOf,
  nullable,
  misfitIn,
  number,
  oneOf,
  optional,
  orUndefined,
  recordOf,
  shape,
  text,
  whole,
  type Check,
} from '../common/checks.ts';
import { t } from '../common/language.ts';

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
const saving = shape({ title: text, message: text, percent: optional(number) });
const draft = shape({
  columnId: text,
  rowIndex: whole,
  position: whole,
  text,
  base: nullable(text),
});

const sheet: Check<GridSheet> = shape({
  tableId: text,
  sheetId: text,
  title: text,
  tableTitle: text,
  connection: shape({ id: text, name: text, local: flag }),
  columns: listOf(column),
  rowCount: orUndefined(whole),
  version: orUndefined(number),
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
  saving: optional(nullable(saving)),
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
      total: orUndefined(whole),
      hasMore: flag,
      isLoading: flag,
      isLoadingAll: flag,
      isFull: flag,
    }),
  ),
});

const patch = shape({
  rowIndex: whole,
  page: whole,
  place: whole,
  columnId: text,
  text,
  kind: (value): value is number => whole(value) && value < cellKinds.length,
  status: text,
  cut: flag,
  error: optional(text),
});

const problem = shape({
  message: text,
  hint: optional(text),
  retry: flag,
  isGone: optional(flag),
});

const events: { readonly [Name in keyof ViewEvents]: Check<ViewEvents[Name]> } = {
  sheet,
  cells: shape({ generation: whole, patches: listOf(patch) }),
  operations: shape({
    operations: listOf(operation),
    statusCounts: recordOf(number),
    totals: listOf(totals),
    version: optional(number),
  }),
  walk: shape({ target: number, reached: number, pages: number }),
  unsaved: shape({
    changed: listOf(unsaved),
    gone: listOf(shape({ columnId: text, rowIndex: whole })),
    counts,
    canUndo: flag,
    canRedo: flag,
  }),
  saving: nullable(saving),
  problem: nullable(problem),
};

const requests: {
  readonly [Name in keyof ViewRequests]: Check<ViewRequests[Name]['params']>;
} = {
  selection: oneOf([null]),
  command: shape({
    command: oneOf([...gridCommands, ...logCommands]),
    argument: optional(text),
  }),
};

/** Throws when an event or a request of the extension does not have its shape. */
export function checkIncoming(kind: 'request' | 'event', name: string, payload: unknown): unknown {
  const checks: Readonly<Record<string, Check>> = kind === 'event' ? events : requests;
  const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
  if (check === undefined) throw new MisfitError(`There is no ${kind} named “${name}”.`);
  if (check(payload)) return payload;
  throw new MisfitError(
    `The ${kind} “${name}” isn't valid: ${misfitIn(check, payload) ?? t('not an object')}.`,
  );
}

const read =
  <Value>(check: Check<Value>, what: () => string) =>
  (value: unknown): Value => {
    if (check(value)) return value;
    throw new MisfitError(
      t(
        "The message with {0} isn't valid: {1}.",
        what(),
        misfitIn(check, value) ?? t('not an object'),
      ),
    );
  };

export const asSheet = read(sheet, () => t('the sheet'));

type PageFields = Omit<GridPage, 'columns'> &
  Readonly<Record<'columns', Readonly<Record<string, unknown>>>>;

const pageFields: Check<PageFields> = shape({
  page: whole,
  generation: whole,
  rowIndices: (rows): rows is readonly number[] => listOf(whole)(rows) && rows.length <= pageSize,
  statuses: listOf(text),
  columns: isPlain,
});
const asPageFields = read(pageFields, () => t('rows'));

/** A column has as much of everything as the page has rows. */
function columnOf({ rowIndices }: PageFields): Check<PageColumn> {
  const ofPage =
    <Item>(check: Check<Item>): Check<readonly Item[]> =>
    (list): list is readonly Item[] =>
      listOf(check)(list) && list.length === rowIndices.length;
  return shape({
    text: ofPage(text),
    kind: ofPage(whole),
    status: ofPage(whole),
    cut: listOf(whole),
    errors: recordOf(text),
  });
}

export function asPage(value: unknown): GridPage {
  const page = asPageFields(value);
  const pageColumn = columnOf(page);
  const isWhole = (given: PageFields): given is GridPage => recordOf(pageColumn)(given.columns);
  if (isWhole(page)) return page;
  const wrong = Object.entries(page.columns).find(([, part]) => !pageColumn(part));
  throw new MisfitError(
    t("The rows that were received aren't valid: column {0}.", wrong?.[0] ?? ''),
  );
}

const detail: Check<CellDetail> = shape({
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
  metrics: optional(recordOf(nullable(anyOf(text, number)))),
});
export const asDetail = read(detail, () => t('a cell'));
