import type { Api, Json, SheetPlace } from './api.ts';
import { cellAt } from './api.ts';
import { timeLimit } from '../../support/time-limit.ts';
import { until } from '../../support/until.ts';

/** A sheet whose columns are to be computed. */
export class SheetRun {
  readonly place: SheetPlace;
  readonly #api: Api;

  private constructor(api: Api, place: SheetPlace) {
    this.#api = api;
    this.place = place;
  }

  static async of(api: Api, csv: string): Promise<SheetRun> {
    return new SheetRun(api, await api.sheetOf(csv));
  }

  /** The same sheet in a service that was started anew. */
  of(api: Api): SheetRun {
    return new SheetRun(api, this.place);
  }

  /** Adds a column; answers its id. */
  async add(type: string, config: object, title = type): Promise<string> {
    const body = { title, type, config };
    return (await this.#api.expect(201, 'POST', `${this.place.path}/columns`, body)).column.id;
  }

  refuse(type: string, config: object): Promise<Json> {
    const body = { title: type, type, config };
    return this.#api.expect(400, 'POST', `${this.place.path}/columns`, body);
  }

  async start(body: object = {}): Promise<string> {
    const path = `${this.place.path}/operations`;
    return (await this.#api.expect(202, 'POST', path, body)).operation_id;
  }

  /** Starts an operation and waits until it is over. */
  async run(body: object = {}): Promise<Json> {
    return this.ended(await this.start(body));
  }

  async ended(id: string, waitMs = 30_000): Promise<Json> {
    return until(
      'the operation has ended',
      async () => {
        const { operation } = await this.#api.get(`${this.place.path}/operations/${id}`);
        return operation.pending_count === 0 && operation;
      },
      { limitMs: timeLimit(waitMs) },
    );
  }

  cancel(id: string): Promise<Json> {
    return this.#api.expect(200, 'DELETE', `${this.place.path}/operations/${id}`);
  }

  async cell(columnId: string, row = 0): Promise<Json> {
    return cellAt(await this.#api.get(`${this.place.path}/rows`), row, columnId);
  }

  /** What a cell holds, or why it holds nothing. */
  async value(columnId: string, row = 0): Promise<unknown> {
    const cell = await this.cell(columnId, row);
    return cell.status === 'error' ? `${cell.error}: ${cell.error_message}` : cell.value;
  }

  async write(columnId: string, value: unknown, row = 0): Promise<Json> {
    const { id } = await this.cell(columnId, row);
    return this.#api.expect(200, 'PATCH', `${this.place.path}/cells/${id}`, { value });
  }
}

export const metricsOf = (cell: Json): Json => cell['request_metrics' as keyof Json] as Json;
