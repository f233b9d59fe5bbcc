import * as vscode from 'vscode';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { confirmed } from '../shell/questions.ts';
import { mergeUri, queryOf, workspaceOf } from './address.ts';
import type { Merge, Merges, MergeSide } from './merges.ts';
import { mergeIdOf, openConflictsOf, resultWith } from './merges.ts';
import type { Remote } from './remote.ts';
import type { Source } from './source.ts';
import { replaceText, textWithVersion } from './source.ts';
import type { Conflict } from './text/three-way.ts';
import { linesOf, mergeLines } from './text/three-way.ts';
import { writeText } from './text/write.ts';
import { openDiff, showInformationMessage, showWarningMessage } from '../shell/shown.ts';

/** Conflicts that a question quotes. */
const mostQuoted = 3;

const withPlainEnds = (text: string): string => linesOf(text).join('\n');

const sideUri = (merge: Merge, side: MergeSide): vscode.Uri =>
  mergeUri({ ...merge, choice: undefined }, mergeIdOf(merge.uri), side);

function resultDocument(merge: Merge): vscode.TextDocument | undefined {
  const result = sideUri(merge, 'result').toString();
  return vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => uri.toString() === result && !isClosed,
  );
}

const countText = (count: number): string =>
  count === 1
    ? vscode.l10n.t('1 conflict is open')
    : vscode.l10n.t('{0} conflicts are open', count);

function quoted(conflicts: readonly Conflict[]): string {
  const lines = conflicts
    .slice(0, mostQuoted)
    .map(({ from, base, mine }) =>
      vscode.l10n.t('Line {0}: {1}', from + 1, (base[0] ?? mine[0] ?? '').slice(0, 80)),
    );
  return [...lines, ...(conflicts.length > mostQuoted ? ['…'] : [])].join('\n');
}

async function saved(document: vscode.TextDocument): Promise<void> {
  if (document.isDirty && !(await document.save())) {
    throw new ConfigurationError(vscode.l10n.t('The document could not be saved.'), {
      hint: vscode.l10n.t('Nothing was published. Save it, then try again.'),
    });
  }
}

/** The result of the merge editor in a tab. VS Code names the class of such tabs to itself only. */
export function mergeResultIn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input: unknown = tab?.input;
  const isMerge = typeof input === 'object' && input !== null && 'result' in input;
  return isMerge && input.result instanceof vscode.Uri ? input.result : undefined;
}

/** Those that show the result of a merge. */
function tabsOf(merge: Merge): readonly vscode.Tab[] {
  const result = sideUri(merge, 'result').toString();
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const { input } = tab;
      const uri = input instanceof vscode.TabInputText ? input.uri : mergeResultIn(tab);
      return uri?.toString() === result;
    });
}

/**
 * A document and a version that was published meanwhile, brought together in the merge editor. Its
 * result is a document of its own, so that the person's own text stays where it is until all is
 * decided.
 */
export class Merging {
  readonly #app: App;
  readonly #remote: Remote;
  readonly #merges: Merges;

  constructor(app: App, remote: Remote, merges: Merges) {
    this.#app = app;
    this.#remote = remote;
    this.#merges = merges;
  }

