import { hasErrorCode } from '../../core/errors.ts';
import type { GridColumn } from '../../protocol/grid-sheet.ts';
import type { ViewEvents } from '../../protocol/grid.ts';
import type { EditorHost } from './editor-host.ts';
import type { SheetSource, SheetTitles } from './rows/source.ts';

export interface PresenceOptions {
  readonly source: Pick<SheetSource, 'titles'>;
  readonly editorHost: EditorHost;
  /** Its names, or whether it is there, are not what they were. */
  readonly changed: () => void;
  readonly now?: () => number;
}

/** Names change rarely, and each look at them costs two requests. */
const namesPauseMs = 15_000;

/** What somebody tried on a sheet that is not there any more. */
export class SheetGoneError extends Error {
  override readonly name = 'SheetGoneError';
  readonly code = 'not_found';
}

/** Whether the sheet is still there, and what it is called. */
export class SheetPresence {
  readonly #options: PresenceOptions;
  titles: SheetTitles | undefined;
  #readAt = -Infinity;
  #isGone = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Something was renamed, here or elsewhere in this window. */
  expire(): void {
    this.#readAt = -Infinity;
  }

  async read(signal: AbortSignal): Promise<void> {
    const { source, changed, now = () => performance.now() } = this.#options;
    const before = this.titles;
    this.titles = await source.titles(signal);
    this.#readAt = now();
    const isOther = before?.sheet !== this.titles.sheet || before.table !== this.titles.table;
    if (before !== undefined && isOther) changed();
  }

  /** Reads the names again when it is time. */
  async follow(signal: AbortSignal): Promise<void> {
    const { now = () => performance.now() } = this.#options;
    if (now() - this.#readAt >= namesPauseMs) await this.read(signal);
    this.#set(false);
  }

  /** The problem to be told when an error says that the sheet is not there any more. */
  problemOf(error: unknown): ViewEvents['problem'] | undefined {
    if (!hasErrorCode(error, 'not_found')) return undefined;
    this.#set(true);
    const { t } = this.#options.editorHost;
    return {
      message: t('This sheet was deleted, or the key of its workspace can no longer open it.'),
      hint: t('This is the state that was last read.'),
      retry: false,
      isGone: true,
    };
  }

  /** An error of a sheet that is gone says so, and no address that was not found. */
  named(error: unknown): unknown {
    if (!this.#isGone || !hasErrorCode(error, 'not_found')) return error;
    return new SheetGoneError(this.#options.editorHost.t('This sheet was deleted.'));
  }

  /** Refuses what would change a sheet that is not there. */
  check(): void {
    if (!this.#isGone) return;
    const { t } = this.#options.editorHost;
    throw new SheetGoneError(t("This sheet was deleted. Its cells can't be changed or run."));
  }

  /** Nothing can be typed into a sheet that is gone. */
  columns(columns: readonly GridColumn[]): readonly GridColumn[] {
    return this.#isGone ? columns.map((column) => ({ ...column, editable: false })) : columns;
  }

  #set(isGone: boolean): void {
    if (this.#isGone === isGone) return;
    this.#isGone = isGone;
    this.#options.changed();
  }
}
