import { isNativeError } from 'node:util/types';
import { stringifyJson } from '../../core/http/json.ts';
import { backtrackingEngine, translatePattern } from '../../core/regex/python-pattern.ts';
import { checkAnswer, inTime, tookTooLong } from '../run-panel/answer-schema.ts';
import type { Translate } from '../shell/translate.ts';
import type { Case, Scorer } from './plan.ts';
import { valueIn } from './plan.ts';
import type { Verdict } from './records.ts';

export type LocalScorer = Exclude<Scorer, { readonly kind: 'assertion' }>;

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : stringifyJson(value ?? null);

const matches = (pattern: string, text: string): boolean =>
  backtrackingEngine(translatePattern(pattern, 'test')).test(text);

/** What is wrong with a pattern; undefined: nothing. */
export function patternFault(pattern: string): string | undefined {
  try {
    matches(pattern, '');
    return undefined;
  } catch (error) {
    return isNativeError(error) ? error.message : String(error);
  }
}

function found(
  scorer: LocalScorer,
  text: string,
  { values }: Case,
  t: Translate,
): Partial<Verdict> {
  switch (scorer.kind) {
    case 'equals': {
      const expected = valueIn(values, scorer.field);
      if (expected === undefined) return { problem: t('The case has no value {0}.', scorer.field) };
      return { pass: text.trim() === textOf(expected.value).trim() };
    }
    case 'contains':
      return { pass: text.includes(scorer.text) };
    case 'regex':
      return { pass: inTime(() => matches(scorer.pattern, text)) };
    case 'schema': {
      const { kind, text: why } = checkAnswer(text, scorer.schema, t);
      return kind === 'unusable' ? { problem: why ?? '' } : { pass: kind === 'fits' };
    }
  }
}

/** What can be found out here, without asking anybody. */
export function scoreHere(scorer: LocalScorer, text: string, one: Case, t: Translate): Verdict {
  const { id: scorerId } = scorer;
  try {
    return { scorerId, ...found(scorer, text, one, t) };
  } catch (error) {
    const said = isNativeError(error) ? error.message : String(error);
    return { scorerId, problem: tookTooLong(error) ? t('checking takes too long') : said };
  }
}

/** How a scorer is called where it is listed. */
export function scorerTitle(scorer: Scorer, t: Translate): string {
  switch (scorer.kind) {
    case 'equals':
      return t('equals {0}', scorer.field);
    case 'contains':
      return t('contains "{0}"', scorer.text);
    case 'regex':
      return t('matches {0}', scorer.pattern);
    case 'schema':
      return t('fits the JSON schema');
    case 'assertion':
      return t('{0} (asked of {1})', scorer.statement, scorer.model.name);
  }
}
