import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { plainLine, plainLines } from '../shell/plain-text.ts';
import { createCodeAction, createCodeLens, PlainMarkdown } from '../shell/shown.ts';
import { queryOf, versionUri } from './address.ts';
import { draftScheme, mergeScheme, promptLanguage, versionScheme } from './schemes.ts';
import type { DriftMarks } from './drift.ts';
import type { Merging } from './merging.ts';
import { Snippets } from './snippets.ts';
import { isPromptDocument, likelyConnection, readDocument } from './source.ts';
import type { VariableType } from './text/check.ts';
import { problemsOf, usedVariables } from './text/check.ts';
import type { SnippetAt } from './text/names.ts';
import { snippetsAt, variablesAt } from './text/names.ts';
import type { Problem } from './text/problem.ts';
import type { Reading } from './text/read.ts';
import { roles } from './text/read.ts';
import type { Place } from './text/front-matter.ts';
import { frontKeys } from './text/front-matter.ts';

const { t } = vscode.l10n;
const selector: vscode.DocumentSelector = { language: promptLanguage };
const pauseMs = 200;

const rangeOf = (document: vscode.TextDocument, { from, to }: Place): vscode.Range =>
  new vscode.Range(document.positionAt(from), document.positionAt(to));

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
} as const;

class PromptDiagnostic extends vscode.Diagnostic {
  readonly fix: Problem['fix'];

  constructor(document: vscode.TextDocument, problem: Problem) {
    super(rangeOf(document, problem), plainLines(problem.message), severities[problem.severity]);
    this.source = 'Prompt Tables';
    this.fix = problem.fix;
    if (problem.fix?.kind === 'undeclare') this.tags = [vscode.DiagnosticTag.Unnecessary];
  }
}

/** Squiggles under what is wrong, a moment after the last key. */
function registerDiagnostics(): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('promptTables');
  const timers = new Map<string, NodeJS.Timeout>();
  const look = (document: vscode.TextDocument): void => {
    if (!isPromptDocument(document) || document.isClosed) return;
    const problems = problemsOf(readDocument(document), t);
    collection.set(
      document.uri,
      problems.map((problem) => new PromptDiagnostic(document, problem)),
    );
  };
  for (const document of vscode.workspace.textDocuments) look(document);
  return vscode.Disposable.from(
    collection,
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const key = document.uri.toString();
      clearTimeout(timers.get(key));
      timers.set(
        key,
        setTimeout(() => look(document), pauseMs),
      );
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
    new vscode.Disposable(() => timers.forEach((timer) => clearTimeout(timer))),
  );
}

function quickFix(
  document: vscode.TextDocument,
  diagnostic: PromptDiagnostic,
): vscode.CodeAction | undefined {
  const { fix } = diagnostic;
  if (fix === undefined) return undefined;
  const { variables } = readDocument(document);
  const isAdding = fix.kind === 'declare';
  const title = isAdding
    ? t('Add "{0}" to input_variables', fix.name)
    : t('Remove "{0}" from input_variables', fix.name);
  const action = createCodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.edit = new vscode.WorkspaceEdit();
  const last = isAdding ? [...variables.values()].at(-1) : variables.get(fix.name);
  if (last === undefined) return undefined;
  const line = document.lineAt(document.positionAt(last.from).line);
  // Only a list that has a line for each name: one in brackets is for the author.
  if (!/^\s*- /.test(line.text)) return undefined;
  if (isAdding) {
    const indent = /^\s*/.exec(line.text)?.[0] ?? '';
    action.edit.insert(document.uri, line.range.end, `\n${indent}- ${fix.name}`);
  } else action.edit.delete(document.uri, line.rangeIncludingLineBreak);
  action.isPreferred = true;
  return action;
}

/** The messages and their parts, for outline, breadcrumbs and folding. */
function symbolsOf(document: vscode.TextDocument): vscode.DocumentSymbol[] {
  const { blocks } = readDocument(document);
  const lastLine = (at: number): number => (blocks[at + 1]?.line ?? document.lineCount) - 1;
  const symbols: vscode.DocumentSymbol[] = [];
  let number = 0;
  blocks.forEach((block, at) => {
    const isMessage = block.kind === 'message';
    const next = isMessage
      ? blocks.findIndex((other, index) => index > at && other.kind === 'message')
      : at + 1;
    const end =
      next < 0 ? document.lineCount - 1 : isMessage ? (blocks[next]?.line ?? 1) - 1 : lastLine(at);
    const head = document.lineAt(block.line).range;
    const whole = new vscode.Range(
      head.start,
      document.lineAt(Math.max(block.line, end)).range.end,
    );
    const first = block.lines.find(({ text }) => text.trim() !== '')?.text.slice(0, 60) ?? '';
    if (isMessage) number += 1;
    const symbol = new vscode.DocumentSymbol(
      plainLine(isMessage ? `${number}. ${block.word}` : block.word),
      plainLine(first),
      isMessage ? vscode.SymbolKind.String : vscode.SymbolKind.Object,
      whole,
      head,
    );
    const owner = symbols.at(-1);
    if (isMessage || owner === undefined) symbols.push(symbol);
    else owner.children.push(symbol);
  });
  return symbols;
}

