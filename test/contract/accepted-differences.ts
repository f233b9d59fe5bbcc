import { unfitNames } from '../../src/service/http/names.ts';

/**
 * Where the client or the local service differs from the public description on purpose. Each entry
 * must still be a difference: the tests fail when one is not needed any more.
 */
export interface AcceptedDifference {
  /** Method and path below the tables path; `*` for all. */
  readonly where: string;
  readonly part: 'endpoint' | 'query' | 'body' | 'status' | 'answer';
  /** Endpoint, field, status code or place in an answer. */
  readonly what: string;
  readonly reason: string;
}

const rows = '{table_id}/sheets/{sheet_id}/rows';
const columns = '{table_id}/sheets/{sheet_id}/columns';

export const acceptedDifferences: readonly AcceptedDifference[] = [
  {
    where: `DELETE ${rows}`,
    part: 'endpoint',
    what: 'extra',
    reason: 'Not described; official clients delete rows with it.',
  },
  {
    where: 'PATCH {table_id}/sheets/{sheet_id}/cells',
    part: 'endpoint',
    what: 'extra',
    reason: 'Nothing that is described writes more than one cell at a time.',
  },
  {
    where: 'GET {table_id}/sheets/{sheet_id}/status-counts',
    part: 'endpoint',
    what: 'extra',
    reason: 'Not described; official clients count cells by status with it.',
  },
  {
    where: 'GET {table_id}/sheets/{sheet_id}/export',
    part: 'endpoint',
    what: 'extra',
    reason: 'Not described; nothing that is described sends a sheet as a file.',
  },
  {
    where: 'DELETE {table_id}/sheets/operations/{operation_id}',
    part: 'endpoint',
    what: 'extra',
    reason: 'Nothing that is described ends an import.',
  },
  {
    where: 'GET {table_id}/sheets/operations/{operation_id}',
    part: 'answer',
    what: 'enum /operation/status',
    reason: 'An import that was canceled has neither failed nor been completed.',
  },
  {
    where: `GET ${rows}`,
    part: 'query',
    what: 'sort',
    reason: 'The specification names it as part of a cursor; only row_index can be meant.',
  },
  {
    where: 'POST {table_id}/sheets/{sheet_id}/operations',
    part: 'query',
    what: 'cost_ceiling_usd',
    reason: 'Of the local service: the body that is described takes nothing more.',
  },
  {
    where: 'POST {table_id}/sheets/{sheet_id}/scorecard/recalculate',
    part: 'query',
    what: 'cost_ceiling_usd',
    reason: 'Of the local service, as for operations.',
  },
  {
    where: `GET ${columns}`,
    part: 'query',
    what: 'order',
    reason: 'Described in the documentation pages only.',
  },
  {
    where: `POST ${columns}`,
    part: 'body',
    what: 'is_output_column',
    reason: 'Not described; official clients send it.',
  },
  {
    where: `POST ${columns}`,
    part: 'body',
    what: 'position_rank',
    reason: 'Columns have it; an editor must be able to place a new one.',
  },
  ...['type', 'is_output_column', 'position_rank'].map((what): AcceptedDifference => ({
    where: `PATCH ${columns}/{column_id}`,
    part: 'body',
    what,
    reason: 'Not described; columns have it and clients change it.',
  })),
  ...[
    'POST /create-group',
    'POST /track-request',
    'POST /track-group',
    'POST /library-track-metadata',
    'POST /library-track-score',
    'POST /library-track-prompt',
    'POST /ws-token-request-library',
  ].map((where): AcceptedDifference => ({
    where,
    part: 'endpoint',
    what: 'extra',
    reason: 'Not described; official clients call it.',
  })),
  {
    where: 'POST /prompt-templates/{name}',
    part: 'body',
    what: 'skip_input_variable_rendering',
    reason: 'Not described; official clients send it to keep a template for a while.',
  },
  ...['smart_table_id', 'sheet_id', 'metadata', 'dataset_group_id is not needed'].map(
    (what): AcceptedDifference => ({
      where: 'POST /api/public/v2/dataset-versions/add-trace',
      part: 'body',
      what,
      reason: 'Not described; official clients name a sheet in the place of a group of data sets.',
    }),
  ),
  ...['search', 'analytics'].map((path): AcceptedDifference => ({
    where: `POST /api/public/v2/requests/${path}`,
    part: 'body',
    what: 'filters',
    reason: 'Not described; the official server for assistants sends it.',
  })),
  {
    where: 'POST /log-request',
    part: 'body',
    what: 'score_name',
    reason: 'Not described; official clients send it.',
  },
  ...['page', 'per_page'].map((name): AcceptedDifference => ({
    where: 'GET /prompt-templates',
    part: 'query',
    what: `default of ${name}`,
    reason: 'The documentation pages say what it is.',
  })),
  {
    where: 'DELETE /workflow-version-execution-results',
    part: 'endpoint',
    what: 'extra',
    reason: 'Nothing that is described ends a run that costs money.',
  },
  ...[
    'POST /rest/prompt-templates',
    'POST /prompt-templates/{name}',
    'POST /prompts/{id}/label',
    'PATCH /prompt-labels/{label_id}',
    'DELETE /prompt-labels/{label_id}',
    'POST /rest/track-metadata',
    'POST /rest/track-score',
    'POST /rest/track-prompt',
    'POST /rest/track-group',
    'POST /api/public/v2/skill-collections',
  ].map((where): AcceptedDifference => ({
    where,
    part: 'status',
    what: '404',
    reason: 'What is not there must be answered, and no answer to it is described.',
  })),
  {
    where: 'POST /prompts/{id}/label',
    part: 'status',
    what: '409',
    reason: 'A label stands on one version; it is moved and not made twice.',
  },
  ...['oneOf', 'type', 'anyOf'].map((keyword): AcceptedDifference => ({
    where: 'GET /api/public/v2/folders/entities',
    part: 'answer',
    what: `${keyword} /entities/*/metadata`,
    reason: 'One of the schemas that are offered allows any object, so no other stands alone.',
  })),
  {
    where: 'GET /workflow-version-execution-results',
    part: 'answer',
    what: 'oneOf ',
    reason:
      'Two schemas are offered of which the second allows anything, so the first never stands alone.',
  },
  {
    where: '*',
    part: 'status',
    what: '401',
    reason: 'The specification: a missing or invalid key is 401 everywhere.',
  },
  {
    where: '*',
    part: 'status',
    what: '413',
    reason: 'A body without end must be refused before it has been read.',
  },
  ...['file', 'request-logs'].map((what): AcceptedDifference => ({
    where: `POST {table_id}/sheets/{sheet_id}/imports/${what}`,
    part: 'status',
    what: '409',
    reason: 'One import into a sheet at a time, as the documentation pages say.',
  })),
  ...['GET', 'GET {table_id}/sheets', `GET ${columns}`, `GET ${rows}`].map(
    (where): AcceptedDifference => ({
      where,
      part: 'status',
      what: '400',
      reason: 'An invalid cursor is an error; only the list of versions says which one.',
    }),
  ),
  ...[
    `GET ${columns}`,
    `GET ${rows}`,
    'PATCH {table_id}/sheets/{sheet_id}',
    'POST {table_id}/sheets/{sheet_id}/cells/{cell_id}/recalculations',
  ].map((where): AcceptedDifference => ({
    where,
    part: 'status',
    what: '422',
    reason: "A request that isn't valid must be answered, and no answer to it is described.",
  })),
];

