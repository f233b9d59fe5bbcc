import type { CancelAnswer } from '../../api/operation.ts';
import type { Translate } from '../shell/translate.ts';

/** Specification 4.2: a service need not count the cells that waited and those that ran apart. */
export function cancelledWords(
  answer: CancelAnswer,
  number: Intl.NumberFormat,
  t: Translate,
): string {
  const {
    cancelled_cell_count: all,
    not_started_reset_count: waiting,
    running_invalidated_count: running,
  } = answer;
  if (waiting + running > 0)
    return t(
      'Canceled: {0} queued and {1} running cells kept their previous values.',
      number.format(waiting),
      number.format(running),
    );
  return all > 0
    ? t('Canceled: {0} cells kept their previous values.', number.format(all))
    : t('Nothing is running');
}
