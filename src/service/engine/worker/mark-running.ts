import type { Database } from '../../store/database.ts';
import { raiseVersion } from '../../store/scope.ts';
import { lockSheet } from '../operations/lock-sheet.ts';
import type { Claim } from './claim.ts';
import { heldRanges, rowsOfRanges } from './task-ranges.ts';

interface Place {
  readonly rowIndex: number;
  readonly columnKey: number;
}

/** Shows that slow cells are being computed, unless the claim is lost. */
async function markRunning(
  database: Database,
  claim: Claim,
  places: readonly Place[],
): Promise<void> {
  const { sheetKey, operationKey } = claim;
  await database.transaction(async (session) => {
    if ((await lockSheet(database, session, sheetKey)) === undefined) return;
    const held = new Set(rowsOfRanges(await heldRanges(session, claim)));
    let changed = 0;
    for (const { rowIndex, columnKey } of places) {
      if (!held.has(rowIndex)) continue;
      changed += await session.run(
        `update cells set status = 'running', updated_at = ?
         where sheet_key = ? and row_index = ? and column_key = ? and status = 'queued' and operation_key = ?`,
        [Date.now(), sheetKey, rowIndex, columnKey, operationKey],
      );
    }
    if (changed > 0) await raiseVersion(session, sheetKey);
  });
}

/** A slow cell is shown as running only when it takes longer than this. */
const SHOW_AFTER_MS = 60;
/** Cells that are to be shown share a transaction: each one keeps an embedded database for itself. */
const TOGETHER_MS = 60;

/** Of one cell. */
export interface RunningMark {
  readonly begin: () => void;
  readonly end: () => Promise<void>;
}

/** The cells of a claim that are being computed, as its readers see them. */
export class RunningMarks {
  readonly #show: (places: readonly Place[]) => Promise<void>;
  readonly #due = new Set<Place>();
  #showing = Promise.resolve();

  constructor(database: Database, claim: Claim, failed: (error: unknown) => void) {
    this.#show = (places) => markRunning(database, claim, places).catch(failed);
  }

  /** For a cell that has not begun yet. */
  of(rowIndex: number, columnKey: number): RunningMark {
    const place = { rowIndex, columnKey };
    let timer: NodeJS.Timeout | undefined;
    return {
      begin: () => {
        clearTimeout(timer);
        timer = setTimeout(() => this.#add(place), SHOW_AFTER_MS);
      },
      // What comes of a cell is written after its mark, never before.
      end: async () => {
        clearTimeout(timer);
        if (!this.#due.delete(place)) await this.#showing;
      },
    };
  }

  #add(place: Place): void {
    this.#due.add(place);
    if (this.#due.size === 1) setTimeout(() => this.#showDue(), TOGETHER_MS);
  }

  #showDue(): void {
    const places = [...this.#due];
    this.#due.clear();
    if (places.length > 0) this.#showing = this.#showing.then(() => this.#show(places));
  }
}