/** Rules for bodies that the description's schemas leave out; its texts and pages have them. */
export interface StricterRule {
  readonly reason: string;
  readonly refuses: (body: Readonly<Record<string, unknown>>, where: string) => boolean;
}

/** Fields that take more than the description's schemas say; its pages and clients do so too. */
export const laxerFields: Readonly<Record<string, readonly string[]>> = {
  'POST /log-request': ['request_start_time', 'request_end_time'],
};

const isText = (value: unknown): value is string => typeof value === 'string';

const isLabel = (value: unknown): boolean =>
  !isText(value) || (value.trim() !== '' && value.length <= 255);

export const stricterRules: readonly StricterRule[] = [
  {
    reason:
      'Names hold characters that can be stored and shown: no NUL, no half of a pair. What is logged has happened.',
    refuses: (body, where) => where !== 'POST /log-request' && unfitNames(body).length > 0,
  },
  {
    reason: 'Release labels have 1 to 255 characters.',
    refuses: ({ release_labels: labels, name }, where) =>
      (Array.isArray(labels) && !labels.every(isLabel)) ||
      (where === 'POST /prompts/{id}/label' && !isLabel(name)),
  },
  {
    reason: 'The pages say which error types go with which status.',
    refuses: ({ status = 'SUCCESS', error_type: type }, where) =>
      where === 'POST /log-request' && !goTogether(status, type),
  },
  {
    reason:
      'Ids of traces and spans stand in URLs: 1 to 255 characters, no half of a surrogate pair.',
    refuses: ({ spans }, where) =>
      where === 'POST /spans-bulk' && Array.isArray(spans) && !spans.every(isBulkSpan),
  },
  {
    reason: 'Requests are sorted by a field and in a direction, or by neither.',
    refuses: ({ sort_by: by, sort_order: order }, where) =>
      where.endsWith('/requests/search') && ((by ?? null) === null) !== ((order ?? null) === null),
  },
  {
    reason: 'Titles have 1 to 255 characters.',
    refuses: ({ title }) => isText(title) && (title.trim() === '' || title.trim().length > 255),
  },
  {
    reason: 'A sheet has no place before the first one.',
    refuses: ({ index }) => typeof index === 'number' && index < 0,
  },
  {
    reason: 'Operation ids stand in URLs: 1 to 255 characters, no half of a surrogate pair.',
    refuses: ({ operation_id }) =>
      isText(operation_id) &&
      (operation_id === '' || operation_id.length > 255 || /\p{Cs}/u.test(operation_id)),
  },
  {
    reason: 'A file is a CSV (or, for a new sheet, JSON) file, its content base64.',
    refuses: ({ file_name, file_content_base64, source }) =>
      !isFile({ file_name, file_content_base64 }, /\.csv$/i) || !isSource(source),
  },
  {
    reason: 'A cell is written with a value, a display value or both.',
    refuses: ({ value, display_value }, where) =>
      where.startsWith('PATCH') &&
      where.endsWith('{cell_id}') &&
      value === undefined &&
      display_value === undefined,
  },
  {
    reason: 'Nobody means to recalculate exactly no cells.',
    refuses: ({ cell_ids }) => Array.isArray(cell_ids) && cell_ids.length === 0,
  },
  {
    reason: 'A version has a name unless it restores another one.',
    refuses: ({ name, source_version_id }, where) =>
      where.endsWith('{sheet_id}/versions') && (name ?? source_version_id ?? null) === null,
  },
];

