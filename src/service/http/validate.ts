import type { z } from 'zod';
import type { Endpoint } from '../../api/endpoint.ts';
import { EngineProblem, faultsOf } from '../engine/problem.ts';
import type { ValidationDetail } from './problem.ts';
import { Problem, ValidationProblem, invalid, notFound } from './problem.ts';

type Part = 'query' | 'body';

/** Endpoints whose documented answer to a request that does not fit is 400, not 422. */
const answers400 = new Set([
  'update_table_sheet_column',
  'update_table_sheet_cell',
  'recalculate_table_sheet_cells',
  'create_table_sheet_operation',
  'import_file_to_table_sheet',
  'import_request_logs_to_table_sheet',
  'list_table_sheet_versions',
  'create_table_sheet_version',
  'configure_table_sheet_score',
  'recalculate_table_sheet_score',
  'configure_table_sheet_scorecard',
  'migrate_table_sheet_legacy_score',
  'recalculate_table_sheet_scorecard',
  'cancel_table_sheet_scorecard',
  'list_table_sheet_scorecard_rows',
  'get_table_sheet_scorecard_row',
  'get_table_sheet_score_history',
]);

function detailsOf(part: Part, error: z.ZodError): ValidationDetail[] {
  return faultsOf(error).map(({ loc, msg, type }) => ({
    loc: [part, ...loc],
    // What is missing from a query is read as NaN, which nobody has sent.
    msg: msg.replace(/(expected \w+), received NaN/, '$1'),
    type,
  }));
}

/** The problem that tells what does not fit, in the shape which this endpoint documents. */
export function unfit(endpoint: Endpoint, details: readonly ValidationDetail[]): Error {
  const sort = details.find(({ loc }) => loc[1] === 'sort');
  if (!answers400.has(endpoint.name) && sort === undefined) return new ValidationProblem(details);
  return invalid(details.map(spelledDetail).join('; '), details);
}

const spelledDetail = ({ loc, msg }: ValidationDetail): string =>
  `${loc.slice(1).join('.') || 'body'}: ${msg}`;

/** A path id that is no UUID names nothing: 404, as an id of somebody else does. */
export function parseParams<E extends Endpoint>(
  endpoint: E,
  sent: Readonly<Record<string, string>>,
): z.output<E['params']> {
  const parsed = endpoint.params.safeParse(sent);
  if (parsed.success) return lowerCase(parsed.data) as z.output<E['params']>;
  const name = String(parsed.error.issues[0]?.path[0] ?? 'resource').replace(/_id$/, '');
  throw notFound(`This ${name}`);
}

/** Ids that somebody else has made up. */
const foreignIds = new Set(['operation_id', 'trace_id']);

/** Ids are compared as text in the database, where they are lower case. Names stay as they are. */
function lowerCase(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && name.endsWith('_id') && !foreignIds.has(name)
        ? value.toLowerCase()
        : value,
    ]),
  );
}

const takesList = (endpoint: Endpoint, name: string): boolean =>
  endpoint.query.shape[name]?.safeParse(['a', 'b']).success ?? false;

export function parseQuery<E extends Endpoint>(
  endpoint: E,
  sent: URLSearchParams,
): z.output<E['query']> {
  const given: Record<string, string | string[]> = {};
  for (const [name, value] of sent) {
    if (value === '') continue;
    const before = given[name];
    // Twice the same name is a list, where the endpoint takes one; elsewhere the last one counts.
    given[name] =
      before === undefined || !takesList(endpoint, name) ? value : [before, value].flat();
  }
  const parsed = endpoint.query.safeParse(given);
  if (parsed.success) return parsed.data as z.output<E['query']>;
  throw unfit(endpoint, detailsOf('query', parsed.error));
}

export function parseBody<E extends Endpoint>(endpoint: E, sent: unknown): z.output<E['body']> {
  const parsed = endpoint.body.safeParse(sent);
  if (parsed.success) return parsed.data as z.output<E['body']>;
  throw unfit(endpoint, detailsOf('body', parsed.error));
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What an error means on the wire; undefined when it is none of the caller's business. */
export function problemBody(error: unknown): ErrorAnswer | undefined {
  if (error instanceof ValidationProblem) {
    const message = error.detail.map(spelledDetail).join('; ');
    // The form of the description, and what clients show: they read message and error.
    return {
      status: 422,
      body: { success: false, message, error: 'validation_error', detail: error.detail },
    };
  }
  if (error instanceof EngineProblem) {
    const detail = error.faults.map((fault) => ({ ...fault, loc: ['body', ...fault.loc] }));
    return {
      status: 400,
      body: {
        ...{ success: false, message: error.message, error: error.code },
        ...(detail.length > 0 && { detail }),
      },
    };
  }
  if (error instanceof Problem) {
    return {
      status: error.status,
      body: { success: false, message: error.message, error: error.code, ...error.fields },
    };
  }
  return undefined;
}
