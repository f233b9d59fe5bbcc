import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import { isCancellation } from '../../core/errors.ts';
import type { Handlers } from '../../protocol/channel.ts';
import type {
  ImportFault,
  ImportLook,
  ImportNews,
  ImportOption,
  ImportRequests,
  ImportRequest,
} from '../../protocol/import.ts';
import type { SheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { checkMessage } from '../panels/check-message.ts';
import { columnsOfSheet } from '../ask/column-places.ts';
import { runCommand } from '../shell/commands.ts';
import { importFormId } from '../contributions.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { PageLink } from '../panels/page-link.ts';
import { withProgress } from '../shell/progress.ts';
import { placeOf } from '../panels/run-problem.ts';
import { createWebviewPanel } from '../shell/shown.ts';
import { questionOf, readChoices } from './fields.ts';
import { faultOfRequest, lookOf, type SheetColumn } from './look.ts';
import { titleOfFile, type PickedFile } from './picked-file.ts';
import { runTask } from './run-task.ts';
import { carryOut, FileRefused, refused, words, workerPath } from './send.ts';
import type { FirstRows, ImportTask } from './task.ts';
import { faultText, remarkText } from './words.ts';

const choices = z.record(z.string(), z.string());
const requests: {
  readonly [Name in keyof ImportRequests]: z.ZodType<ImportRequests[Name]['params']>;
} = {
  ready: z.null(),
  look: z.object({ choices, sheetId: z.string() }),
  save: z.object({
    ...{ choices, sheetId: z.string(), title: z.string().max(1000) },
    columns: z.array(
      z.object({ from: z.int().min(0), title: z.string().max(1000), goal: z.string() }),
    ),
  }),
  cancel: z.null(),
};
export const checkFromImport = checkMessage('The page of an import', {
  request: requests,
  event: {},
});

/** Where a file is imported to. */
export interface ImportTarget {
  readonly connectionId: string;
  readonly tableId: string;
  /** The sheet that was meant; absent: a new one. */
  readonly sheetId?: string | undefined;
}

type NoMessages = Readonly<Record<string, never>>;

const columnsOf = async (app: App, address: SheetAddress): Promise<readonly SheetColumn[]> => {
  const client = await app.connections.client(address.connectionId, { signal: app.signal });
  return columnsOfSheet(client, address, app.signal);
};

const mostSheets = 200;

async function facts(app: App, { connectionId, tableId }: ImportTarget) {
  const { tables } = await app.connections.client(connectionId, { signal: app.signal });
  const options = { signal: app.signal };
  const sheets: ImportOption[] = [];
  for await (const { id, title } of tables.sheets.list(tableId, { limit: 100 }, options)) {
    sheets.push({ value: id, label: title });
    if (sheets.length >= mostSheets) break;
  }
  return { table: (await tables.get(tableId, options)).title, sheets };
}

/** A look at a file, all of it: its first rows at once, the rest is counted behind them. */
class Look {
  readonly #stopping = new AbortController();
  readonly first: Promise<FirstRows>;

  constructor(
    program: string,
    task: ImportTask,
    tell: (rows: number, end?: Awaited<ReturnType<typeof runTask>>) => void,
    fail: (error: unknown) => void,
  ) {
    const { signal } = this.#stopping;
    this.first = new Promise((resolve, reject) => {
      const listener = { first: resolve, count: (rows: number) => tell(rows) };
      runTask(program, task, listener, signal).then(
        (end) => {
          // Nothing was seen of a file that could not even be opened.
          const nothing = { fields: [], rows: [], lines: [] };
          resolve({ form: { format: 'delimited' }, ...nothing, fault: end.fault });
          tell(end.rows, end);
        },
        (error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
          if (!signal.aborted) fail(error);
        },
      );
    });
    // The waiting caller gets the error, if it still waits.
    this.first.catch(() => undefined);
  }

  stop(): void {
    this.#stopping.abort(new vscode.CancellationError());
  }
}

/** A page in an editor tab that shows how a file will be imported, and lets it be changed. */
export async function openImport(app: App, target: ImportTarget, file: PickedFile): Promise<void> {
  const own = new DisposableStore();
  own.defer(() => void file.release());
  try {
    const { table, sheets } = await facts(app, target);
    new ImportPanel(app, { target, file, table, sheets }).connect(own);
  } catch (error) {
    own.dispose();
    throw error;
  }
}

interface Shown {
  readonly target: ImportTarget;
  readonly file: PickedFile;
  readonly table: string;
  readonly sheets: readonly ImportOption[];
}

/** The tab, and what its page asks for. */
class ImportPanel {
  readonly #app: App;
  readonly #shown: Shown;
  readonly #panel: vscode.WebviewPanel;
  #link: PageLink<ImportRequests, NoMessages, NoMessages, ImportNews> | undefined;
  #looks = 0;
  #current: Look | undefined;

  constructor(app: App, shown: Shown) {
    this.#app = app;
    this.#shown = shown;
    this.#panel = createWebviewPanel(
      importFormId,
      vscode.l10n.t('Import {0}', shown.file.name),
      vscode.ViewColumn.Active,
      { retainContextWhenHidden: false },
    );
    this.#panel.iconPath = new vscode.ThemeIcon('cloud-upload');
  }

  /** Fills the tab; what it needs goes when it is closed. */
  connect(own: DisposableStore): void {
    this.#panel.onDidDispose(() => own.dispose());
    own.defer(() => this.#current?.stop());
    this.#link = own.add(
      new PageLink<ImportRequests, NoMessages, NoMessages, ImportNews>({
        ...{ app: this.#app, panel: this.#panel, bundle: 'import', what: 'page of an import' },
        ...{ handlers: this.#handlers(), listeners: {}, check: checkFromImport },
      }),
    );
  }

  #handlers(): Handlers<ImportRequests> {
    const formId = randomUUID();
    const { target, file, table, sheets } = this.#shown;
    return {
      ready: () => ({
        ...{ formId, fileName: file.name, table, sheets, title: titleOfFile(file.name) },
        connection: placeOf(this.#app, target.connectionId),
        sheetId: target.sheetId ?? '',
      }),
      look: (asked) => this.#look(asked),
      save: (request) => this.#save(request),
      cancel: () => {
        this.#panel.dispose();
        return null;
      },
    };
  }

  async #look(asked: Pick<ImportRequest, 'choices' | 'sheetId'>): Promise<ImportLook> {
    this.#current?.stop();
    this.#looks += 1;
    const id = this.#looks;
    const { file } = this.#shown;
    const look = new Look(
      workerPath(this.#app),
      { path: file.path, name: file.name, choices: readChoices(asked.choices) },
      (rows, end) => {
        if (id === this.#looks) this.#tellCount(id, rows, end);
      },
      (error) => this.#app.errors.show(error, { doing: 'Reading a file' }),
    );
    this.#current = look;
    const sheet = await this.#columnsOf(asked.sheetId);
    return lookOf(await look.first, { id, choices: asked.choices, sheet }, words());
  }

  /** Null: a new sheet. */
  async #columnsOf(sheetId: string): Promise<readonly SheetColumn[] | null> {
    const { connectionId, tableId } = this.#shown.target;
    return sheetId === '' ? null : columnsOf(this.#app, { connectionId, tableId, sheetId });
  }

  #tellCount(look: number, rows: number, end?: Awaited<ReturnType<typeof runTask>>): void {
    const { t } = vscode.l10n;
    const { number } = words();
    const fault = end?.fault ?? null;
    const text =
      end === undefined
        ? t('Rows so far: {0}', number(rows))
        : fault === null
          ? t('Rows: {0}', number(rows))
          : t('Rows that could be read: {0}', number(rows));
    this.#link?.channel?.emit('counted', {
      ...{ look, rows: text },
      remarks: (end?.remarks ?? []).map((remark) => remarkText(remark, words())),
      fault: fault === null ? null : faultText(fault, words()),
    });
  }

  async #save(request: ImportRequest): Promise<ImportFault | null> {
    const { t } = vscode.l10n;
    const { sheetId } = request;
    const { file, target } = this.#shown;
    const sheet = await this.#columnsOf(sheetId);
    const first = await this.#current?.first;
    const question = first === undefined ? null : questionOf(first.form, request.choices, t);
    if (question !== null) return { field: null, message: question };
    const fault = faultOfRequest(request, sheet, t);
    if (fault !== null) return fault;
    const settled = {
      ...{ connectionId: target.connectionId, tableId: target.tableId, file },
      ...{ title: request.title.trim(), columns: request.columns },
      sheet: sheet === null ? null : { id: sheetId, columns: sheet },
      choices: readChoices(request.choices),
      isText: first?.form.format === 'delimited',
    };
    try {
      const title = t('Importing {0}', file.name);
      const address = await withProgress(
        this.#app,
        { title, where: 'notification' },
        (signal, progress) => carryOut(this.#app, settled, { signal, progress }),
      );
      this.#panel.dispose();
      await runCommand('promptTables.openSheet', address);
      return null;
    } catch (error) {
      if (isCancellation(error)) return { field: null, message: t('The import was canceled.') };
      if (!(error instanceof FileRefused)) throw error;
      return { field: null, message: [error.message, error.hint ?? ''].join(' ') };
    }
  }
}

