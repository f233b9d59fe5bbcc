import { t } from '../../common/language.ts';
import type { ActionParts } from './action-parts.ts';
import type { GridActions } from './grid-actions.ts';

type ChangingActions = Pick<
  GridActions,
  | 'addRow'
  | 'clear'
  | 'cut'
  | 'deleteRows'
  | 'fillDown'
  | 'paste'
  | 'pasteAs'
  | 'redo'
  | 'run'
  | 'setNull'
  | 'undo'
>;

/** In the log of requests, a key that would change rows says why it does not. */
export function readOnlyActions({ banners }: Pick<ActionParts, 'banners'>): ChangingActions {
  const refuse = (): void =>
    banners.notify('info', { message: t("Logged requests can't be changed.") });
  return {
    addRow: refuse,
    clear: refuse,
    cut: refuse,
    deleteRows: refuse,
    fillDown: refuse,
    paste: refuse,
    pasteAs: refuse,
    redo: refuse,
    run: refuse,
    setNull: refuse,
    undo: refuse,
  };
}
