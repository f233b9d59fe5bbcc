import type { OperationRequest } from '../../core/index.ts';
import type { SentError } from '../../protocol/channel.ts';
import type { RunOutcome } from '../../protocol/grid.ts';
import type { Progress } from '../shell/progress.ts';
import type { Block, PasteForm } from '../../protocol/grid-work.ts';
import type { Translate } from '../shell/translate.ts';
import type { CopiedForm } from './paste/note-copied.ts';
import type { Form } from './paste/forms.ts';

export interface RunOrder {
  readonly request: OperationRequest;
  readonly cellCount: number;
  readonly isUpperLimit: boolean;
  /** What is run, for the question. */
  readonly subject: string;
}

/** What a sheet needs of the editor around it. Implemented with VS Code in `vscode-editor-host.ts`. */
export interface EditorHost {
  readonly t: Translate;
  /** Asks where asking is due, then starts the operation. */
  runCells(order: RunOrder, signal: AbortSignal): Promise<RunOutcome>;
  confirmDelete(rows: number): Promise<boolean>;
  /** `notes`: what happens beside changing the cells. */
  confirmChange(notes: readonly string[]): Promise<boolean>;
  /** No answer to a request for `count` rows; `found` are new at the end, not all of them so. */
  confirmRowsAgain(found: number, count: number): Promise<boolean>;
  /** All edits in conflict or refused are given up. */
  confirmDiscard(edits: number): Promise<boolean>;
  /**
   * Work that a window left behind and that can't be taken up without its person. `canGoOn`: it could
   * be carried out as it was meant. Undefined: not now.
   */
  askLeftBehind(what: string, canGoOn: boolean): Promise<'go' | 'copy' | 'discard' | undefined>;
  /** How something ended that its view is not there any more to tell. */
  announce(text: string, isTrouble: boolean): void;
  /** `copied`: cells, and how their text is read when it comes back. */
  writeClipboard(text: string, copied?: CopiedForm): Promise<void>;
  readClipboard(): Promise<string>;
  /** The cells that were copied, when this is the text of the last copy of a grid. */
  copiedCells(text: string): Block | undefined;
  /** What a text is to be pasted as; undefined: not at all. */
  askPasteForm(forms: readonly Form[]): Promise<PasteForm | undefined>;
  openValue(value: {
    readonly cellId: string;
    readonly name: string;
    readonly language: 'json' | 'markdown' | 'plaintext';
  }): Promise<void>;
  /** Shown only when it takes a while; its Cancel reaches the signal. */
  withProgress<Result>(
    title: string,
    signal: AbortSignal,
    work: (signal: AbortSignal, progress: Progress) => Promise<Result>,
  ): Promise<Result>;
  /** A passing remark, for example in the status bar. */
  remark(text: string): void;
  copySettings(): { readonly formulaGuard: boolean; readonly limitBytes: number };
  /** Tells the other views of this window. */
  changed(what: 'rows' | { readonly operationId: string }): void;
  /** To the log. */
  note(error: unknown, doing: string): void;
  describe(error: unknown): SentError;
}
