/** What changes in code when a prompt, a workflow, a label or a variable is called something else. */
import type { CodeCall, Given } from '../../core/code-index/call.ts';
import type { Asked } from '../../core/code-index/call-index.ts';
import { askedBy, labelIn } from '../../core/code-index/call-index.ts';
import type { CodeLanguage } from '../../core/code-index/languages.ts';
import { writtenBetween } from '../../core/code-index/literals.ts';
import type { Span } from '../../core/code-index/tokens.ts';
import { variableText } from './check.ts';

/** What is called something else, wherever that was asked for. */
export interface Renamed {
  readonly kind: 'name' | 'label' | 'variable';
  /** Whose label or variable it is; of a name, what is renamed. */
  readonly what: Asked;
  readonly owner: string;
  readonly before: string;
}

export interface RenameTarget extends Renamed {
  /** The call in which it was asked for. */
  readonly call: CodeCall;
  /** What is shown to be typed over. */
  readonly span: Span;
}

interface CodeEdit {
  readonly span: Span;
  readonly text: string;
}

const holds = ({ from, to }: Span, offset: number): boolean => offset >= from && offset <= to;

/** A name of a constant is left to whoever knows the language; its string is renamed where it stands. */
const isAt = (given: Given<string> | undefined, offset: number): boolean =>
  given?.kind === 'literal' &&
  ((given.inner !== undefined && holds(given.inner, offset)) ||
    (given.declared !== undefined && holds(given.declared, offset)));

/** Undefined: nothing stands there that is known to be one of these. */
export function renameTargetAt(
  calls: readonly CodeCall[],
  offset: number,
): RenameTarget | undefined {
  for (const call of calls.toReversed()) {
    const { name, label, variables } = call;
    const of = { what: askedBy(call), owner: name.value, call };
    const spanOf = ({ declared, inner, span }: CodeCall['name']): Span =>
      // Of a constant's string what is between its quotes.
      inner ?? (declared && { from: declared.from + 1, to: declared.to - 1 }) ?? span;
    if (name.value !== '' && isAt(name, offset)) {
      return { ...of, kind: 'name', before: name.value, span: spanOf(name) };
    }
    if (label?.kind === 'literal' && label.value !== '' && isAt(label, offset)) {
      return { ...of, kind: 'label', before: label.value, span: spanOf(label) };
    }
    const variable = variables?.entries.find(
      ({ span, isShort }) => !isShort && holds(span, offset),
    );
    if (variable !== undefined && call.kind !== 'log') {
      return { ...of, kind: 'variable', before: variable.name, span: variable.span };
    }
  }
  return undefined;
}

/** A string in place of another one, in the same quotes. */
function stringText(old: string, value: string): string {
  const [, quote = '"'] = /^[a-z]*(["'`])/i.exec(old) ?? [];
  return `${quote}${writtenBetween(quote, value)}${quote}`;
}

function givenEdit(
  { inner, quote, declared, span }: CodeCall['name'],
  text: string,
  value: string,
): CodeEdit {
  if (inner !== undefined && quote !== undefined) {
    return { span: inner, text: writtenBetween(quote, value) };
  }
  const place = declared ?? span;
  return { span: place, text: stringText(text.slice(place.from, place.to), value) };
}

const isMeant = ({ what, owner }: Renamed, call: CodeCall): boolean =>
  call.name.value === owner && askedBy(call) === what;

/** Whether a call takes the name from another file, where it stays as it is. */
export const isImported = (target: Renamed, call: CodeCall): boolean => {
  const given = target.kind === 'name' ? call.name : call.label;
  const isIt = isMeant(target, call) && target.kind !== 'variable' && given?.kind === 'literal';
  return isIt && given.imported !== undefined && given.value === target.before;
};

/** Whether a constant's string is something else for another call too. */
function isShared(calls: readonly CodeCall[], target: Renamed, declared: Span): boolean {
  return calls.some((call) => {
    const isSame = (given: Given<string> | undefined): boolean =>
      given?.kind === 'literal' && given.declared?.from === declared.from;
    const isOther = (kind: 'name' | 'label'): boolean =>
      kind !== target.kind || !isMeant(target, call);
    return (isSame(call.name) && isOther('name')) || (isSame(call.label) && isOther('label'));
  });
}

/**
 * The edits of one file, each place once. `fits`: the version that a call asks for knows the new name
 * of a variable.
 */
export function renameEdits(
  calls: readonly CodeCall[],
  { text, language }: { readonly text: string; readonly language: CodeLanguage },
  target: Renamed,
  value: string,
  fits: (call: CodeCall) => boolean,
): readonly CodeEdit[] {
  const edits = calls.flatMap((call): readonly CodeEdit[] => {
    if (call.isUnfinished || !isMeant(target, call)) return [];
    if (target.kind === 'variable') {
      const entries = call.variables?.entries ?? [];
      if (entries.some(({ name }) => name === value) || !fits(call)) return [];
      return entries
        .filter(({ name }) => name === target.before)
        .map((entry) => ({ span: entry.span, text: variableText(entry, value, language) }));
    }
    const given = target.kind === 'name' ? call.name : call.label;
    if (given?.kind !== 'literal' || given.imported !== undefined) return [];
    if (target.kind === 'label' && labelIn(call) !== target.before) return [];
    if (given.declared !== undefined && isShared(calls, target, given.declared)) return [];
    return [givenEdit(given, text, value)];
  });
  const places = new Map(edits.map((edit) => [edit.span.from, edit]));
  return [...places.values()].sort((one, other) => one.span.from - other.span.from);
}
