import * as z from 'zod';
import type { GridLayout, RowOrder } from '../../protocol/grid-sheet.ts';
import { timeColumn } from '../../protocol/request-log.ts';
import type { Memory } from '../grid/columns/layouts.ts';
import { layoutSchema } from '../grid/messages.ts';
import { Filter } from './filters.ts';

/** What one user looks for in the log of one workspace, and how it is laid out. */
export interface LogView {
  readonly search: string;
  readonly filters: readonly Filter[];
  /** Of the column that the service sorts by. */
  readonly order: RowOrder;
  readonly sortColumn: string;
  readonly layout: GridLayout;
}

const View = z.object({
  search: z.string(),
  filters: z.array(Filter),
  order: z.enum(['asc', 'desc']),
  sortColumn: z.string().default(timeColumn),
  layout: layoutSchema,
});
const Kept = z.record(z.string(), View);
const memoryKey = 'promptTables.requestLog';

/** Newest first, all of them. */
export const plainView: LogView = {
  ...{ search: '', filters: [], order: 'desc', sortColumn: timeColumn },
  layout: {
    widths: {
      prompt: 150,
      version: 136,
      model: 140,
      status: 160,
      latency: 168,
      output: 140,
      id: 118,
    },
    hidden: [],
    pinned: [],
    order: [],
  },
};

/** What is shown of the log of each workspace, kept over a reload. */
export class LogViews {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  get(connectionId: string): LogView {
    return this.#all()[connectionId] ?? plainView;
  }

  async set(
    connectionId: string,
    { search, filters, order, sortColumn, layout }: LogView,
  ): Promise<void> {
    const view = { search, filters, order, sortColumn, layout };
    await this.#memory.update(memoryKey, { ...this.#all(), [connectionId]: view });
  }

  /** What another version of the extension wrote may not fit: then nothing is known. */
  #all(): Readonly<Record<string, LogView>> {
    const read = Kept.safeParse(this.#memory.get(memoryKey) ?? {});
    return read.success ? read.data : {};
  }
}
