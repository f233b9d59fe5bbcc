import assert from 'node:assert/strict';
import type { Dispatcher } from 'undici';
import { timeLimit } from '../../support/time-limit.ts';
import { until } from '../../support/until.ts';

export const tablesPath = '/api/public/v2/tables';

export type CellsJson = Readonly<Record<string, Json>>;

/**
 * Any object of any answer: tests know which fields it has, and fail when it has not. `version` is
 * a number in most answers and an object in those of saved versions.
 */
export interface Json {
  readonly active_operations: readonly Json[];
  readonly affected_column_ids: readonly string[];
  readonly by_column_id: Readonly<Record<string, Json>>;
  readonly by_metric: Readonly<Record<string, Json>>;
  readonly cancelled_cell_count: number;
  readonly cell: Json;
  readonly cell_count: number;
  readonly cells: CellsJson & readonly Json[];
  readonly column: Json;
  readonly column_id: string;
  readonly columns: readonly Json[];
  readonly completed_count: number;
  readonly config: unknown;
  readonly confirmation_token: string;
  readonly count: number;
  readonly data: readonly Json[];
  readonly default_sheet: Json;
  readonly deltas: readonly Json[];
  readonly dependencies: readonly Json[];
  readonly detail: readonly Json[];
  readonly display_value: string | null;
  readonly error: string;
  /** The word of a refusal, where `error` has its sentence. */
  readonly code?: string;
  readonly error_message: string;
  readonly execution_id: string;
  readonly execution_metadata_aggregates: Json;
  readonly failed_count: number;
  readonly filters: object;
  readonly has_more: boolean;
  readonly id: string;
  readonly index: number;
  readonly is_output_column: boolean;
  readonly is_system: boolean;
  readonly last_computed_version: number | null;
  readonly limit: number;
  readonly loc: readonly string[];
  readonly metadata: Json;
  readonly msg: string;
  readonly name: string;
  readonly next_cursor: string | null;
  readonly not_started_reset_count: number;
  readonly ok: boolean;
  readonly openapi: string;
  readonly operation: Json;
  readonly operationId: string;
  readonly operation_id: string;
  readonly pagination: Json;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly pending_count: number;
  readonly pid: number;
  readonly prev_cursor: null;
  readonly progress: number;
  readonly request_count: number;
  readonly requires_confirmation: boolean;
  readonly requires_recalculation: boolean;
  readonly restored_from: Json;
  readonly row_count: number;
  readonly row_index: number;
  readonly row_indices: readonly number[];
  readonly rows: readonly Json[];
  readonly rows_added: number;
  readonly rows_created: number;
  readonly rows_deleted: number;
  readonly running_invalidated_count: number;
  readonly sheet: Json;
  readonly sheet_count: number;
  readonly sheet_id: string;
  readonly sheet_row_counts: object;
  readonly snapshot: Json;
  readonly source: string;
  readonly stale_count: number;
  readonly start_row_index: number;
  readonly status: string;
  readonly status_counts: Readonly<Record<'STALE' | 'QUEUED' | 'RUNNING' | 'COMPLETED', number>>;
  readonly status_url: string;
  readonly success: boolean;
  readonly table: Json;
  readonly title: string;
  readonly type: string;
  readonly value: unknown;
  readonly version: Json & number;
  readonly version_count: number;
  readonly version_number: number;
}

/** The cell at a place of a page of rows. */
export function cellAt(page: Json, position: number, columnId: string): Json {
  const cell = page.data[position]?.cells[columnId];
  assert.ok(cell, `No cell of column ${columnId} in row ${String(position)} of the page.`);
  return cell;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Json;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of a JSON body. */
  readonly raw?: string | Uint8Array;
}

export interface SheetPlace {
  readonly tableId: string;
  readonly sheetId: string;
  readonly path: string;
  /** Id of the column that a new sheet has. */
  readonly columnId: string;
}

/** Calls with one key. */
export class Api {
  readonly #dispatcher: Dispatcher;
  readonly #key: string | undefined;

  constructor(dispatcher: Dispatcher, key: string | undefined) {
    this.#dispatcher = dispatcher;
    this.#key = key;
  }

  /** Calls whose key, if any, is in the body. */
  withoutKey(): Api {
    return new Api(this.#dispatcher, undefined);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answer> {
    const sent = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await this.#dispatcher.request({
      method: method,
      path,
      headers: {
        ...(this.#key !== undefined && { 'x-api-key': this.#key }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      text,
      body: (text.startsWith('{') ? JSON.parse(text) : {}) as Json,
      headers: response.headers,
    };
  }

  async expect(status: number, method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await this.call(method, path, body);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text.slice(0, 500)}`);
    return answer.body;
  }

  get(path: string): Promise<Json> {
    return this.expect(200, 'GET', path);
  }

  /** A new table's first sheet: one TEXT column, one empty row. */
  async newSheet(): Promise<SheetPlace> {
    const { table, default_sheet: sheet } = await this.expect(201, 'POST', tablesPath, {});
    const path = `${tablesPath}/${table.id}/sheets/${sheet.id}`;
    const columns = await this.get(`${path}/columns`);
    return { tableId: table.id, sheetId: sheet.id, path, columnId: columns.data[0]!.id };
  }

  /** A sheet with these CSV records, when they have all arrived. */
  async sheetOf(
    csv: string | Uint8Array,
    fileName = 'data.csv',
    waitMs = timeLimit(30_000),
  ): Promise<SheetPlace> {
    const { table } = await this.expect(201, 'POST', tablesPath, { create_default_sheet: false });
    const started = await this.expect(202, 'POST', `${tablesPath}/${table.id}/sheets`, {
      source: {
        type: 'file',
        file_name: fileName,
        file_content_base64: Buffer.from(csv).toString('base64'),
      },
    });
    const state = await this.finished(started.status_url, waitMs);
    assert.equal(state.status, 'completed', JSON.stringify(state));
    const path = `${tablesPath}/${table.id}/sheets/${started.sheet.id}`;
    const columns = await this.get(`${path}/columns`);
    return { tableId: table.id, sheetId: started.sheet.id, path, columnId: columns.data[0]!.id };
  }

  /** The final state of an import. */
  async finished(statusUrl: string, waitMs = timeLimit(30_000)): Promise<Json> {
    return until(
      'the import has ended',
      async () => {
        const { operation } = await this.get(statusUrl);
        return ['completed', 'failed'].includes(operation.status) && operation;
      },
      { limitMs: waitMs },
    );
  }
}
