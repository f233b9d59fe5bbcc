import * as vscode from 'vscode';
import type { Span } from '../../core/code-index/tokens.ts';
import type { Asked } from '../../core/code-index/call-index.ts';
import type { App } from '../shell/app.ts';
import { withSignal } from '../shell/cancellation.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import type { Catalog } from './catalog.ts';
import type { CodeDocuments } from './documents.ts';
import { holds } from './documents.ts';
import { choiceOf } from './known.ts';
import { locationOf } from './workspace-code.ts';
import type { WorkspaceCode } from './workspace-code.ts';

const mostPromptFiles = 500;

/** What code needs to know of the documents of prompts, which are another feature. */
export interface PromptDocuments {
  readonly language: string;
  uriOf(prompt: PromptAddress): vscode.Uri;
  /** The prompt that a document of one is about. */
  nameOf(document: vscode.TextDocument): Promise<string | undefined>;
  nameIn(text: string): Promise<string | undefined>;
  /** The variable at a place of a document. */
  variableIn(text: string, offset: number): Promise<(Span & { readonly name: string }) | undefined>;
  /** Errors: why it can't be called that. */
  renameIn(
    text: string,
    names: { readonly before: string; readonly after: string },
  ): Promise<readonly (Span & { readonly text: string })[]>;
}

interface PlaceParts {
  readonly app: App;
  readonly catalog: Catalog;
  readonly documents: CodeDocuments;
  readonly code: WorkspaceCode;
  readonly prompts: PromptDocuments;
}

/** Where prompts are, and where code asks for them. */
export class CodePlaces implements vscode.DefinitionProvider, vscode.ReferenceProvider {
  readonly #parts: PlaceParts;

  constructor(parts: PlaceParts) {
    this.#parts = parts;
  }

  /** The prompt files of the folder; without one, the prompt as the service has it. */
  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Location[]> {
    const { catalog, documents, prompts } = this.#parts;
    const call = (await documents.callAt(document, position))?.call;
    const offset = document.offsetAt(position);
    const spans = [call?.name.span, call?.label?.span, call?.version?.span];
    const isSaid = spans.some((span) => span !== undefined && holds(span, offset));
    if (call === undefined || call.kind === 'workflow' || !isSaid) return [];
    const name = call.name.value;
    const choice = choiceOf(call);
    const files = choice?.kind === 'latest' ? await this.#filesOf(name) : [];
    const { connectionId } = catalog;
    if (files.length > 0 || connectionId === undefined) return files;
    const found = await catalog.askedBy(call);
    if (found.kind === 'absent' || found.kind === 'choiceAbsent') return [];
    const uri = prompts.uriOf({ connectionId, promptName: name, choice });
    return [new vscode.Location(uri, new vscode.Position(0, 0))];
  }

  /** Asked on a name in code, and anywhere in a document of a prompt. */
  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    _context: vscode.ReferenceContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.Location[]> {
    const asked = await this.#askedAt(document, position);
    if (asked === undefined) return [];
    const { app, code } = this.#parts;
    const work = (signal: AbortSignal) => code.uses(asked.what, asked.name, signal);
    return (await withSignal(token, work, app.signal)).uses.map(locationOf);
  }

  async #askedAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly what: Asked; readonly name: string } | undefined> {
    const { documents, prompts } = this.#parts;
    if (document.languageId === prompts.language) {
      const name = await prompts.nameOf(document);
      return name === undefined ? undefined : { what: 'prompt', name };
    }
    const call = (await documents.callAt(document, position))?.call;
    if (call === undefined || !holds(call.name.span, document.offsetAt(position))) return undefined;
    return { what: call.kind === 'workflow' ? 'workflow' : 'prompt', name: call.name.value };
  }

  async #filesOf(name: string): Promise<vscode.Location[]> {
    const { app, prompts } = this.#parts;
    const files = await vscode.workspace.findFiles(
      '**/*.prompt',
      '**/node_modules/**',
      mostPromptFiles,
    );
    const found: vscode.Location[] = [];
    for (const uri of files) {
      try {
        const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
        if (text.includes(name) && (await prompts.nameIn(text)) === name) {
          found.push(new vscode.Location(uri, new vscode.Position(0, 0)));
        }
      } catch (error) {
        app.errors.note(error, `Reading ${uri.fsPath}`);
      }
    }
    return found;
  }
}
