import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { promptLayerHost } from '../shell/known-hosts.ts';
import { isCancellation } from '../../core/errors.ts';
import type { ViewEvents } from '../../protocol/grid.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import { columnHandlers } from './columns/column-actions.ts';
import { countInJournals, removeJournals, sheetsLeftBehind } from './edit/journal-files.ts';
import { Journal } from './edit/journal.ts';
import type { Layouts } from './columns/layouts.ts';
import { vscodeEditorHost } from './vscode-editor-host.ts';
import { Session } from './session.ts';
import { sheetSource } from './rows/source.ts';
import { Spool, spoolFolder, spoolName } from './rows/spool.ts';
import { UnseenWork } from './unseen-work.ts';
import { showInformationMessage } from '../shell/shown.ts';

export type Emit = <Name extends keyof ViewEvents>(name: Name, payload: ViewEvents[Name]) => void;

/** A view of a session, while there is one. */
export interface SessionView {
  readonly emit: Emit;
  readonly isShown: () => boolean;
}

interface Entry {
  readonly key: string;
  readonly address: SheetAddress;
  readonly session: Session;
  readonly unseen: UnseenWork;
  view: SessionView | undefined;
}

const keyOf = ({ connectionId, tableId, sheetId }: SheetAddress): string =>
  [connectionId, tableId, sheetId].join('\n');

/** As long as a file name may be, whatever the ids are. */
const folderOf = (address: SheetAddress): string =>
  createHash('sha256').update(keyOf(address)).digest('hex').slice(0, 32);

/** When work of a window that was just killed is looked for: it may still have been at it. */
const looksAfterMs = [0, 5000, 20_000, 70_000];

/**
 * The sheets that are open or have work under way: a session outlives its tab until what its person
 * has confirmed is done.
 */
