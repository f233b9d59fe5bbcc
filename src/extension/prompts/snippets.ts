import * as vscode from 'vscode';
import type { SnippetReference } from '../../core/templates/snippet-references.ts';
import type { App } from '../shell/app.ts';
import { firstOf } from '../shell/first-of.ts';
import { PlainMarkdown } from '../shell/shown.ts';

const mostOffered = 500;
const longestShown = 2000;
/** While a person types, the list is not asked for at every key. */
const keptMs = 30_000;

/** Snippets of a workspace: prompts that others take in by `@@@name@@@`. */
export class Snippets {
  readonly app: App;
  #kept:
    | { readonly connectionId: string; readonly names: readonly string[]; readonly at: number }
    | undefined;

  constructor(app: App) {
    this.app = app;
  }

  async names(connectionId: string): Promise<readonly string[]> {
    const kept = this.#kept;
    if (kept?.connectionId === connectionId && performance.now() - kept.at < keptMs)
      return kept.names;
    try {
      const { signal } = this.app;
      const client = await this.app.connections.client(connectionId, { signal });
      const query = { is_snippet: true, per_page: 100 };
      const found = await firstOf(client.templates.list(query, { signal }), mostOffered);
      const names = found.map(({ prompt_name: name }) => name);
      this.#kept = { connectionId, names, at: performance.now() };
      return names;
    } catch (error) {
      this.app.errors.note(error, 'Listing the snippets');
      return [];
    }
  }

  /** Its text, for a hover. */
  async describe(
    connectionId: string | undefined,
    { name, version, label }: SnippetReference,
  ): Promise<vscode.MarkdownString> {
    const text = new PlainMarkdown().strong(name);
    if (connectionId === undefined) return text.value;
    try {
      const { signal } = this.app;
      const client = await this.app.connections.client(connectionId, { signal });
      const asked = {
        resolveSnippets: false,
        ...(version !== undefined && { version }),
        ...(label !== undefined && { label }),
      };
      const template = await client.templates.getRaw(name, asked, { signal });
      text.text(` · ${vscode.l10n.t('version {0}', template.version ?? 1)}`);
      const { content } = template.prompt_template;
      const parts: readonly unknown[] = Array.isArray(content) ? content : [];
      const shown = parts
        .map((part) =>
          typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '',
        )
        .join('\n');
      return text.code(shown.slice(0, longestShown)).value;
    } catch (error) {
      const { message } = this.app.errors.describe(error);
      return text.paragraph().text(vscode.l10n.t('The snippet could not be read: {0}', message))
        .value;
    }
  }
}
