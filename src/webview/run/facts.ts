import type { RunStatus } from '../../protocol/run.ts';
import { spellDuration, spellMoment, spellNumber, spellPrice, t } from '../common/language.ts';
import type { StatusFact } from '../common/status-line.ts';

/** A price that nobody knows is not nothing. */
function spellCost(price: number | null | undefined): string | undefined {
  return price === null ? '–' : price === undefined ? undefined : spellPrice(price);
}

/** Tokens in a second, from the first to the last of them; undefined where it would be a guess. */
function speedOf({
  state,
  elapsedMs,
  firstTokenMs,
  outputTokens,
  cachedAt,
}: RunStatus): number | undefined {
  if (
    cachedAt !== undefined ||
    state !== 'done' ||
    firstTokenMs === undefined ||
    outputTokens === undefined
  )
    return undefined;
  const seconds = (elapsedMs - firstTokenMs) / 1000;
  return seconds >= 0.05 ? outputTokens / seconds : undefined;
}

const counted = (count: number | undefined, isEstimated = false): string | undefined => {
  if (count === undefined) return undefined;
  return isEstimated ? t('about {0}', spellNumber(count)) : spellNumber(count);
};

/** Nobody was asked, so nobody is paid. */
function costOf({ cachedAt, isEstimated, priceUsd }: RunStatus): string | undefined {
  if (cachedAt !== undefined) return t('none');
  return isEstimated === true ? t('part of your plan') : spellCost(priceUsd);
}

/** Facts of a run of a prompt before its time and after it. */
export function factsOf(
  status: RunStatus,
  showRequest: (requestId: number) => void,
): {
  readonly before: readonly StatusFact[];
  readonly after: readonly StatusFact[];
} {
  const { firstTokenMs, inputTokens, outputTokens, requestId, isEstimated, cachedAt } = status;
  const speed = speedOf(status);
  return {
    before: [
      [
        t('Time to first token'),
        firstTokenMs === undefined ? undefined : spellDuration(firstTokenMs),
      ],
    ],
    after: [
      [t('Tokens in'), counted(inputTokens, isEstimated)],
      [t('Tokens out'), counted(outputTokens, isEstimated)],
      [
        t('Speed'),
        speed === undefined
          ? undefined
          : t('{0} tokens/s', counted(Math.round(speed), isEstimated) ?? ''),
      ],
      [t('Cost'), costOf(status)],
      [t('Answer cached'), cachedAt === undefined ? undefined : spellMoment(cachedAt)],
      [
        t('Request'),
        requestId?.toString(),
        {
          title: t('Show request'),
          follow: () => {
            if (requestId !== undefined) showRequest(requestId);
          },
        },
      ],
    ],
  };
}
