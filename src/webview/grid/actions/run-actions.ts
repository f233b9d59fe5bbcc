import type { RunScope } from '../../../protocol/grid.ts';
import { t, spellNumber } from '../../common/language.ts';
import { attempt, spellCells, type ActionParts } from './action-parts.ts';
import type { GridActions } from './grid-actions.ts';

type RunActions = Pick<GridActions, 'run' | 'cancelOperation'>;

export function runActions(parts: ActionParts): RunActions {
  const { host, banners, announcer } = parts;

  async function run(scope: RunScope): Promise<void> {
    const outcome = await attempt(parts, host.ask('run', scope));
    if (outcome?.outcome === 'nothing') banners.notify('info', { message: outcome.message });
    if (outcome?.outcome === 'started') {
      announcer.say(t('Running {0}', spellCells(outcome.cellCount)));
    }
  }

  return {
    run: (scope) => void run(scope),
    cancelOperation: async (operationId) => {
      const done = await attempt(parts, host.ask('cancelOperation', { operationId }));
      if (done === undefined) return false;
      const message =
        done.cancelled === 1
          ? t('Canceled. 1 cell kept its previous value.')
          : t('Canceled. {0} cells kept their previous values.', spellNumber(done.cancelled));
      banners.notify('info', { message });
      return true;
    },
  };
}
