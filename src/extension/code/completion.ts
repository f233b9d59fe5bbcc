import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import { askedBy } from '../../core/code-index/call-index.ts';
import type { CodeLanguage } from '../../core/code-index/languages.ts';
import { writtenBetween } from '../../core/code-index/literals.ts';
import type { Span } from '../../core/code-index/tokens.ts';
import { plainLine } from '../shell/plain-text.ts';
import type { Catalog } from './catalog.ts';
import type { CodeDocuments } from './documents.ts';
import { holds, rangeIn } from './documents.ts';
import { keyText } from './check.ts';
import { takesText } from './hover.ts';
import type { PromptInfo } from './known.ts';
import { choiceOf } from './known.ts';

const { t } = vscode.l10n;
const mostVersions = 50;

interface Offer {
  readonly label: string;
  readonly detail: string;
  readonly text: string;
}

/** Names, labels, versions and variables where a call is typed that asks for a prompt. */
export class CodeCompletions implements vscode.CompletionItemProvider {
  readonly #catalog: Catalog;
  readonly #documents: CodeDocuments;

  constructor(catalog: Catalog, documents: CodeDocuments) {
    this.#catalog = catalog;
    this.#documents = documents;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const here = await this.#documents.callAt(document, position);
    if (here === undefined || this.#catalog.connectionId === undefined) return [];
    const offset = document.offsetAt(position);
    const { span, offers, kind } = (await this.#at(here.call, here.language, offset)) ?? {
      offers: [],
    };
    if (span === undefined) return [];
    // A string whose end is missing reaches to the end of its line.
    const to = here.call.isUnfinished ? offset : span.to;
    const range = rangeIn(document, { from: span.from, to });
    if (!range.isSingleLine) return [];
    return offers.map(({ label, detail, text }, at) => {
      const item = new vscode.CompletionItem({ label: plainLine(label) }, kind);
      item.detail = plainLine(detail);
      item.insertText = text;
      item.filterText = text;
      item.range = range;
      item.sortText = String(at).padStart(5, '0');
      return item;
    });
  }

  async #at(
    call: CodeCall,
    language: CodeLanguage,
    offset: number,
  ): Promise<
    | {
        readonly span: Span;
        readonly offers: readonly Offer[];
        readonly kind: vscode.CompletionItemKind;
      }
    | undefined
  > {
    const { name, label, version, variables } = call;
    if (name.inner !== undefined && holds(name.inner, offset)) {
      const kind = vscode.CompletionItemKind.Reference;
      return { span: name.inner, offers: await this.#names(call), kind };
    }
    if (label?.kind === 'literal' && label.inner !== undefined && holds(label.inner, offset)) {
      const info = await this.#info(call, true);
      const { quote = '"' } = label;
      const offers = (info?.labels ?? []).map((each) => ({
        label: each.label,
        detail: t('version {0}', each.version),
        text: writtenBetween(quote, each.label),
      }));
      return { span: label.inner, offers, kind: vscode.CompletionItemKind.EnumMember };
    }
    if (version !== undefined && holds(version.span, offset)) {
      const offers = versionOffers(await this.#info(call, true));
      return { span: version.span, offers, kind: vscode.CompletionItemKind.EnumMember };
    }
    const slot = variables?.slots.find((each) => holds(each, offset));
    if (variables === undefined || slot === undefined) return undefined;
    const entry = variables.entries.find(({ span }) => holds(span, offset));
    const others = new Set(
      variables.entries.filter((each) => each !== entry).map((each) => each.name),
    );
    const info = await this.#info(call, false);
    const offers = (info?.variables ?? [])
      .filter((each) => !others.has(each.name))
      .map((each) => ({
        label: each.name,
        detail: takesText(each),
        text:
          entry?.quote !== undefined
            ? writtenBetween(entry.quote, each.name)
            : `${keyText(each.name, language)}${entry === undefined ? ': ' : ''}`,
      }));
    const span = entry?.span ?? { from: offset, to: offset };
    return { span, offers, kind: vscode.CompletionItemKind.Property };
  }

  async #names(call: CodeCall): Promise<readonly Offer[]> {
    const { quote = '"' } = call.name;
    const known = await this.#catalog.names(askedBy(call));
    return (known?.all ?? []).map((each) => ({
      label: each.name,
      detail: [
        ...(each.version === undefined ? [] : [`v${each.version}`]),
        ...((each.model ?? '') ? [each.model ?? ''] : []),
      ].join(' · '),
      text: writtenBetween(quote, each.name),
    }));
  }

  /** Of the version that is asked for, or of the newest while that is being typed. */
  async #info(call: CodeCall, isChoosing: boolean): Promise<PromptInfo | undefined> {
    const choice = isChoosing ? undefined : choiceOf(call);
    const found = await this.#catalog.find(
      askedBy(call),
      call.name.value,
      choice ?? { kind: 'latest' },
    );
    return found.kind === 'found' || found.kind === 'choiceAbsent' ? found.info : undefined;
  }
}

function versionOffers(info: PromptInfo | undefined): readonly Offer[] {
  const latest = info?.latest ?? 0;
  return Array.from({ length: Math.min(latest, mostVersions) }, (_, at) => {
    const version = latest - at;
    const labels = (info?.labels ?? [])
      .filter((each) => each.version === version)
      .map((each) => each.label);
    return { label: String(version), detail: labels.join(', '), text: String(version) };
  });
}
