import * as vscode from 'vscode';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { isPromptTablesError } from '../../core/errors.ts';
import type { SentError } from '../../protocol/channel.ts';
import type { Progress } from '../shell/progress.ts';
import { withProgress } from '../shell/progress.ts';
import { runCells } from '../cells/run-cells.ts';
import type { EditorHost } from './editor-host.ts';
import { clipboardHost } from './paste/clipboard-host.ts';
import { openValue } from './cells/values.ts';
import { setStatusBarMessage, showWarningMessage } from '../shell/shown.ts';

/** Work that ends sooner shows no progress. */
const quietMs = 700;
const remarkMs = 8000;

const spelled = (number: number): string =>
  new Intl.NumberFormat(vscode.env.language).format(number);

/** Our own errors of the grid carry a code and a hint as well. */
export function describeForGrid(app: App, error: unknown): SentError {
  const described = app.errors.describe(error);
  if (!(error instanceof Error) || isPromptTablesError(error)) return described;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : described.code;
  const hint = 'hint' in error && typeof error.hint === 'string' ? { hint: error.hint } : {};
  return { ...described, code, ...hint };
}

async function withLateProgress<Result>(
  app: App,
  title: string,
  signal: AbortSignal,
  work: (signal: AbortSignal, progress: Progress) => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController();
  let latest: Parameters<Progress['report']>[0] = {};
  let report: Progress['report'] = (step) => (latest = step);
  const running = work(AbortSignal.any([signal, stopping.signal]), {
    report: (step) => report(step),
  });
  const ended = running.then(
    () => undefined,
    () => undefined, // the caller gets the error from `running` itself
  );
  const timer = setTimeout(() => {
    void withProgress(app, { title, where: 'notification' }, async (stop, progress) => {
      stop.addEventListener('abort', () => stopping.abort(stop.reason), { once: true });
      report = (step) => progress.report(step);
      report(latest);
      await ended;
    });
  }, quietMs);
  try {
    return await running;
  } finally {
    clearTimeout(timer);
  }
}

/** The editor host of one panel. */
export function vscodeEditorHost(app: App, address: SheetAddress): EditorHost {
  const workspace = (): string =>
    app.connections.get(address.connectionId)?.name ?? address.connectionId;
  return {
    t: (message, ...args) =>
      vscode.l10n.t(message, ...args.map((arg) => (typeof arg === 'number' ? spelled(arg) : arg))),
    runCells: (order, signal) => runCells(app, { ...order, address, signal }),
    async confirmDelete(rows) {
      const button = vscode.l10n.t('Delete');
      const question =
        rows === 1
          ? vscode.l10n.t('Delete 1 row?')
          : vscode.l10n.t('Delete {0} rows?', spelled(rows));
      const detail = vscode.l10n.t(
        'Their cells in the workspace {0} are deleted too. Only a saved version can restore them.',
        workspace(),
      );
      const answer = await showWarningMessage(question, { modal: true, detail }, button);
      return answer === button;
    },
    async confirmChange(notes) {
      const button = vscode.l10n.t('Change');
      const answer = await showWarningMessage(
        vscode.l10n.t('Change cells in the workspace {0}?', workspace()),
        { modal: true, detail: notes.join('\n') },
        button,
      );
      return answer === button;
    },
    async confirmRowsAgain(found, count) {
      const again = vscode.l10n.t('Add Again');
      const message = vscode.l10n.t(
        "The service didn't confirm that {0} rows were added. The sheet has {1} new rows at its end, and some differ from what was sent. Add {0} rows again?",
        count,
        found,
      );
      const answer = await showWarningMessage(message, { modal: true }, again);
      return answer === again;
    },
    async confirmDiscard(edits) {
      const button = vscode.l10n.t('Discard');
      const question =
        edits === 1
          ? vscode.l10n.t('Discard 1 unsaved change?')
          : vscode.l10n.t('Discard {0} unsaved changes?', edits);
      const detail = vscode.l10n.t('The cells keep the values that the service has.');
      const answer = await showWarningMessage(question, { modal: true, detail }, button);
      return answer === button;
    },
    async askLeftBehind(what, canGoOn) {
      const go = vscode.l10n.t('Do It Now');
      const copy = vscode.l10n.t('Copy Text');
      const discard = vscode.l10n.t('Discard');
      const name = app.openSheets.titleOf(address);
      const message = name === undefined ? what : `${name}: ${what}`;
      const buttons = canGoOn ? [go, copy, discard] : [copy, discard];
      const answer = await showWarningMessage(message, ...buttons);
      if (answer === go) return 'go';
      if (answer === copy) return 'copy';
      return answer === discard ? 'discard' : undefined;
    },
    announce(text, isTrouble) {
      const name = app.openSheets.titleOf(address);
      const message = name === undefined ? text : `${name}: ${text}`;
      if (isTrouble) void showWarningMessage(message);
      else setStatusBarMessage(message, remarkMs);
    },
    ...clipboardHost(app),
    openValue: (value) => openValue({ ...value, address }),
    withProgress: (title, signal, work) => withLateProgress(app, title, signal, work),
    remark(text) {
      setStatusBarMessage(text, remarkMs);
    },
    copySettings: () => ({
      formulaGuard: app.settings.get('copy.formulaGuard'),
      limitBytes: app.settings.get('copy.limitMegabytes') * 1_048_576,
    }),
    changed(what) {
      const sheet = { ...refOf(address), connectionId: address.connectionId };
      if (what === 'rows') app.changes.tell({ ...sheet, what });
      else app.changes.tell({ ...sheet, what: 'operation', operationId: what.operationId });
    },
    note: (error, doing) => app.errors.note(error, doing),
    describe: (error) => describeForGrid(app, error),
  };
}
