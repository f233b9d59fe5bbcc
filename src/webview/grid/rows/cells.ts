import type { UnsavedEdit } from '../../../protocol/grid-edits.ts';
import { cutOffStatus } from '../../../protocol/grid-work.ts';
import { t } from '../../common/language.ts';
import { revealOnLine } from '../../common/reveal.ts';
import type { StoredCell } from './store.ts';

/** How a cell looks and what is said of it. */
export interface ItemPresentation {
  readonly text: string;
  /** Word of the badge; empty for none. */
  readonly badge: string;
  /** CSS classes beside `cell`. */
  readonly look: string;
  /** What a screen reader says; empty when the text alone says it. */
  readonly label: string;
}

interface StatusPresentation {
  readonly word: string;
  /** Within a sentence, and after a number. */
  readonly within: string;
  /** CSS class. */
  readonly look: string;
}

const failed = { word: t('Failed'), within: t('failed'), look: 's-failed' };
const cancelled = { word: t('Canceled'), within: t('canceled'), look: 's-cancelled' };
const statusPresentations: ReadonlyMap<string, StatusPresentation> = new Map([
  ['completed', { word: t('Completed'), within: t('completed'), look: 's-completed' }],
  [cutOffStatus.toLowerCase(), { word: t('Cut off'), within: t('cut off'), look: 's-cutoff' }],
  ['stale', { word: t('Stale'), within: t('stale'), look: 's-stale' }],
  ['queued', { word: t('Queued'), within: t('queued'), look: 's-queued' }],
  ['running', { word: t('Running'), within: t('running'), look: 's-running' }],
  ['failed', failed],
  ['error', failed],
  ['cancelled', cancelled],
  ['canceled', cancelled],
]);

/** Statuses that nobody here knows are shown in the service's own word, and share a look. */
export function statusPresentation(status: string): StatusPresentation {
  const lower = status.toLowerCase();
  return statusPresentations.get(lower) ?? { word: status, within: lower, look: 's-other' };
}

const valueWords = {
  missing: { text: t('no cell'), label: t('no cell') },
  notRun: { text: '', label: t('not run yet') },
  null: { text: 'null', label: t('null, no value') },
  empty: { text: t('empty'), label: t('empty text') },
} as const;

const unsavedBadges = {
  sending: t('Saving'),
  waiting: t('Not saved yet'),
  conflict: t('Conflict'),
  refused: t('Not accepted'),
} as const;

/** Texts longer than fits are cut before they reach the page: layout costs by the letter. */
function cutTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Between words, so that what is read out does not end in half of one; never inside a pair.
  let end = limit;
  while (end > limit - 24 && isInWord(text, end)) end -= 1;
  const cut = text.slice(0, isInWord(text, end) ? limit : end);
  // A bracket that opens nothing would be a word of its own.
  return `${cut.replace(/[\s\p{Ps}\p{Pi}]+$/u, '')}…`;
}

const plainLetter = /[0-9a-z]/i;
const letter = /[\p{L}\p{N}\p{Cs}]/u;
const isLetter = (sign: string): boolean =>
  sign < '\u0080' ? plainLetter.test(sign) : letter.test(sign);
const isInWord = (text: string, at: number): boolean =>
  isLetter(text.charAt(at - 1)) && isLetter(text.charAt(at));

/** Scripts written from the right. */
const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
export const isFromRight = (text: string): boolean => fromRight.test(text);

function unsavedPresentation(edit: UnsavedEdit, limit: number): ItemPresentation {
  const { text, isOdd } = revealOnLine(cutTo(edit.text ?? '', limit));
  const badge = unsavedBadges[edit.state];
  const kind = edit.text === null ? 'null' : edit.text === '' ? 'empty' : 'text';
  const value = kind === 'text' ? undefined : valueWords[kind];
  return {
    text: value?.text ?? text,
    badge,
    look: `k-${kind} u-${edit.state}${isOdd ? ' odd' : ''}${isFromRight(text) ? ' rtl' : ''}`,
    label: `${badge}, ${value?.label ?? text}`,
  };
}

/** Kinds whose type is said, because text could read the same. */
const saidKinds = { json: 'JSON', number: t('number'), boolean: t('boolean') } as const;

const noPresentation = { word: '', look: '' };
const notRunPresentation = { word: t('Not run'), look: 's-notrun' };

function badgeOf(cell: StoredCell): { readonly word: string; readonly look: string } {
  const isBare = cell.status === '';
  const presentation = isBare ? noPresentation : statusPresentation(cell.status);
  const isIdle = isBare || presentation.look === 's-stale' || presentation.look === 's-completed';
  return cell.kind === 'notRun' && isIdle ? notRunPresentation : presentation;
}

/** What the log of requests is not told of a request. */
export const unreported: ItemPresentation = {
  text: '–',
  badge: '',
  look: 'k-missing',
  label: t('unknown'),
};

/** `limit`: letters that can be seen at the column's width. */
export function presentationOf(
  cell: StoredCell,
  unsaved: UnsavedEdit | undefined,
  limit: number,
): ItemPresentation {
  if (unsaved !== undefined) return unsavedPresentation(unsaved, limit);
  const badge = badgeOf(cell);
  // In the order in which it is seen: the badge, the value, then what only the eye could tell.
  const parts = badge.word === '' ? [] : [badge.word];
  if (cell.error !== undefined && badge.look === 's-failed') {
    const { text } = revealOnLine(cutTo(cell.error, limit));
    return {
      text,
      badge: badge.word,
      look: `k-error ${badge.look}`,
      label: `${badge.word}, ${revealOnLine(cell.error).text}`,
    };
  }
  const look = badge.look === '' ? '' : ` ${badge.look}`;
  const { kind } = cell;
  if (kind === 'missing' || kind === 'notRun' || kind === 'null' || kind === 'empty') {
    const value = valueWords[kind];
    const isSaid = kind === 'notRun' && badge.look === 's-notrun';
    const label = isSaid ? t('Not run yet') : [...parts, value.label].join(', ');
    return { text: value.text, badge: badge.word, look: `k-${kind}${look}`, label };
  }
  const isCut = cell.isCut || cell.text.length > limit;
  const { text, isOdd } = revealOnLine(cutTo(cell.text, limit));
  const shown = cell.isCut && cell.text.length <= limit ? `${text}…` : text;
  const said = isCut ? revealOnLine(cell.text).text : text;
  parts.push(said);
  if (kind !== 'text') parts.push(saidKinds[kind]);
  if (isOdd) parts.push(t('with hidden characters'));
  if (cell.isCut) parts.push(t('shortened'));
  return {
    text: shown,
    badge: badge.word,
    look: `k-${kind}${look}${isOdd ? ' odd' : ''}${cell.isCut ? ' cut' : ''}${isFromRight(shown) ? ' rtl' : ''}`,
    label: parts.length === 1 && said === shown ? '' : parts.join(', '),
  };
}
