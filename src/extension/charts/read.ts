import type { Column } from '../../api/column.ts';
import type { Row } from '../../api/row.ts';
import type { Client, SheetRef } from '../../core/index.ts';
import type { ColumnCharts, SheetCharts } from '../../protocol/charts.ts';
import { metricNames } from '../../protocol/charts.ts';
import type { ColumnSamples } from './samples.ts';
import { factsOf, metricsOf, noSamples, scalesOf } from './samples.ts';

const typedIn: ReadonlySet<string> = new Set(['TEXT', 'COMPOSITION', 'HUMAN']);

/** Time, price and tokens of the cells of a sheet, as far as it was read. */
export class SheetMetrics {
  #columns: readonly Column[] = [];
  #found = new Map<string, ColumnSamples>();
  #rows = 0;
  #of: number | null = null;
  #state: SheetCharts['state'] = 'reading';

  get state(): SheetCharts['state'] {
    return this.#state;
  }

  /** Reads all rows, a page at a time; `onPage` after each. An aborted reading keeps what it has. */
  async read(
    client: Client,
    ref: SheetRef,
    { signal, onPage }: { readonly signal: AbortSignal; readonly onPage: () => void },
  ): Promise<void> {
    this.#begin();
    try {
      for await (const page of client.tables.rows.pages(ref, {}, { signal })) {
        if (page.restarted) this.#begin();
        this.#columns = page.columns.filter(({ type }) => !typedIn.has(type));
        this.#of = page.rowCount ?? this.#of;
        for (const row of page.items) this.#take(row);
        onPage();
      }
      this.#state = 'done';
    } catch (error) {
      this.#state = 'stopped';
      throw error;
    }
  }

  get charts(): SheetCharts {
    const shown = this.#columns.flatMap((column) => {
      const samples = this.#found.get(column.id);
      return samples === undefined ? [] : [{ column, samples }];
    });
    const scales = scalesOf(shown.map(({ samples }) => samples));
    const columns = shown.map(({ column: { id, title }, samples }): ColumnCharts => ({
      ...{ id, title },
      cells: this.#rows,
      metrics: {
        latency: factsOf(samples.latency, scales.latency.edges),
        price: factsOf(samples.price, scales.price.edges),
        tokens: factsOf(samples.tokens, scales.tokens.edges),
      },
    }));
    return {
      ...{ columns, scales },
      state: this.#state,
      rows: this.#rows,
      of: this.#of,
      isSampled: shown.some(({ samples }) => metricNames.some((name) => samples[name].isSampled)),
    };
  }

  #begin(): void {
    this.#found = new Map();
    this.#rows = 0;
    this.#state = 'reading';
  }

  #take({ cells }: Row): void {
    this.#rows += 1;
    for (const { id } of this.#columns) {
      const cell = cells[id];
      if (cell?.request_metrics === undefined || cell.request_metrics === null) continue;
      const samples = this.#found.get(id) ?? noSamples();
      this.#found.set(id, samples);
      const at = Date.parse(cell.updated_at ?? '');
      const metrics = metricsOf(cell);
      for (const name of metricNames) {
        const value = metrics[name];
        if (value !== undefined) samples[name].add(value, at);
      }
    }
  }
}
