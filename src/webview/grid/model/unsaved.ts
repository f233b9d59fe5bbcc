import type { CellAddress } from '../../../protocol/grid-cells.ts';
import type { UnsavedChange, UnsavedEdit } from '../../../protocol/grid-edits.ts';

const keyOf = ({ rowIndex, columnId }: CellAddress): string => `${rowIndex} ${columnId}`;

/** Texts that the service does not have yet, by their cells. */
export class Unsaved {
  #edits = new Map<string, UnsavedEdit>();
  readonly #sending = new Map<string, UnsavedEdit>();

  get all(): readonly UnsavedEdit[] {
    return [...this.#edits.values()];
  }

  replace(edits: readonly UnsavedEdit[]): void {
    this.#edits = new Map(edits.map((edit) => [keyOf(edit), edit]));
  }

  /** What has changed among them. */
  apply({ changed, gone }: Pick<UnsavedChange, 'changed' | 'gone'>): void {
    for (const address of gone) this.#edits.delete(keyOf(address));
    for (const edit of changed) this.#edits.set(keyOf(edit), edit);
  }

  /** Between committing an edit and the extension's own word of it. */
  setSending(address: CellAddress, text: string | undefined): void {
    if (text === undefined) this.#sending.delete(keyOf(address));
    else this.#sending.set(keyOf(address), { ...address, text, state: 'sending' });
  }

  at(address: CellAddress): UnsavedEdit | undefined {
    // Asked for every cell that is drawn, and hardly ever is there one.
    if (this.#edits.size === 0 && this.#sending.size === 0) return undefined;
    const key = keyOf(address);
    return this.#sending.get(key) ?? this.#edits.get(key);
  }
}
