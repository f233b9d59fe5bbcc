import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import { spellDuration, spellPrice } from '../shell/amounts.ts';
import { PlainMarkdown } from '../shell/shown.ts';
import type { Catalog } from './catalog.ts';
import type { CodeDocuments } from './documents.ts';
import { holds, rangeIn } from './documents.ts';
import type { FoundPrompt, PromptInfo, PromptVariable, RunFigures } from './known.ts';

const { t } = vscode.l10n;
const longestMessage = 600;
const mostMessages = 4;
const longestWaitMs = 800;
const mostScores = 3;

export function takesText({ takes, type }: PromptVariable): string {
  if (type !== undefined) return type;
  switch (takes) {
    case 'media':
      return t('media: a list of addresses or base64 strings');
    case 'list':
      return t('a list');
    case 'text':
      return t('text');
  }
}

function figuresText({ requests, cost, meanSeconds, scores }: RunFigures): string {
  const count = new Intl.NumberFormat(vscode.env.language).format(requests);
  return [
    t('Logged requests of this version: {0}', count),
    // Nothing costs nothing: none of them has a price.
    ...(cost === undefined || cost === 0 ? [] : [t('cost in all: {0}', spellPrice(cost))]),
    ...(meanSeconds === undefined
      ? []
      : [t('mean latency: {0}', spellDuration(meanSeconds * 1000))]),
    ...(scores === undefined
      ? []
      : [
          t(
            'last score: {0}',
            Object.entries(scores)
              .slice(0, mostScores)
              .map(([name, score]) => `${name} ${String(score)}`)
              .join(', '),
          ),
        ]),
  ].join(' · ');
}

function describePrompt(
  info: PromptInfo,
  workspace: string,
  figures: RunFigures | undefined,
): vscode.MarkdownString {
  const text = new PlainMarkdown().strong(info.name);
  if (info.version !== undefined) text.text(` · ${t('version {0}', info.version)}`);
  if (info.model !== undefined) text.text(` · ${info.model}`);
  text.text(` · ${workspace}`);
  const labels = info.labels.map(({ label, version }) => `${label} v${version}`).join(', ');
  if (labels !== '') text.paragraph().text(t('Labels: {0}', labels));
  const variables = info.variables.map((each) => `${each.name} (${takesText(each)})`).join(', ');
  if (variables !== '') text.paragraph().text(t('Variables: {0}', variables));
  if (figures !== undefined) text.paragraph().text(figuresText(figures));
  for (const { role, text: message } of info.messages.slice(0, mostMessages)) {
    const isCut = message.length > longestMessage;
    text
      .paragraph()
      .text(role)
      .code(isCut ? `${message.slice(0, longestMessage)}…` : message);
  }
  const left = info.messages.length - mostMessages;
  if (left === 1) text.paragraph().text(t('One more message'));
  else if (left > 1) text.paragraph().text(t('{0} more messages', left));
  return text.value;
}

/** What a prompt's name in code stands for. */
export class CodeHovers implements vscode.HoverProvider {
  readonly #catalog: Catalog;
  readonly #documents: CodeDocuments;

  constructor(catalog: Catalog, documents: CodeDocuments) {
    this.#catalog = catalog;
    this.#documents = documents;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const here = await this.#documents.callAt(document, position);
    if (here === undefined) return undefined;
    const { call } = here;
    const { name, label, version } = call;
    const offset = document.offsetAt(position);
    const said = [name.span, label?.span, version?.span].find(
      (span) => span !== undefined && holds(span, offset),
    );
    const variable = call.variables?.entries.find(({ span }) => holds(span, offset));
    const span = said ?? variable?.span;
    if (span === undefined || this.#catalog.connectionId === undefined) return undefined;
    const found = await this.#catalog.askedBy(call);
    const text =
      said !== undefined
        ? await this.#promptText(call, found)
        : this.#variableText(variable?.name, found);
    return text && new vscode.Hover(text, rangeIn(document, span));
  }

  async #promptText({ name }: CodeCall, found: FoundPrompt): Promise<vscode.MarkdownString> {
    const workspace = this.#catalog.workspaceName;
    const heading = (): PlainMarkdown => new PlainMarkdown().strong(name.value);
    switch (found.kind) {
      case 'found':
      case 'choiceAbsent':
        return describePrompt(found.info, workspace, await this.#figures(found.info));
      case 'absent':
        return heading().paragraph().text(t('Not found in {0}.', workspace)).value;
      case 'unknown':
        return heading().paragraph().text(t("{0} can't be reached now. See the log.", workspace))
          .value;
    }
  }

  /** A hover is shown when it is whole: figures that take longer are in the next one. */
  async #figures(info: PromptInfo): Promise<RunFigures | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), longestWaitMs);
    });
    const figures = await Promise.race([this.#catalog.figures(info), late]);
    clearTimeout(timer);
    return figures;
  }

  #variableText(name: string | undefined, found: FoundPrompt): vscode.MarkdownString | undefined {
    if (found.kind !== 'found') return undefined;
    const variable = found.info.variables.find((each) => each.name === name);
    return (
      variable && new PlainMarkdown().strong(variable.name).text(`: ${takesText(variable)}`).value
    );
  }
}