function foldsOf(document: vscode.TextDocument): vscode.FoldingRange[] {
  const folds: vscode.FoldingRange[] = [];
  const add = ({ range, children }: vscode.DocumentSymbol): void => {
    if (range.end.line > range.start.line)
      folds.push(new vscode.FoldingRange(range.start.line, range.end.line));
    for (const child of children) add(child);
  };
  for (const symbol of symbolsOf(document)) add(symbol);
  const { front } = readDocument(document);
  const end =
    front === undefined ? -1 : ([...document.getText().matchAll(/^---[ \t]*$/gm)][1]?.index ?? -1);
  if (end > 0) folds.push(new vscode.FoldingRange(0, document.positionAt(end).line));
  return folds;
}

const typeText = (type: VariableType | undefined): string => {
  switch (type) {
    case 'messages':
      return t('a list of messages');
    case 'media':
      return t('media: a list of addresses or base64 strings');
    case 'tools':
      return t('a list of tools');
    case 'values':
      return t('a list of values');
    case 'text':
    case undefined:
      return t('text');
  }
};

const within = ({ from, to }: Place, offset: number): boolean => offset >= from && offset <= to;

const snippetAt = (reading: Reading, offset: number): SnippetAt | undefined =>
  reading.spans.flatMap(snippetsAt).find((found) => within(found, offset));

function variableHover(
  document: vscode.TextDocument,
  reading: Reading,
  offset: number,
): vscode.Hover | undefined {
  const all = reading.spans.flatMap(variablesAt);
  const declared = [...reading.variables].find(([, place]) => within(place, offset));
  const here = all.find((found) => within(found, offset));
  const name = here?.name ?? declared?.[0];
  if (name === undefined) return undefined;
  const type = reading.draft === undefined ? undefined : usedVariables(reading.draft).get(name);
  const counts = new Map<number, number>();
  for (const found of all) {
    if (found.name === name) counts.set(found.message, (counts.get(found.message) ?? 0) + 1);
  }
  const text = new PlainMarkdown().strong(name).text(`: ${typeText(type)}`);
  for (const [message, count] of counts) {
    const role = reading.spans.find((span) => span.message === message)?.role ?? '';
    text.paragraph().text(t('{0} times in message {1} ({2})', count, message + 1, role));
  }
  if (counts.size === 0) text.paragraph().text(t('Not in the text of any message.'));
  const place = here ?? declared?.[1] ?? { from: offset, to: offset };
  return new vscode.Hover(text.value, rangeOf(document, place));
}

