import type { AdviceOf, ReasonOf, SdkAdvice, SdkReason } from '../../../core/errors/reason.ts';
import { adviceEntry, reasonEntry } from '../../../core/errors/reason.ts';
import type { Entry } from '../../../core/errors/texts.ts';
import { fill, textFor } from '../../../core/errors/texts.ts';
import type { PromptTablesError } from '../../../core/errors.ts';
import { isPromptTablesError } from '../../../core/errors.ts';
import type { Translate } from '../translate.ts';
import { adviceWords } from './advice.ts';
import type { About } from './reasons.ts';
import { reasonWords } from './reasons.ts';

/** How texts are said to a person: the language of the display, such as `de`. */
export interface Language {
  readonly t: Translate;
  readonly name: string;
}

type Said = Pick<PromptTablesError, 'message' | 'hint' | 'path' | 'reason' | 'advice' | 'cause'>;

/** A reason is put last as it came, and a hint may follow. */
const ended = (text: string): string =>
  /[.!?…。！？]["'”’」)\]]*$/u.test(text) ? text : `${text}.`;

const hasWords = <Words extends object>(words: Words, kind: string): kind is keyof Words & string =>
  Object.hasOwn(words, kind);

/** A text that programs and people share; of mistakes of a program, its English. */
const shared = (entry: Entry, values: object, { t, name }: Language): string =>
  fill('text' in entry ? t(textFor(entry, values)) : textFor(entry, values), values, name);

function causeOf({ cause }: Said, language: Language): string | undefined {
  if (!isPromptTablesError(cause)) return undefined;
  const hint = hintOf(cause, language);
  return hint === undefined ? messageOf(cause, language) : `${messageOf(cause, language)} ${hint}`;
}

/** What the core says to programmers, in the words and the language of the editor. */
export function messageOf(error: Said, language: Language): string {
  const { reason, message, path } = error;
  // Somebody's own words: of the editor itself, or of a version of the core that says more.
  if (reason === undefined) return message;
  if (hasWords(reasonWords, reason.kind)) {
    const about: About = { isOfService: path !== undefined, cause: causeOf(error, language) };
    const say = reasonWords[reason.kind] as (
      t: Translate,
      reason: ReasonOf<SdkReason>,
      about: About,
    ) => string;
    return ended(say(language.t, reason as ReasonOf<SdkReason>, about));
  }
  const entry = reasonEntry(reason.kind);
  return entry === undefined ? message : ended(shared(entry, reason, language));
}

/** What the core advises, for people. */
export function hintOf(
  { hint, advice }: Pick<Said, 'hint' | 'advice'>,
  language: Language,
): string | undefined {
  if (advice === undefined) return hint;
  if (hasWords(adviceWords, advice.kind)) {
    const say = adviceWords[advice.kind] as (t: Translate, advice: AdviceOf<SdkAdvice>) => string;
    return say(language.t, advice as AdviceOf<SdkAdvice>);
  }
  const entry = adviceEntry(advice.kind);
  return entry === undefined ? hint : shared(entry, advice, language);
}