const errorsOnly = [
  'PROVIDER_TIMEOUT',
  'PROVIDER_AUTH_ERROR',
  'PROVIDER_ERROR',
  'TEMPLATE_RENDER_ERROR',
];
const warningsOnly = ['PROVIDER_PARTIAL_RESPONSE', 'VARIABLE_MISSING_OR_EMPTY'];

function goTogether(status: unknown, type: unknown): boolean {
  if (!isText(type)) return true;
  if (status === 'SUCCESS') return false;
  return !(status === 'ERROR' ? warningsOnly : errorsOnly).includes(type);
}

interface SentSpan {
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly log_request?: { readonly status?: unknown; readonly error_type?: unknown } | null;
}

/** With a request, if there is one, whose error type goes with its status. */
function isBulkSpan({ context, log_request: logged }: SentSpan): boolean {
  const ids = [context.trace_id, context.span_id];
  return (
    ids.every((id) => id !== '' && id.length <= 255 && !/\p{Cs}/u.test(id)) &&
    goTogether(logged?.status ?? 'SUCCESS', logged?.error_type)
  );
}

function isFile(
  { file_name, file_content_base64 }: Readonly<Record<string, unknown>>,
  ending: RegExp,
): boolean {
  if (file_name === undefined && file_content_base64 === undefined) return true;
  if (!isText(file_name) || !isText(file_content_base64)) return false;
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  return file_name.length <= 255 && ending.test(file_name) && isBase64.test(file_content_base64);
}

function isSource(sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return true;
  const source = sent as Readonly<Record<string, unknown>>;
  const ids = source['request_log_ids'];
  const hasRealIds = !Array.isArray(ids) || ids.every((id) => Number(id) >= 1);
  return hasRealIds && isFile(source, /\.(csv|json)$/i);
}
