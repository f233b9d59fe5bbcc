import * as vscode from 'vscode';
import type { Catalog } from './catalog.ts';
import type { CodeDocuments } from './documents.ts';
import { rangeIn } from './documents.ts';
import { choiceOf } from './known.ts';

interface LinkParts {
  readonly catalog: Catalog;
  readonly documents: CodeDocuments;
}

/**
 * The names of workflows lead to their pages. Prompts need no links: the same click goes to their
 * definition, which is a document.
 */
export class CodeLinks implements vscode.DocumentLinkProvider {
  readonly #parts: LinkParts;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const { catalog, documents } = this.#parts;
    const { connectionId } = catalog;
    const read = connectionId === undefined ? undefined : await documents.read(document);
    const calls = (read?.calls ?? []).filter(({ kind }) => kind === 'workflow');
    if (calls.length === 0) return [];
    const known = new Set((await catalog.names('workflow'))?.all.map(({ name }) => name));
    return calls
      .filter(({ name }) => known.has(name.value))
      .map((call) => {
        const { value: workflowName, span, inner = span } = call.name;
        const choice = choiceOf(call) ?? { kind: 'latest' };
        const given = JSON.stringify([{ connectionId, workflowName, choice }]);
        const target = vscode.Uri.from({
          ...{ scheme: 'command', path: 'promptTables.openWorkflow' },
          // VS Code decodes it once more: what looks encoded in a name would be another name.
          query: encodeURIComponent(given),
        });
        const link = new vscode.DocumentLink(rangeIn(document, inner), target);
        link.tooltip = vscode.l10n.t('Open workflow');
        return link;
      });
  }
}
