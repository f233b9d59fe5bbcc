import * as z from 'zod';
import type { GridLayout, RowOrder } from '../../../protocol/grid-sheet.ts';
import type { SheetAddress } from '../../shell/address.ts';
import type { RowsQuery } from '../../../protocol/grid-work.ts';
import { layoutSchema, rowsQuerySchema } from '../messages.ts';

/** The part of `vscode.Memento` that is needed. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const Kept = z.object({
  key: z.string(),
  layout: layoutSchema,
  order: z.enum(['asc', 'desc']),
  systemColumns: z.boolean(),
  query: rowsQuerySchema.nullable().default(null),
});
type Kept = z.infer<typeof Kept>;
const KeptList = z.array(Kept);

export interface SheetView {
  readonly layout: GridLayout;
  readonly order: RowOrder;
  readonly systemColumns: boolean;
  /** Filter and sort. */
  readonly query: RowsQuery | null;
}

const memoryKey = 'promptTables.layouts';
export const plainView: SheetView = {
  layout: { widths: {}, hidden: [], pinned: [], order: [] },
  order: 'asc',
  systemColumns: false,
  query: null,
};

const keyOf = ({ connectionId, tableId, sheetId }: SheetAddress): string =>
  `${connectionId}/${tableId}/${sheetId}`;

/** How the user laid out each sheet; the sheets not seen for longest are forgotten. */
export class Layouts {
  readonly #memory: Memory;
  readonly #limit: number;

  constructor(memory: Memory, limit = 200) {
    this.#memory = memory;
    this.#limit = limit;
  }

  get(address: SheetAddress): SheetView {
    return this.#all().find(({ key }) => key === keyOf(address)) ?? plainView;
  }

  async set(address: SheetAddress, view: SheetView): Promise<void> {
    const key = keyOf(address);
    const others = this.#all().filter((kept) => kept.key !== key);
    const { layout, order, systemColumns, query } = view;
    const newest: Kept = { key, layout, order, systemColumns, query };
    await this.#memory.update(memoryKey, [newest, ...others].slice(0, this.#limit));
  }

  /** What an older or newer version of the extension wrote may not fit: then nothing is known. */
  #all(): readonly Kept[] {
    const read = KeptList.safeParse(this.#memory.get(memoryKey));
    return read.success ? read.data : [];
  }
}
