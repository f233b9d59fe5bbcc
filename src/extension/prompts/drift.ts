import * as vscode from 'vscode';
import * as z from 'zod';
import { hasErrorCode } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { plainLine } from '../shell/plain-text.ts';
import { withProgress } from '../shell/progress.ts';
import { workspaceOf } from './address.ts';
import type { Remote } from './remote.ts';
import type { Source } from './source.ts';
import { fitOf, hasClearConnection, sourceOf } from './source.ts';
import { promptLanguage } from './schemes.ts';
import { draftOf, isSameContent } from './text/draft.ts';
import { showInformationMessage, showWarningMessage } from '../shell/shown.ts';

/** How a prompt file and its prompt on the service have gone apart. */
const drifts = ['same', 'local', 'newer', 'both', 'new'] as const;
export type Drift = (typeof drifts)[number];

/** What was seen, where, and the workspace that the file named then. */
const Mark = z.object({
  state: z.enum(drifts),
  connectionId: z.string(),
  workspace: z.string().exactOptional(),
});
type Mark = z.output<typeof Mark>;

const Kept = z.record(z.string(), Mark);
const memoryKey = 'promptTables.promptFiles';
const mostFiles = 2000;
/** Changes come in crowds: those of a moment are looked at together, and of many the first ones. */
const calmMs = 500;
const mostAtOnce = 100;

