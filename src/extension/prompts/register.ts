import * as vscode from 'vscode';
import type { CachedState } from '../../core/index.ts';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { promptsViewId } from '../contributions.ts';
import type { Disposable } from '../shell/dispose.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { currentConnection } from '../ask/pick.ts';
import { pickChoice, pickPrompt } from '../ask/pick-prompt.ts';
import { isPromptAddress } from '../shell/prompt-address.ts';
import { showRegistry } from '../trees/registry-view.ts';
import { askFilter } from '../trees/tree-problem.ts';
import { draftScheme, mergeScheme, promptLanguage, versionScheme } from './schemes.ts';
import { PromptFolders } from './folders.ts';
import { PromptDrop } from './drop.ts';
import { promptItemOf, promptTooltip } from './item.ts';
import { lazyFileSystem } from './lazy-file-system.ts';
import type { PromptsModel } from './model.ts';
import { promptsModel } from './model.ts';
import type { PromptNode, PromptParent } from './nodes.ts';
import type { PromptEditing } from '../prompt-parts.ts';
import { setStatusBarMessage } from '../shell/shown.ts';

/** The parent that a node of ours names: of `more` and `problem`. */
function parentIn(value: unknown): PromptParent | undefined {
  const node = value as PromptNode | undefined;
  return node?.kind === 'more' || node?.kind === 'problem' ? node.parent : undefined;
}

const promptEditingCommands = [
  'newPrompt',
  'editPrompt',
  'editPromptDocument',
  'openPromptDraft',
  'completePromptMerge',
  'continuePromptMerge',
  'cancelPromptMerge',
  'comparePromptWithMine',
  'runPromptDocument',
  'publishPrompt',
  'pushPromptFile',
  'discardPromptDraft',
  'selectPromptForCompare',
  'comparePromptWithSelected',
  'comparePromptWithPrevious',
  'comparePromptVersions',
  'comparePromptWithService',
  'pullPrompt',
  'pullPromptFile',
  'checkPromptFiles',
  'movePromptLabel',
  'addPromptLabel',
  'removePromptLabel',
  'newPromptFolder',
  'renamePromptFolder',
  'deletePromptFolder',
  'movePrompt',
  'movePromptFolder',
] as const;
export type PromptEditingCommand = (typeof promptEditingCommands)[number];

interface RegisteredDocuments extends Disposable {
  promptEditing(): Promise<PromptEditing>;
}

/** Documents of prompts: their work is loaded with the first of them. */
function registerDocuments(app: App, model: PromptsModel): RegisteredDocuments {
  const own = new DisposableStore();
  const changed = own.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  let loading: Promise<PromptEditing> | undefined;
  const load = async (): Promise<PromptEditing> => {
    const { PromptEditing } = await import('../prompt-parts.ts');
    return own.add(new PromptEditing({ app, changed, refresh: () => model.refresh() }));
  };
  const promptEditing = (): Promise<PromptEditing> => (loading ??= load());
  const files = lazyFileSystem(async () => (await promptEditing()).files, changed);
  const options = { isCaseSensitive: true };
  for (const scheme of [draftScheme, mergeScheme]) {
    own.add(vscode.workspace.registerFileSystemProvider(scheme, files, options));
  }
  own.add(
    vscode.workspace.registerFileSystemProvider(versionScheme, files, {
      ...options,
      isReadonly: true,
    }),
  );
  for (const command of promptEditingCommands) {
    own.add(
      registerCommand(app, `promptTables.${command}`, async (given) =>
        (await promptEditing()).run(command, given),
      ),
    );
  }
  own.add(
    registerCommand(app, 'promptTables.openPrompt', async (given) => {
      const title = vscode.l10n.t('Open prompt');
      const prompt = isPromptAddress(given) ? given : await pickPrompt(app, title);
      const choice = isPromptAddress(given) ? prompt.choice : await pickChoice(app, title, prompt);
      await (await promptEditing()).open({ ...prompt, choice });
    }),
  );
  const wake = ({ languageId }: vscode.TextDocument): void => {
    if (languageId === promptLanguage && loading === undefined) {
      promptEditing().catch((error: unknown) =>
        app.errors.show(error, { doing: 'Loading prompt documents' }),
      );
    }
  };
  own.add(vscode.workspace.onDidOpenTextDocument(wake));
  vscode.workspace.textDocuments.forEach(wake);
  return { promptEditing, dispose: () => own.dispose() };
}