function completions(document: vscode.TextDocument, position: vscode.Position, snippets: Snippets) {
  const before = document.lineAt(position.line).text.slice(0, position.character);
  const reading = readDocument(document);
  const items = (
    names: Iterable<string>,
    kind: vscode.CompletionItemKind,
    close = '',
  ): vscode.CompletionItem[] =>
    [...names].map((name) => {
      const item = new vscode.CompletionItem(plainLine(name), kind);
      item.insertText = `${name}${close}`;
      return item;
    });
  const [, snippet] = /@@@([^@]*)$/.exec(before) ?? [];
  if (snippet !== undefined) {
    const line = document.lineAt(position.line).text;
    const close = line.startsWith('@@@', position.character) ? '' : '@@@';
    const start = position.translate(0, -snippet.length);
    const connectionId = likelyConnection(snippets.app, document);
    if (connectionId === undefined) return [];
    return snippets.names(connectionId).then((names) =>
      items(names, vscode.CompletionItemKind.Snippet, close).map((item) => {
        // Names may hold spaces and slashes, which a word would end at.
        item.range = new vscode.Range(start, position);
        return item;
      }),
    );
  }
  if (/^=== \w*$/.test(before)) return items(roles, vscode.CompletionItemKind.Keyword);
  const isFront = position.line < (reading.blocks[0]?.line ?? document.lineCount);
  if (isFront)
    return /^\w*$/.test(before) ? items(frontKeys, vscode.CompletionItemKind.Property, ': ') : [];
  if (!/\{\{?\s*\w*$/.test(before) && !/\{%[^%]*$/.test(before)) return [];
  const names = new Set([
    ...(reading.front?.input_variables ?? []),
    ...reading.spans.flatMap(variablesAt).map(({ name }) => name),
  ]);
  return items(names, vscode.CompletionItemKind.Variable);
}

interface LensParts {
  readonly app: App;
  readonly marks: DriftMarks;
  readonly merging: Merging;
  /** Something that lenses tell of has changed. */
  readonly changed: vscode.Event<void>;
}

/** What runs: the version only when the document says what that says. */
async function runTitle({ app, marks }: LensParts, document: vscode.TextDocument): Promise<string> {
  const { draft } = readDocument(document);
  const connectionId = likelyConnection(app, document);
  const isPublished =
    document.uri.scheme === versionScheme ||
    (draft !== undefined &&
      connectionId !== undefined &&
      (await marks.isPublished({ connectionId, draft })));
  return isPublished && draft?.version !== undefined
    ? t('$(play) Run Version {0}', draft.version)
    : t('$(play) Run Draft');
}

/** What can be done with a prompt, above its first line. */
async function lensesOf(
  parts: LensParts,
  document: vscode.TextDocument,
): Promise<vscode.CodeLens[]> {
  const top = new vscode.Range(0, 0, 0, 0);
  const { uri } = document;
  const lens = (title: string, command: string): vscode.CodeLens =>
    createCodeLens(top, { title, command: `promptTables.${command}`, arguments: [uri] });
  if (uri.scheme === versionScheme && queryOf(uri)?.merge !== undefined) return [];
  const mine = lens(t('$(diff) Compare with My Text'), 'comparePromptWithMine');
  if (uri.scheme === mergeScheme) {
    return [
      lens(t('$(check) Complete Merge'), 'completePromptMerge'),
      mine,
      lens(t('$(discard) Cancel Merge…'), 'cancelPromptMerge'),
    ];
  }
  const run = lens(await runTitle(parts, document), 'runPromptDocument');
  if (uri.scheme === versionScheme) return [run, lens(t('$(edit) Edit'), 'editPromptDocument')];
  const [open, hasMine] = await Promise.all([
    parts.merging.openCount(uri),
    parts.merging.hasMine(uri),
  ]);
  const merge =
    open === undefined
      ? hasMine
        ? [mine]
        : []
      : [lens(t('$(git-merge) Continue Merge, {0} open', open), 'continuePromptMerge')];
  const compare = lens(t('$(diff) Compare with Published Version'), 'comparePromptWithService');
  if (uri.scheme === draftScheme) {
    return [
      ...[run, ...merge],
      lens(t('$(cloud-upload) Publish…'), 'publishPrompt'),
      compare,
      lens(t('$(discard) Discard Draft…'), 'discardPromptDraft'),
    ];
  }
  const state = parts.marks.stateOf(uri);
  const isNewer = state === 'newer' || state === 'both';
  return [
    ...[run, ...merge],
    lens(t('$(cloud-upload) Push…'), 'pushPromptFile'),
    compare,
    ...(isNewer ? [lens(t('$(cloud-download) Pull Newer Version'), 'pullPromptFile')] : []),
  ];
}

/** Colours are the grammar's; everything else about the text of a prompt is here. */
export function registerLanguage(parts: LensParts): vscode.Disposable {
  const { app, marks } = parts;
  const snippets = new Snippets(app);
  const lensesChanged = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    registerDiagnostics(),
    lensesChanged,
    marks.onDidChangeFileDecorations(() => lensesChanged.fire()),
    parts.changed(() => lensesChanged.fire()),
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: (document) => lensesOf(parts, document),
    }),
    vscode.languages.registerCodeActionsProvider(selector, {
      provideCodeActions: (document, _range, { diagnostics }) =>
        diagnostics.flatMap((diagnostic) => {
          const action =
            diagnostic instanceof PromptDiagnostic ? quickFix(document, diagnostic) : undefined;
          return action === undefined ? [] : [action];
        }),
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: symbolsOf,
    }),
    vscode.languages.registerFoldingRangeProvider(selector, { provideFoldingRanges: foldsOf }),
    vscode.languages.registerHoverProvider(selector, {
      async provideHover(document, position) {
        const reading = readDocument(document);
        const offset = document.offsetAt(position);
        const snippet = snippetAt(reading, offset);
        if (snippet === undefined) return variableHover(document, reading, offset);
        const text = await snippets.describe(likelyConnection(app, document), snippet.reference);
        return new vscode.Hover(text, rangeOf(document, snippet));
      },
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      provideDefinition(document, position) {
        const snippet = snippetAt(readDocument(document), document.offsetAt(position));
        const connectionId = likelyConnection(app, document);
        if (snippet === undefined || connectionId === undefined) return undefined;
        const { name, version, label } = snippet.reference;
        const choice =
          version !== undefined
            ? ({ kind: 'version', version } as const)
            : label === undefined
              ? undefined
              : ({ kind: 'label', label } as const);
        return new vscode.Location(
          versionUri({ connectionId, promptName: name, choice }),
          new vscode.Position(0, 0),
        );
      },
    }),
    vscode.languages.registerCompletionItemProvider(
      selector,
      { provideCompletionItems: (document, position) => completions(document, position, snippets) },
      '@',
      '{',
      ' ',
    ),
  );
}
