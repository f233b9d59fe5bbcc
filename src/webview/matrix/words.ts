import type {
  CellScore,
  ColumnFoot,
  Interval,
  MatrixCell,
  MatrixProgress,
} from '../../protocol/matrix.ts';
import { language, spellDuration, spellNumber, spellPrice, t } from '../common/language.ts';
import { stateText } from '../common/status-line.ts';

const percent = (share: number): string =>
  share.toLocaleString(language, { style: 'percent', maximumFractionDigits: 0 });

export const spellInterval = ({ mean, low, high }: Interval): string =>
  t('{0} ({1} to {2})', percent(mean), percent(low), percent(high));

/** What a cell says where its answer would be. */
export function cellState(cell: MatrixCell | undefined): string {
  switch (cell?.state) {
    case undefined:
    case 'waiting':
      return t('Not run yet');
    case 'running':
      return t('Running');
    case 'done':
      return stateText('done', cell.ending);
    case 'failed':
      return cell.problem === undefined ? t('Failed') : t('Failed: {0}', cell.problem.message);
    case 'stopped':
      return t('Stopped');
    case 'interrupted':
      return t('Interrupted');
  }
}

/** How long an answer has taken, and what it cost. */
export const cellFacts = ({ elapsedMs, priceUsd, isCached }: MatrixCell): string =>
  [
    ...(isCached === true ? [t('Answer cached')] : []),
    ...(elapsedMs === undefined ? [] : [spellDuration(elapsedMs)]),
    ...(priceUsd === undefined ? [] : [spellPrice(priceUsd)]),
  ].join(' · ');

const passed = ({ pass, problem, isRunning }: CellScore): string => {
  if (isRunning === true) return '…';
  if (problem !== undefined || pass === undefined) return '?';
  return pass ? '✓' : '✗';
};

/** A sign for each scorer. */
export const scoreSigns = ({ scores }: MatrixCell): string => scores.map(passed).join(' ');

/** The same for who hears it. */
export function scoreWords({ scores }: MatrixCell): string {
  const count = scores.filter(({ pass }) => pass === true).length;
  const failed = scores.filter(({ problem }) => problem !== undefined).length;
  if (scores.length === 0) return '';
  const text = t('{0} of {1} scorers passed', count, scores.length);
  return failed === 0 ? text : `${text}, ${t('{0} could not be computed', failed)}`;
}

/** Lines of a foot: what it is of, and what it comes to. */
export function footLines(
  foot: ColumnFoot | undefined,
  {
    cases,
    hasScorers,
    hides,
  }: { readonly cases: number; readonly hasScorers: boolean; readonly hides: boolean },
): readonly (readonly [name: string, value: string])[] {
  if (foot === undefined) return [];
  const { answered, failed, cut, scored, passRate, score, p50Ms, p95Ms, costUsd, priced } = foot;
  const { inputTokens, outputTokens, firsts } = foot;
  const parts = [
    t('{0} of {1}', spellNumber(answered), spellNumber(cases)),
    ...(failed > 0 ? [t('{0} failed', spellNumber(failed))] : []),
    ...(cut > 0 ? [t('{0} not whole', spellNumber(cut))] : []),
  ];
  const of = scored === answered ? '' : ` · ${t('{0} scored', spellNumber(scored))}`;
  const coverage = priced < answered ? ` · ${t('{0} priced', spellNumber(priced))}` : '';
  const lines: readonly (readonly [string, string | undefined])[] = [
    [t('Answered'), parts.join(', ')],
    [t('Found best'), firsts > 0 ? spellNumber(firsts) : undefined],
    // Times, tokens and prices tell who it is.
    ...(hides
      ? []
      : ([
          [t('Passed'), hasScorers && passRate ? spellInterval(passRate) + of : undefined],
          [t('Mean score'), hasScorers && score ? spellInterval(score) : undefined],
          [
            t('Time p50, p95'),
            p50Ms === undefined || p95Ms === undefined
              ? undefined
              : `${spellDuration(p50Ms)}, ${spellDuration(p95Ms)}`,
          ],
          [
            t('Tokens in, out'),
            inputTokens === undefined && outputTokens === undefined
              ? undefined
              : [inputTokens, outputTokens]
                  .map((count) => (count === undefined ? '?' : spellNumber(count)))
                  .join(', '),
          ],
          [
            t('Cost'),
            costUsd === undefined ? unknownCost(answered) : spellPrice(costUsd) + coverage,
          ],
        ] as const)),
  ];
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

const unknownCost = (answered: number): string | undefined =>
  answered === 0 ? undefined : t('unknown');

/** How far everything is. */
export function progressText(progress: MatrixProgress): string {
  const { isRunning, total, answered, failed, costUsd, unpriced, halt } = progress;
  const state = isRunning
    ? t('Running')
    : halt === 'budget'
      ? t('Stopped at the budget')
      : halt === 'stopped'
        ? t('Stopped')
        : halt === 'interrupted'
          ? t('Interrupted')
          : undefined;
  const cost =
    costUsd === undefined
      ? undefined
      : unpriced > 0
        ? t('{0}, cost unknown: {1}', spellPrice(costUsd), spellNumber(unpriced))
        : spellPrice(costUsd);
  return [
    state,
    t('{0} of {1} answered', spellNumber(answered), spellNumber(total)),
    failed > 0 ? t('{0} failed', spellNumber(failed)) : undefined,
    cost,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}