async function clearCache(app: App, promptName?: string, connectionId?: string): Promise<void> {
  const id = connectionId ?? currentConnection(app).id;
  const client = await app.connections.client(id, { signal: app.signal });
  client.invalidate(promptName);
  const text =
    promptName === undefined
      ? vscode.l10n.t('The next run of each prompt fetches it from the service.')
      : vscode.l10n.t('The next run of {0} fetches it from the service.', promptName);
  setStatusBarMessage(text, 5000);
}

const cachedState = (app: App, node: PromptNode): CachedState | undefined =>
  node.kind === 'prompt'
    ? app.connections.openClient(node.connectionId)?.cachedState(node.promptName)
    : undefined;

/** Items tell what is in memory of their prompts, also when that becomes stale by itself. */
function followCache(app: App, model: PromptsModel): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  const subscription = app.connections.onDidChangeTemplates(() => {
    clearTimeout(soon);
    clearTimeout(timer);
    soon = setTimeout(() => model.repaint(), 50);
    const seconds = app.settings.get('prompts.cacheSeconds');
    timer = setTimeout(() => model.repaint(), seconds * 1000 + 100);
  });
  return new vscode.Disposable(() => {
    clearTimeout(soon);
    clearTimeout(timer);
    subscription.dispose();
  });
}

export interface RegisteredPrompts extends Disposable {
  readonly model: PromptsModel;
}

/** The Prompts view. Loads nothing until it is looked at. */
export function registerPrompts(app: App): RegisteredPrompts {
  const folders = new PromptFolders(app);
  const model = promptsModel(app, folders);
  const showFolders = async (areShown: boolean): Promise<void> => {
    await folders.show(areShown);
    model.restart(model.filter);
  };
  const documents = registerDocuments(app, model);
  const own = vscode.Disposable.from(
    model,
    showRegistry<PromptNode>(app, {
      viewId: promptsViewId,
      model,
      itemOf: (node) => promptItemOf(node, cachedState(app, node)),
      tooltip: promptTooltip,
      dragAndDropController: new PromptDrop({
        app,
        isInPlace: () => folders.areShown && model.filter === undefined,
        move: async (dragged, target) =>
          (await documents.promptEditing()).moveDragged(dragged, target),
      }),
    }),
    documents,
    followCache(app, model),
    registerCommand(app, 'promptTables.refreshPrompts', () => model.refresh()),
    registerCommand(app, 'promptTables.filterPrompts', () =>
      askFilter(
        model,
        vscode.l10n.t('Show prompts with this in their name'),
        vscode.l10n.t(
          'Use # to search for a tag, such as #nightly. Leave it empty to show all prompts.',
        ),
      ),
    ),
    registerCommand(app, 'promptTables.clearPromptFilter', () => model.restart()),
    registerCommand(app, 'promptTables.showPromptFolders', () => showFolders(true)),
    registerCommand(app, 'promptTables.showPromptList', () => showFolders(false)),
    registerCommand(app, 'promptTables.loadMorePrompts', (node) => model.loadMore(parentIn(node))),
    registerCommand(app, 'promptTables.retryPrompts', (node) => model.retry(parentIn(node))),
    registerCommand(app, 'promptTables.copyPromptName', (node) =>
      isPromptAddress(node) ? vscode.env.clipboard.writeText(node.promptName) : undefined,
    ),
    registerCommand(app, 'promptTables.clearTemplateCache', () => clearCache(app)),
    registerCommand(app, 'promptTables.clearCachedTemplate', async (node) => {
      const title = vscode.l10n.t('Remove prompt from cache');
      const prompt = isPromptAddress(node) ? node : await pickPrompt(app, title);
      await clearCache(app, prompt.promptName, prompt.connectionId);
    }),
  );
  return { model, dispose: () => void own.dispose() };
}