export class Sessions {
  readonly #app: App;
  readonly #layouts: Layouts;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(app: App, layouts: Layouts) {
    this.#app = app;
    this.#layouts = layouts;
  }

  /** The session of a sheet, with its view. */
  attach(address: SheetAddress, view: SessionView): Session {
    const entry = this.#entries.get(keyOf(address)) ?? this.#open(address);
    entry.view = view;
    entry.unseen.update();
    return entry.session;
  }

  /** The tab is closed. The session goes when it has nothing to do any more. */
  async detach(address: SheetAddress, view: SessionView): Promise<void> {
    const entry = this.#entries.get(keyOf(address));
    if (entry?.view !== view) return;
    entry.view = undefined;
    entry.session.hide();
    const { draft } = entry.session;
    if (draft !== null && !this.#app.signal.aborted) this.#tellDraft(entry);
    entry.unseen.update();
    await this.#closeWhenIdle(entry);
  }

  /** A view has been shown or hidden. */
  viewChanged(address: SheetAddress): void {
    this.#entries.get(keyOf(address))?.unseen.update();
  }

  /** Work that windows that are gone have left in any sheet is finished. */
  finishLeftBehind(): void {
    for (const afterMs of looksAfterMs) {
      const look = (): void => {
        this.#finishLeftBehind().catch((error: unknown) => {
          if (!isCancellation(error)) this.#app.errors.note(error, 'Looking for unsaved edits');
        });
      };
      this.#timers.push(setTimeout(look, afterMs).unref());
    }
  }

  /** Cells, works on many and texts being typed that are not saved, open or not. */
  async unsavedCount(connectionId: string): Promise<number> {
    const open = this.#of(connectionId);
    const elsewhere = await countInJournals(
      this.#root,
      connectionId,
      new Set(open.map(({ address }) => folderOf(address))),
    );
    return open.reduce(
      (sum, { session }) => sum + session.unsavedCount + (session.draft === null ? 0 : 1),
      elsewhere,
    );
  }

  /** Gives them up. */
  async discard(connectionId: string): Promise<void> {
    for (const entry of this.#of(connectionId)) await entry.session.discard();
    await removeJournals(this.#root, connectionId);
  }

  /** The window closes: what is not done stays in the journals. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)));
    await Promise.all(this.#closing.values());
  }

  get #root(): string {
    return path.join(this.#app.context.globalStorageUri.fsPath, 'unsaved');
  }

  #of(connectionId: string): readonly Entry[] {
    return [...this.#entries.values()].filter((one) => one.address.connectionId === connectionId);
  }

  async #finishLeftBehind(): Promise<void> {
    for (const address of await sheetsLeftBehind(this.#root)) {
      if (this.#app.connections.get(address.connectionId) === undefined) continue;
      const entry = this.#entries.get(keyOf(address)) ?? this.#open(address);
      entry.session
        .takeUp()
        .catch((error: unknown) => {
          if (!isCancellation(error)) this.#app.errors.note(error, 'Finishing unsaved edits');
        })
        .finally(() => void this.#closeWhenIdle(entry));
    }
  }

  #open(address: SheetAddress): Entry {
    const key = keyOf(address);
    /** The session tells of itself, also before and after it is among the entries. */
    const ownEntry = (): Entry | undefined => {
      const entry = this.#entries.get(key);
      return entry !== undefined && entry.session === session ? entry : undefined;
    };
    const session: Session = this.#newSession(address, {
      emit: (name, payload) => ownEntry()?.view?.emit(name, payload),
      onWork: () => {
        const entry = ownEntry();
        entry?.unseen.update();
        if (entry !== undefined && entry.view === undefined) void this.#closeWhenIdle(entry);
      },
    });
    const unseen = new UnseenWork(this.#app, session, {
      isSeen: () => ownEntry()?.view?.isShown() === true,
      open: () => void runCommand('promptTables.openSheet', address),
    });
    const entry: Entry = { key, address, session, unseen, view: undefined };
    this.#entries.set(key, entry);
    return entry;
  }

  async #closeWhenIdle(entry: Entry): Promise<void> {
    // The word that it is idle comes a moment before whoever waits for the work goes on.
    await new Promise((resolve) => setImmediate(resolve));
    if (entry.view !== undefined || entry.session.isBusy) return;
    if (this.#entries.get(entry.key) !== entry) return;
    const open = entry.session.needsUser;
    if (open > 0 && !this.#app.signal.aborted) entry.unseen.tellOpen(open);
    await this.#close(entry);
  }

  async #close(entry: Entry): Promise<void> {
    if (this.#entries.get(entry.key) !== entry) return;
    this.#entries.delete(entry.key);
    entry.unseen.dispose();
    const closing = entry.session
      .close()
      .catch((error: unknown) => this.#app.errors.note(error, 'Closing a sheet'))
      .finally(() => {
        if (this.#closing.get(entry.key) === closing) this.#closing.delete(entry.key);
      });
    this.#closing.set(entry.key, closing);
    await closing;
  }

  #tellDraft({ address, session }: Entry): void {
    const { draft, title = '' } = session;
    if (draft === null) return;
    const column = session.column(draft.columnId)?.title ?? '';
    const open = vscode.l10n.t('Open Sheet');
    const discard = vscode.l10n.t('Discard');
    const message = vscode.l10n.t(
      'The text that was being typed in row {0}, {1} of {2} is kept until the sheet is opened again.',
      draft.position + 1,
      column,
      title,
    );
    const ask = async (): Promise<void> => {
      const answer = await showInformationMessage(message, open, discard);
      if (answer === open) await runCommand('promptTables.openSheet', address);
      if (answer === discard) await this.#discardDraft(address);
    };
    ask().catch((error: unknown) => this.#app.errors.show(error));
  }

  async #discardDraft(address: SheetAddress): Promise<void> {
    const entry = this.#entries.get(keyOf(address));
    if (entry !== undefined) {
      entry.session.keepDraft(null);
      return;
    }
    await this.#closing.get(keyOf(address));
    const journal = this.#journal(address);
    await journal.adopt();
    await journal.keepDraft(null);
    await journal.close();
  }

  #journal(address: SheetAddress): Journal {
    return new Journal({
      folder: path.join(this.#root, folderOf(address)),
      head: { ...refOf(address), connectionId: address.connectionId },
      onFault: (error) => this.#app.errors.note(error, 'Keeping unsaved edits'),
    });
  }

  #newSession(
    address: SheetAddress,
    reported: { readonly emit: Emit; readonly onWork: () => void },
  ): Session {
    const { connectionId } = address;
    const app = this.#app;
    const connection = app.connections.get(connectionId);
    const storage = app.context.globalStorageUri.fsPath;
    const { order, systemColumns, layout, query } = this.#layouts.get(address);
    const isOurs =
      connection?.kind !== 'hosted' || new URL(connection.baseURL).hostname !== promptLayerHost;
    return new Session({
      ...refOf(address),
      connection: {
        id: connectionId,
        name: connection?.name ?? connectionId,
        local: connection?.kind === 'local',
      },
      source: sheetSource(
        (signal) => app.connections.client(connectionId, { signal }),
        refOf(address),
        isOurs,
      ),
      editorHost: vscodeEditorHost(app, address),
      journal: this.#journal(address),
      spool: new Spool({
        file: path.join(storage, spoolFolder, spoolName()),
        onFault: (error) => app.errors.note(error, 'Keeping pages on disk'),
      }),
      before: this.#closing.get(keyOf(address)),
      ...{ layout, order, systemColumns, query },
      columns: columnHandlers(app, address),
      ...reported,
    });
  }
}
