import * as vscode from 'vscode';
import { plainFileName } from '../shell/plain-text.ts';
import { showBeside } from './show-beside.ts';

/** What panels show as read-only documents, which an editor's tools can be used on. */
export class PanelDocuments implements vscode.Disposable {
  readonly #scheme: string;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;

  /** `read` gives the text of a file of a panel; undefined when nobody knows the panel. */
  constructor(
    scheme: string,
    read: (panelId: string, file: string) => Promise<string | undefined>,
  ) {
    this.#scheme = scheme;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      async provideTextDocumentContent({ path }) {
        const [, panelId = '', name = ''] = path.split('/');
        const text = await read(panelId, name.slice(name.lastIndexOf(' · ') + 3));
        return text ?? vscode.l10n.t('The panel that requested this was closed.');
      },
    });
  }

  /** `file` is `output.md` or the like: the last part of the document's name. */
  async open(panelId: string, title: string, file: string): Promise<void> {
    const uri = this.uri(panelId, title, file);
    // One that is open already shows the run before.
    this.#changed.fire(uri);
    await showBeside(await vscode.workspace.openTextDocument(uri));
  }

  uri(panelId: string, title: string, file: string): vscode.Uri {
    const name = plainFileName(title, 100);
    return vscode.Uri.from({ scheme: this.#scheme, path: `/${panelId}/${name} · ${file}` });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