  async start(
    { document, connectionId, draft }: Source,
    baseVersion: number,
    theirVersion: number,
  ): Promise<void> {
    const { promptName } = draft;
    const workspace = workspaceOf(this.#app.connections.get(connectionId));
    const textOf = async (version: number): Promise<string> => {
      const choice = { kind: 'version', version } as const;
      const published = await this.#remote.draft({ connectionId, promptName, choice });
      return writeText({ ...published, version: theirVersion });
    };
    const [base, theirs] = await Promise.all([textOf(baseVersion), textOf(theirVersion)]);
    const text = document.getText();
    await this.#begin({
      ...{ uri: document.uri.toString(), connectionId, promptName, baseVersion, theirVersion },
      ...{ base, theirs, document: text },
      mine: textWithVersion(withPlainEnds(text), theirVersion, workspace),
    });
  }

  async #begin(texts: Parameters<Merges['begin']>[0]): Promise<void> {
    await this.#show(await this.#merges.begin(texts));
  }

  async #show(merge: Merge): Promise<void> {
    const { baseVersion, theirVersion } = merge;
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: sideUri(merge, 'base'),
      input1: {
        uri: sideUri(merge, 'theirs'),
        title: vscode.l10n.t('Theirs'),
        description: vscode.l10n.t('version {0}', theirVersion),
      },
      input2: {
        uri: sideUri(merge, 'mine'),
        title: vscode.l10n.t('Mine'),
        description: vscode.l10n.t('from version {0}', baseVersion),
      },
      output: sideUri(merge, 'result'),
    });
  }

  /** The merge that a document, or the result in it, belongs to. */
  async #of(uri: vscode.Uri): Promise<Merge> {
    const id = queryOf(uri)?.merge?.id ?? mergeIdOf(uri.toString());
    const merge = await this.#merges.read(id);
    if (merge !== undefined) return merge;
    throw new ConfigurationError(vscode.l10n.t('No merge of this prompt is under way.'));
  }

  async continue(uri: vscode.Uri): Promise<void> {
    const merge = await this.#of(uri);
    if (merge.state === 'open') await this.#show(merge);
    else await this.compareWithMine(uri);
  }

  /** The text as it was before the merge, against what the document holds. */
  async compareWithMine(uri: vscode.Uri): Promise<void> {
    const merge = await this.#of(uri);
    const title = `${merge.promptName}: ${vscode.l10n.t('mine')} ↔ ${vscode.l10n.t('merge')}`;
    const right =
      merge.state === 'applied' ? vscode.Uri.parse(merge.uri, true) : sideUri(merge, 'result');
    await openDiff(sideUri(merge, 'mine'), right, title);
  }

  /** Asks, then forgets the merge; the document keeps the person's own text. */
  async cancel(uri: vscode.Uri): Promise<void> {
    const merge = await this.#of(uri);
    await confirmed(
      vscode.l10n.t('Cancel the merge of {0}?', merge.promptName),
      vscode.l10n.t('Cancel Merge'),
      merge.state === 'applied'
        ? vscode.l10n.t('The merged text stays. Your text before the merge is no longer kept.')
        : vscode.l10n.t('Your own text stays as it was before the merge.'),
    );
    await this.forget(merge.uri);
  }

  /** With its tab: nothing is left to be asked about. */
  async forget(uri: string): Promise<void> {
    const merge = await this.#merges.of(uri);
    if (merge === undefined) return;
    // VS Code asks about a merge editor that shows open conflicts.
    if (merge.state === 'open') await this.#setResult(merge, merge.mine);
    await this.#closeTabs(merge);
    await this.#merges.remove(uri);
  }

  /** By hand, in the merge editor; answers the document that the outcome is for. */
  async accept(given: vscode.Uri): Promise<vscode.TextDocument> {
    const merge = await this.#of(given);
    const result = sideUri(merge, 'result').toString();
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const isShown = mergeResultIn(activeTab)?.toString() === result;
    if (isShown && merge.state === 'open') {
      // VS Code asks when it counts conflicts as open, and answers what the person has said.
      const answer = await vscode.commands.executeCommand<
        { readonly successful?: boolean } | undefined
      >('mergeEditor.acceptMerge');
      if (answer?.successful !== true) throw new CancelledError('The merge was not completed.');
      await this.#merges.change(mergeIdOf(merge.uri), { state: 'complete' });
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(merge.uri, true));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  /**
   * False when the document is not to be published yet: its merge is not finished. Puts the outcome
   * of one that is finished into it.
   */
  async settle(document: vscode.TextDocument): Promise<boolean> {
    const uri = document.uri.toString();
    const known = await this.#merges.of(uri);
    if (known === undefined || known.state === 'applied') return true;
    const merge = known.state === 'open' ? await this.#decided(known) : known;
    if (merge === undefined) return false;
    return this.#apply(merge, document);
  }

  /** The merge with all its conflicts decided; undefined: the person goes on with it. */
  async #decided(begun: Merge): Promise<Merge | undefined> {
    const id = mergeIdOf(begun.uri);
    const shown = resultDocument(begun);
    if (shown !== undefined) await saved(shown);
    const merge = (await this.#merges.read(id)) ?? begun;
    const open = openConflictsOf(merge);
    if (open.length === 0) return this.#merges.change(id, { state: 'complete' });
    const goOn = vscode.l10n.t('Continue Merge');
    const mine = vscode.l10n.t('Take Mine');
    const theirs = vscode.l10n.t('Take Theirs');
    const keep = vscode.l10n.t('Use Result As Is');
    const cancel = vscode.l10n.t('Cancel Merge');
    const choice = await showWarningMessage(
      vscode.l10n.t(
        "The merge of {0} with version {1} isn't finished: {2}.",
        ...[merge.promptName, merge.theirVersion, countText(open.length)],
      ),
      {
        modal: true,
        detail: `${vscode.l10n.t('Nothing was published. Take Mine and Take Theirs decide the open conflicts; all other changes of both sides stay.')}\n\n${quoted(open)}`,
      },
      ...[goOn, mine, theirs, keep, cancel],
    );
    switch (choice) {
      case goOn:
        await this.#show(merge);
        return undefined;
      case mine:
      case theirs: {
        const side = choice === mine ? 'mine' : 'theirs';
        await this.#setResult(merge, resultWith(merge, side));
        return this.#merges.change(id, { state: 'complete' });
      }
      case keep:
        await this.#setResult(merge, merge.result);
        return this.#merges.change(id, { state: 'complete' });
      case cancel:
        await this.forget(merge.uri);
        return undefined;
      default:
        return undefined;
    }
  }

  /** A crash in the middle finds the merge complete, and does this once more. */
  async #apply(merge: Merge, document: vscode.TextDocument): Promise<boolean> {
    const workspace = workspaceOf(this.#app.connections.get(merge.connectionId));
    const outcome = textWithVersion(merge.result, merge.theirVersion, workspace);
    const now = withPlainEnds(document.getText());
    if (now !== outcome) {
      const before = withPlainEnds(merge.document);
      // Typed since the merge began: it is brought together with the outcome.
      const whole = mergeLines(linesOf(before), linesOf(now), linesOf(outcome));
      if (whole.conflicts.length > 0) {
        await this.#closeTabs(merge);
        await this.#begin({
          ...merge,
          ...{ base: before, mine: now, theirs: outcome, document: document.getText() },
        });
        void showInformationMessage(
          vscode.l10n.t(
            'The draft of {0} was changed while it was being merged. Merge the two, then publish again.',
            merge.promptName,
          ),
        );
        return false;
      }
      const text = textWithVersion(whole.lines.join('\n'), merge.theirVersion, workspace);
      const isCrlf = document.eol === vscode.EndOfLine.CRLF;
      await replaceText(document, isCrlf ? text.replaceAll('\n', '\r\n') : text);
    }
    await saved(document);
    await this.#merges.change(mergeIdOf(merge.uri), { state: 'applied' });
    await this.#closeTabs(merge);
    return true;
  }

  /** In the editor that shows it, if there is one. */
  async #setResult(merge: Merge, result: string): Promise<void> {
    const shown = resultDocument(merge);
    if (shown !== undefined) {
      if (tabsOf(merge).some((tab) => mergeResultIn(tab) !== undefined)) {
        // For VS Code a conflict is open until it is decided by its own means, whatever is typed.
        await this.#show(merge);
        await vscode.commands.executeCommand('merge.acceptAllInput2');
      }
      await replaceText(shown, result);
      await saved(shown);
    }
    await this.#merges.change(mergeIdOf(merge.uri), { result });
  }

  async #closeTabs(merge: Merge): Promise<void> {
    const tabs = tabsOf(merge);
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
  }

  /** How many conflicts are open; undefined: no merge is under way. */
  async openCount(uri: vscode.Uri): Promise<number | undefined> {
    const merge = await this.#merges.of(uri.toString());
    return merge?.state === 'open' ? openConflictsOf(merge).length : undefined;
  }

  async hasMine(uri: vscode.Uri): Promise<boolean> {
    return (await this.#merges.of(uri.toString())) !== undefined;
  }
}
