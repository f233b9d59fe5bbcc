import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import type { SavingProgress } from '../../protocol/grid-edits.ts';
import type { Progress } from '../shell/progress.ts';
import { withProgress } from '../shell/progress.ts';
import type { Session } from './session.ts';
import { createStatusBarItem, showWarningMessage } from '../shell/shown.ts';

export interface UnseenOptions {
  /** A tab shows the sheet. */
  readonly isSeen: () => boolean;
  readonly open: () => void;
}

/** Work that ends sooner shows no progress. */
const quietMs = 700;

/** Shows what is under way in a sheet while no tab shows it. */
export class UnseenWork {
  readonly #app: App;
  readonly #session: Session;
  readonly #options: UnseenOptions;
  #timer: NodeJS.Timeout | undefined;
  #shown: { readonly report: Progress['report']; readonly end: () => void } | undefined;
  #item: ReturnType<typeof createStatusBarItem> | undefined;

  constructor(app: App, session: Session, options: UnseenOptions) {
    this.#app = app;
    this.#session = session;
    this.#options = options;
  }

  /** Work, or who sees it, has changed. */
  update(): void {
    const { saving, unsavedCount } = this.#session;
    const isSeen = this.#options.isSeen();
    if (isSeen || saving === null || saving === undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#shown?.end();
      this.#shown = undefined;
    } else if (this.#shown === undefined) {
      this.#timer ??= setTimeout(() => this.#show(), quietMs).unref();
    } else this.#report(saving);
    this.#showCount(isSeen || saving ? 0 : unsavedCount);
  }

  /** Cells that wait for their person, in a sheet that is not open. */
  tellOpen(count: number): void {
    const open = vscode.l10n.t('Open Sheet');
    const { title = '' } = this.#session;
    const message =
      count === 1
        ? vscode.l10n.t(
            '1 cell of {0} is not saved: someone else changed it, or the service rejected it.',
            title,
          )
        : vscode.l10n.t(
            '{0} cells of {1} are not saved: someone else changed them, or the service rejected them.',
            new Intl.NumberFormat(vscode.env.language).format(count),
            title,
          );
    const ask = async (): Promise<void> => {
      if ((await showWarningMessage(message, open)) === open) this.#options.open();
    };
    ask().catch((error: unknown) => this.#app.errors.show(error));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#shown?.end();
    this.#item?.dispose();
  }

  #report({ message, percent }: SavingProgress): void {
    this.#shown?.report({ message, ...(percent !== undefined && { percent }) });
  }

  #show(): void {
    this.#timer = undefined;
    const { saving, title = '' } = this.#session;
    if (saving === null || saving === undefined || this.#options.isSeen()) return;
    const name = title === '' ? saving.title : `${saving.title} · ${title}`;
    void withProgress(this.#app, { title: name, where: 'notification' }, async (stop, progress) => {
      stop.addEventListener('abort', () => this.#session.stopSaving(), { once: true });
      await new Promise<void>((end) => {
        this.#shown = { report: (step) => progress.report(step), end };
        this.#report(saving);
      });
    });
  }

  /** Edits that wait for the service. */
  #showCount(count: number): void {
    if (count === 0) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    this.#item ??= createStatusBarItem('promptTables.unsavedCells', 0, {
      name: vscode.l10n.t('Prompt Tables unsaved cells'),
    });
    const { title = '' } = this.#session;
    const text =
      count === 1
        ? vscode.l10n.t('1 cell not saved')
        : vscode.l10n.t(
            '{0} cells not saved',
            new Intl.NumberFormat(vscode.env.language).format(count),
          );
    const tooltip = vscode.l10n.t(
      'Kept on this computer and sent when the service accepts it: {0}',
      title,
    );
    this.#item.show({ icon: 'sync', text, tooltip, spoken: `${text}. ${tooltip}` });
  }
}
