import type { CopyFormat, RunScope } from '../../../protocol/grid.ts';
import type { GridLayout, GridSheet } from '../../../protocol/grid-sheet.ts';
import type { LogAction } from '../../../protocol/request-log.ts';
import type { ColumnAction, SortKey } from '../../../protocol/grid-work.ts';
import type { Clip } from '../edit/clipboard.ts';

/** What menus, buttons, keys and commands can set in motion. */
export interface GridActions {
  readonly copy: (format: CopyFormat, headers: boolean) => void;
  readonly cut: () => void;
  /** Without a clip: what VS Code reads from the clipboard. */
  readonly paste: (clip?: Clip) => void;
  /** Asks what it is, whatever it is. */
  readonly pasteAs: () => void;
  readonly edit: () => void;
  /** Empties what is selected. */
  readonly clear: () => void;
  readonly run: (scope: RunScope) => void;
  readonly openValue: () => void;
  readonly toggleDetails: () => void;
  /** Row by position. */
  readonly goToRow: (row: number) => void;
  readonly goToColumn: (columnId: string) => void;
  readonly addRow: () => void;
  readonly deleteRows: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly setLayout: (layout: GridLayout) => void;
  readonly moveColumn: (step: -1 | 1) => void;
  readonly widen: (step: number) => void;
  /** `columnId`: of the log of requests. */
  readonly sort: (order: GridSheet['order'], columnId?: string) => void;
  readonly showSystemColumns: (show: boolean) => void;
  readonly reload: () => void;
  /** Of the log of requests. */
  readonly take: (action: LogAction) => void;
  readonly search: (text: string) => void;
  /** Place of the filter to change; null: a new one. */
  readonly filter: (at: number | null) => void;
  /** Null: all of them. */
  readonly dropFilter: (at: number | null) => void;
  readonly more: (all: boolean) => void;
  readonly find: () => void;
  readonly filterRows: () => void;
  readonly clearFilter: () => void;
  readonly filterBy: (columnId: string) => void;
  readonly sortBy: (key: SortKey) => void;
  readonly fillDown: () => void;
  readonly setNull: () => void;
  readonly columnAction: (action: ColumnAction, columnId: string) => void;
  /** `isFinal`: not while a column is being dragged wider. */
  readonly arrange: (layout: GridLayout, isFinal: boolean) => void;
  /** Keeps a column's new place on the service, where that can be. */
  readonly keepMove: (columnId: string, beforeId: string | undefined) => void;
  /** Stops the work on many cells that is under way. */
  readonly stopSaving: () => void;
  /** False when it could not be asked for. */
  readonly cancelOperation: (operationId: string) => Promise<boolean>;
}
