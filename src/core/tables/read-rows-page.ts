import { cellStatuses, normaliseCellStatus } from '../../api/cell.ts';
import { ExactNumber } from '../../api/exact-number.ts';
import type { Row, RowsPage } from '../../api/row.ts';
import { SentRowsPage, settleRowsPage } from '../../api/row.ts';
import type { ReadResult } from '../http/read.ts';
import { readWith } from '../http/read.ts';

/**
 * The same check as the schema `Row`, by hand and in place: a page has thousands of cells, and the
 * schema's copies cost several times the JSON.parse. A property test holds the two together.
 */

type Fields = Record<string, unknown>;

const metricNumbers = ['request_count', 'input_tokens', 'output_tokens'] as const;
/** Numbers whose nearest double is good enough. */
const measures = ['latency_ms', 'price'] as const;

const canonical: ReadonlySet<string> = new Set(cellStatuses);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function metricsIssue(metrics: unknown): readonly [string, string] | undefined {
  if (!isFields(metrics)) return ['', 'an object is expected'];
  for (const name of metricNumbers) {
    const value = metrics[name];
    if (value !== undefined && value !== null && typeof value !== 'number') {
      return [`.${name}`, 'a number is expected'];
    }
  }
  for (const name of measures) {
    const value = metrics[name];
    if (value instanceof ExactNumber) {
      metrics[name] = value.valueOf();
    } else if (value !== undefined && value !== null && typeof value !== 'number') {
      return [`.${name}`, 'a number is expected'];
    }
  }
  return listIssue(metrics, 'request_ids', 'number') ?? listIssue(metrics, 'trace_ids', 'string');
}

function listIssue(
  fields: Fields,
  name: string,
  type: 'number' | 'string',
): readonly [string, string] | undefined {
  const list = fields[name];
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) return [`.${name}`, 'a list is expected'];
  for (let index = 0; index < list.length; index += 1) {
    if (typeof list[index] !== type) return [`.${name}[${index}]`, `a ${type} is expected`];
  }
  return undefined;
}

const isNullableText = (value: unknown): boolean =>
  typeof value === 'string' || value === null || value === undefined;

/** The first field that should be a text. Written out: names in a list would be looked up slowly. */
function wrongText(cell: Fields): string | undefined {
  const sheetId = cell['sheet_id'];
  if (sheetId !== undefined && typeof sheetId !== 'string') return 'sheet_id';
  if (!isNullableText(cell['display_value'])) return 'display_value';
  if (!isNullableText(cell['error'])) return 'error';
  if (!isNullableText(cell['error_message'])) return 'error_message';
  if (!isNullableText(cell['input_hash'])) return 'input_hash';
  if (!isNullableText(cell['updated_at'])) return 'updated_at';
  return isNullableText(cell['execution_id']) ? undefined : 'execution_id';
}

/** Place below the cell and what is wrong there. Sets the status to its one spelling. */
function cellIssue(cell: unknown): readonly [string, string] | undefined {
  if (!isFields(cell)) return ['', 'an object is expected'];
  if (typeof cell['id'] !== 'string') return ['.id', 'a text is expected'];
  if (typeof cell['column_id'] !== 'string') return ['.column_id', 'a text is expected'];
  if (typeof cell['row_index'] !== 'number') return ['.row_index', 'a number is expected'];
  const status = cell['status'];
  if (typeof status !== 'string') return ['.status', 'a text is expected'];
  if (!canonical.has(status)) cell['status'] = normaliseCellStatus(status);
  const field = wrongText(cell);
  if (field !== undefined) return [`.${field}`, 'a text is expected'];
  const computed = cell['last_computed_version'];
  if (computed !== undefined && computed !== null && typeof computed !== 'number') {
    return ['.last_computed_version', 'a number is expected'];
  }
  const metrics = cell['request_metrics'];
  if (metrics === undefined || metrics === null) return undefined;
  const issue = metricsIssue(metrics);
  return issue === undefined ? undefined : [`.request_metrics${issue[0]}`, issue[1]];
}

function rowIssue(row: unknown): readonly [string, string] | undefined {
  if (!isFields(row)) return ['', 'an object is expected'];
  if (typeof row['row_index'] !== 'number') return ['.row_index', 'a number is expected'];
  const cells = row['cells'];
  if (!isFields(cells)) return ['.cells', 'an object is expected'];
  for (const key in cells) {
    const issue = cellIssue(cells[key]);
    if (issue !== undefined) return [`.cells.${key}${issue[0]}`, issue[1]];
  }
  return undefined;
}

/** Checks rows in place. */
export function readRows(list: unknown, name: string): ReadResult<readonly Row[]> {
  if (!Array.isArray(list)) return { ok: false, issuePath: name, issue: 'a list is expected' };
  for (let index = 0; index < list.length; index += 1) {
    const issue = rowIssue(list[index]);
    if (issue !== undefined) {
      return { ok: false, issuePath: `${name}[${index}]${issue[0]}`, issue: issue[1] };
    }
  }
  return { ok: true, value: list as readonly Row[] };
}

/** Parsed JSON of a row page -> typed page, or the first place that does not fit. */
export function readRowsPage(json: unknown): ReadResult<RowsPage> {
  if (!isFields(json)) return { ok: false, issuePath: '', issue: 'an object is expected' };
  const name = json['data'] === undefined ? 'rows' : 'data';
  const { data = json['rows'], rows: _rows, ...envelope } = json;
  if (data === undefined) {
    return { ok: false, issuePath: 'data', issue: 'no list of rows in the answer' };
  }
  const rows = readRows(data, name);
  if (!rows.ok) return rows;
  const sent = readWith(SentRowsPage, envelope);
  if (!sent.ok) return sent;
  const page = settleRowsPage({ ...sent.value, data: [...rows.value] });
  return page === undefined
    ? { ok: false, issuePath: 'data', issue: 'no list of rows in the answer' }
    : { ok: true, value: page };
}
