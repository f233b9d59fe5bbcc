import type { CellAddress } from '../../../protocol/grid-cells.ts';

/** A text cell as the service holds it now. Null: it holds null, or nothing yet. */
export interface FoundText {
  readonly cellId: string;
  readonly text: string | null;
}

export interface ManyWrite extends CellAddress {
  readonly text: string | null;
  /** Absent: whatever is there is overwritten. */
  readonly base?: string | null;
}

/** `alone`: to be tried by itself, for example because the cell does not hold `base`. */
export type ManyResult =
  | { readonly outcome: 'saved' | 'alone' }
  | { readonly outcome: 'refused'; readonly message: string };

/** What edits of cells ask of the service. */
export interface EditService {
  /** Reads the cell from the service. `cellId` when it is known from an earlier time. */
  readonly read: (
    address: CellAddress,
    cellId: string | undefined,
    signal: AbortSignal,
  ) => Promise<FoundText>;
  readonly write: (
    cellId: string,
    text: string | null,
    signal: AbortSignal,
    address: CellAddress,
  ) => Promise<{ readonly version: number | undefined; readonly staleCount: number }>;
  /** Many with one request. Answers undefined where the service has no such request. */
  readonly writeMany?: (
    writes: readonly ManyWrite[],
    signal: AbortSignal,
  ) => Promise<readonly ManyResult[] | undefined>;
}