/** Marks prompt files by what was seen when they were last looked at: on demand, and when saved. */
export class DriftMarks implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #app: App;
  readonly #remote: Remote;
  readonly #changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly #seen: Map<string, Mark>;
  readonly #waiting = new Map<string, vscode.Uri>();
  readonly #looking = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor(app: App, remote: Remote) {
    this.#app = app;
    this.#remote = remote;
    const read = Kept.safeParse(app.context.workspaceState.get(memoryKey) ?? {});
    this.#seen = new Map(Object.entries(read.success ? read.data : {}));
  }

  /** Undefined also when the file belongs to another workspace by now than what was seen of it. */
  stateOf(uri: vscode.Uri): Drift | undefined {
    const mark = this.#seen.get(uri.toString());
    return mark === undefined || fitOf(this.#app, mark) === 'none' ? undefined : mark.state;
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const state = this.stateOf(uri);
    const presentation = state === undefined ? undefined : presentationOf(state);
    if (presentation === undefined) return undefined;
    const mark = this.#seen.get(uri.toString());
    const isOneOfMany = mark !== undefined && fitOf(this.#app, mark) === 'oneOfMany';
    const words = isOneOfMany
      ? `${presentation.words} (${this.#remote.nameOf(mark.connectionId)})`
      : presentation.words;
    return new vscode.FileDecoration(
      presentation.badge,
      plainLine(words),
      new vscode.ThemeColor(presentation.color),
    );
  }

  /** Looks again at files that git or another program has changed, and at those that are opened. */
  follow(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.prompt');
    return vscode.Disposable.from(
      watcher,
      watcher.onDidChange((uri) => this.#lookSoon(uri)),
      watcher.onDidCreate((uri) => this.#lookSoon(uri)),
      watcher.onDidDelete((uri) => this.#forget(uri)),
      vscode.workspace.onDidOpenTextDocument(({ uri, languageId }) => {
        const isFile = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
        // One that is opened here to be looked at is being looked at.
        if (!isFile || languageId !== promptLanguage || this.#looking.has(uri.toString())) return;
        this.#lookSoon(uri);
      }),
      this.#app.connections.onDidChange(({ what }) => {
        if (what !== 'access') this.#reconsider();
      }),
      { dispose: () => clearTimeout(this.#timer) },
    );
  }

  /** Another workspace is in use, or there: what was seen elsewhere is not shown as if seen there. */
  #reconsider(): void {
    const uris = [...this.#seen.keys()].map((key) => vscode.Uri.parse(key, true));
    this.#changed.fire(uris);
    for (const uri of uris) if (this.stateOf(uri) === undefined) this.#lookSoon(uri);
  }

  #lookSoon(uri: vscode.Uri): void {
    this.#waiting.set(uri.toString(), uri);
    this.#timer ??= setTimeout(() => void this.#lookAtWaiting(), calmMs);
  }

  async #lookAtWaiting(): Promise<void> {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const [at, uri] of waiting.entries()) {
      if (this.#app.signal.aborted) return;
      // No mark rather than one that is wrong.
      if (at < mostAtOnce && (await this.#isClear(uri))) await this.checkQuietly(uri);
      else this.#forget(uri);
    }
    this.#timer = undefined;
    const [next] = this.#waiting.values();
    if (next !== undefined) this.#lookSoon(next);
  }

  /** Nobody has asked for this look, so it must not ask anything either. */
  async #isClear(uri: vscode.Uri): Promise<boolean> {
    try {
      return hasClearConnection(this.#app, await this.#document(uri));
    } catch (error) {
      this.#app.errors.note(error, 'Reading a prompt file that has changed');
      return false;
    }
  }

  #forget(uri: vscode.Uri): void {
    if (this.#seen.delete(uri.toString())) this.#changed.fire([uri]);
  }

  /** Looks at one file, and asks the service for the newest version of its prompt. */
  async check(uri: vscode.Uri): Promise<Drift> {
    const source = await sourceOf(this.#app, await this.#document(uri));
    const state = await this.driftOf(source);
    const { connectionId, draft } = source;
    const { workspace } = draft;
    this.#seen.set(uri.toString(), {
      ...{ state, connectionId },
      ...(workspace !== undefined && { workspace }),
    });
    await this.#app.context.workspaceState.update(memoryKey, Object.fromEntries(this.#seen));
    this.#changed.fire([uri]);
    return state;
  }

  async #document(uri: vscode.Uri): Promise<vscode.TextDocument> {
    const key = uri.toString();
    this.#looking.add(key);
    try {
      return await vscode.workspace.openTextDocument(uri);
    } finally {
      this.#looking.delete(key);
    }
  }

  /** How a document and its prompt differ now. */
  async driftOf({ connectionId, draft }: Pick<Source, 'connectionId' | 'draft'>): Promise<Drift> {
    const { promptName, version } = draft;
    const newest = await this.#remote.newest({ connectionId, promptName });
    if (newest === undefined) return 'new';
    const workspace = workspaceOf(this.#app.connections.get(connectionId));
    const base =
      version === undefined
        ? undefined
        : version === newest.version
          ? draftOf(newest, workspace)
          : await this.#remote.draft({
              connectionId,
              promptName,
              choice: { kind: 'version', version },
            });
    const isChanged = base === undefined || !isSameContent(base, draft);
    const isNewer = version !== newest.version;
    if (isChanged) return isNewer ? 'both' : 'local';
    return isNewer ? 'newer' : 'same';
  }

  /** Whether a document says what the version says that it names; what can't be asked counts as not. */
  async isPublished({
    connectionId,
    draft,
  }: Pick<Source, 'connectionId' | 'draft'>): Promise<boolean> {
    const { promptName, version } = draft;
    if (version === undefined) return false;
    const choice = { kind: 'version', version } as const;
    try {
      return isSameContent(await this.#remote.draft({ connectionId, promptName, choice }), draft);
    } catch (error) {
      if (!hasErrorCode(error, 'not_found')) {
        this.#app.errors.note(error, 'Looking whether a prompt is published as it is');
      }
      return false;
    }
  }

  /** A file that was saved is looked at again; that this failed is no reason to disturb. */
  async checkQuietly(uri: vscode.Uri): Promise<void> {
    try {
      await this.check(uri);
    } catch (error) {
      this.#app.errors.note(error, 'Looking whether a prompt file has drifted');
    }
  }

  /** All prompt files of the folder; tells what was found. */
  async checkAll(): Promise<void> {
    const found = await vscode.workspace.findFiles('**/*.prompt', '**/node_modules/**', mostFiles);
    const counts = new Map<Drift, number>();
    const failed: string[] = [];
    await withProgress(
      this.#app,
      { title: vscode.l10n.t('Checking prompt files'), where: 'notification' },
      async (signal, progress) => {
        for (const [at, uri] of found.entries()) {
          signal.throwIfAborted();
          progress.report({
            message: vscode.workspace.asRelativePath(uri),
            percent: (100 * at) / found.length,
          });
          try {
            const state = await this.check(uri);
            counts.set(state, (counts.get(state) ?? 0) + 1);
          } catch (error) {
            this.#app.errors.note(error, `Checking ${vscode.workspace.asRelativePath(uri)}`);
            failed.push(
              `${vscode.workspace.asRelativePath(uri)}: ${this.#app.errors.describe(error).message}`,
            );
          }
        }
      },
    );
    const count = (...states: readonly Drift[]): number =>
      states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
    const text = vscode.l10n.t(
      '{0} prompt files: {1} unchanged, {2} changed here, {3} with a newer version published.',
      found.length,
      count('same'),
      count('local', 'both', 'new'),
      count('newer', 'both'),
    );
    const [first] = failed;
    if (first === undefined) void showInformationMessage(text);
    else {
      const note = vscode.l10n.t('{0} could not be checked: {1}', failed.length, first);
      void showWarningMessage(`${text} ${note}`);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

interface ItemPresentation {
  readonly badge: string;
  readonly words: string;
  readonly color: string;
}

/** How a file that has drifted looks; undefined: like any other. */
function presentationOf(state: Drift): ItemPresentation | undefined {
  const presentation = (badge: string, words: string, color: string): ItemPresentation => ({
    ...{ badge, words },
    color: `gitDecoration.${color}ResourceForeground`,
  });
  switch (state) {
    case 'local':
      return presentation('M', vscode.l10n.t('Changed here, not pushed'), 'modified');
    case 'newer':
      return presentation('↓', vscode.l10n.t('A newer version was published'), 'submodule');
    case 'both':
      return presentation(
        '↕',
        vscode.l10n.t('Changed here, and a newer version was published'),
        'conflicting',
      );
    case 'new':
      return presentation('A', vscode.l10n.t('Not published yet'), 'added');
    case 'same':
      return undefined;
  }
}