/** The same without a page, for other code: with all that can be found out, and all columns. */
export async function importAtOnce(
  app: App,
  target: ImportTarget,
  file: PickedFile,
): Promise<SheetAddress> {
  const { connectionId, tableId } = target;
  const title = vscode.l10n.t('Importing {0}', file.name);
  try {
    return await withProgress(app, { title, where: 'notification' }, async (signal, progress) => {
      let first: FirstRows | undefined;
      const task = { path: file.path, name: file.name, choices: {} };
      const listener = { first: (rows: FirstRows) => (first = rows) };
      const { fault } = await runTask(workerPath(app), task, listener, signal);
      if (fault !== null) throw refused(file, fault);
      const question = first === undefined ? null : questionOf(first.form, {}, vscode.l10n.t);
      if (first === undefined || question !== null) {
        throw new FileRefused(vscode.l10n.t('{0} could not be imported.', file.name), {
          hint: question ?? undefined,
        });
      }
      const { columns } = lookOf(first, { id: 0, choices: {}, sheet: null }, words());
      const settled = {
        ...{ connectionId, tableId, file, sheet: null, title: titleOfFile(file.name) },
        ...{ choices: {}, columns, isText: first.form.format === 'delimited' },
      };
      return carryOut(app, settled, { signal, progress });
    });
  } finally {
    await file.release();
  }
}
