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
import { questionsHost, spelled } from './questions-host.ts';
import { clipboardHost } from './paste/clipboard-host.ts';
import { openValue } from './cells/values.ts';
import { setStatusBarMessage, showWarningMessage } from '../shell/shown.ts';

/** Work that ends sooner shows no progress. */
const quietMs = 700;
const remarkMs = 8000;

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
  return {
    t: (message, ...args) =>
      vscode.l10n.t(message, ...args.map((arg) => (typeof arg === 'number' ? spelled(arg) : arg))),
    runCells: (order, signal) => runCells(app, { ...order, address, signal }),
    ...questionsHost(app, address),
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
