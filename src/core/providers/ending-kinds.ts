import { ownValue } from '../../api/own-value.ts';

/**
 * How an exchange with a model ended. `complete` and `cutOff` gave an answer, the second one half of
 * it, and so did `unknown`, whose reason is a word that nobody has documented. All others gave none:
 * the model refused, a filter took the answer away, nothing was said, a call of a tool can't be read,
 * or the provider failed.
 */
export type EndingKind =
  'complete' | 'cutOff' | 'unknown' | 'refused' | 'filtered' | 'empty' | 'malformed' | 'failed';

/** The words of all providers, without case and separators. */
const kinds: Readonly<Record<string, EndingKind>> = {
  ...{ stop: 'complete', endturn: 'complete', stopsequence: 'complete', toolcalls: 'complete' },
  ...{ tooluse: 'complete', toolcall: 'complete', functioncall: 'complete', complete: 'complete' },
  ...{ completed: 'complete', eos: 'complete', eostoken: 'complete', end: 'complete' },
  ...{ finish: 'complete', finished: 'complete', success: 'complete', done: 'complete' },
  // Nothing is said.
  ...{ null: 'complete', unspecified: 'complete', finishreasonunspecified: 'complete' },
  ...{ length: 'cutOff', maxtokens: 'cutOff', maxoutputtokens: 'cutOff', modellength: 'cutOff' },
  ...{ modelcontextwindowexceeded: 'cutOff', maxlength: 'cutOff', incomplete: 'cutOff' },
  ...{ maxcompletiontokens: 'cutOff', maxnewtokens: 'cutOff', contextlengthexceeded: 'cutOff' },
  ...{ contextwindowexceeded: 'cutOff', tokenlimit: 'cutOff', pauseturn: 'cutOff' },
  ...{ contentfilter: 'filtered', contentfiltered: 'filtered', guardrailintervened: 'filtered' },
  ...{ safety: 'filtered', recitation: 'filtered', blocklist: 'filtered', spii: 'filtered' },
  ...{ prohibitedcontent: 'filtered', imagesafety: 'filtered', imagerecitation: 'filtered' },
  ...{ imageprohibitedcontent: 'filtered', errortoxic: 'filtered', modelarmor: 'filtered' },
  ...{ jailbreak: 'filtered', blockreasonunspecified: 'filtered', sensitive: 'filtered' },
  ...{ blocked: 'filtered', filtered: 'filtered', moderation: 'filtered' },
  refusal: 'refused',
  ...{ malformedfunctioncall: 'malformed', unexpectedtoolcall: 'malformed' },
  ...{ malformedtooluse: 'malformed', malformedmodeloutput: 'malformed' },
  ...{ toomanytoolcalls: 'malformed', missingthoughtsignature: 'malformed' },
  malformedresponse: 'malformed',
  ...{ error: 'failed', failed: 'failed', timeout: 'failed', errorlimit: 'failed' },
  ...{ cancelled: 'failed', canceled: 'failed', abort: 'failed', other: 'failed' },
  ...{ aborted: 'failed', usercancel: 'failed', networkerror: 'failed', servererror: 'failed' },
  ...{ insufficientsystemresource: 'failed', engineoverloaded: 'failed', internalerror: 'failed' },
  // Asked for in the background: nobody waits for it here.
  ...{ inprogress: 'failed', queued: 'failed' },
  ...{ language: 'failed', imageother: 'failed', noimage: 'failed' },
};

/** What the words of gateways have in common, where nobody has documented the word itself. */
const alike: readonly (readonly [RegExp, EndingKind])[] = [
  [/filter|safety|unsafe|moderat|policy|prohibit|blocked|guardrail/, 'filtered'],
  [/refus/, 'refused'],
  [/malformed/, 'malformed'],
  [/ratelimit|error|fail|overload|cancel|abort|interrupt|preempt|timeout/, 'failed'],
  [/tokenlimit|timelimit|maxtoken|contextlength|length|truncat|compaction|notfinished/, 'cutOff'],
];

function kindOfWord(word: string): EndingKind {
  return ownValue(kinds, word) ?? alike.find(([words]) => words.test(word))?.[1] ?? 'unknown';
}

export const kindOf = (reason: string | undefined): EndingKind =>
  reason === undefined ? 'complete' : kindOfWord(reason.toLowerCase().replace(/[^a-z]/g, ''));

/** Of two reasons in one stream: a plain end does not undo that the answer was cut off or taken away. */
export function laterReason(before: unknown, now: unknown): unknown {
  if (typeof before !== 'string' || typeof now !== 'string') return now;
  const kind = kindOf(before);
  const isKept = kind !== 'complete' && kind !== 'unknown' && kindOf(now) === 'complete';
  return isKept ? before : now;
}
