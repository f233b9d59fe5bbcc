import type { SheetRequests } from '../../protocol/grid.ts';
import type { ManyRetraced } from '../../protocol/grid-edits.ts';
import type { ChangeOutcome } from '../../protocol/grid-work.ts';
import type { Translate } from '../shell/translate.ts';
import type { EditorHost } from './editor-host.ts';

/** How work ended, for those who did not see it end. */
export interface Spelled {
  readonly text: string;
  readonly isTrouble: boolean;
}

export function spellError(editorHost: EditorHost, error: unknown): string {
  const { message, hint } = editorHost.describe(error);
  return hint === undefined ? message : `${message} ${hint}`;
}

const notSaved = (open: number, total: number, t: Translate): readonly string[] =>
  open === 0 ? [] : [t('{0} of {1} cells are not saved.', open, total)];

const left = (dropped: number, t: Translate): readonly string[] =>
  dropped === 0 ? [] : [t('Stopped. Cells left as they were: {0}.', dropped)];

/** Edits that were sent at once. */
export function spellMany({ saved, open, dropped }: ManyRetraced, t: Translate): Spelled {
  const changed = saved === 1 ? t('Changed 1 cell.') : t('Changed {0} cells.', saved);
  const total = saved + open + dropped;
  return {
    text: [changed, ...notSaved(open, total, t), ...left(dropped, t)].join(' '),
    isTrouble: open > 0,
  };
}

export function spellChange(outcome: ChangeOutcome, t: Translate): Spelled | undefined {
  switch (outcome.outcome) {
    case 'declined':
      return undefined;
    case 'stopped':
      return { text: t('Stopped before any cell was changed.'), isTrouble: false };
    case 'nothing':
      return { text: outcome.message, isTrouble: true };
    case 'done': {
      const { cells, open, dropped, fault } = outcome;
      const { text, isTrouble } = spellMany({ saved: cells, open, dropped }, t);
      return { text: fault === undefined ? text : `${text} ${fault}`, isTrouble };
    }
  }
}

export function spellDeleted(
  { deleted, left: notDeleted = 0 }: SheetRequests['deleteRows']['result'],
  t: Translate,
): Spelled | undefined {
  if (deleted + notDeleted === 0) return undefined;
  const done = deleted === 1 ? t('Deleted 1 row.') : t('Deleted {0} rows.', deleted);
  const rest = notDeleted === 0 ? [] : [t('Stopped. Rows left: {0}.', notDeleted)];
  return { text: [done, ...rest].join(' '), isTrouble: false };
}

export const spellCopied = ({ cells }: SheetRequests['copy']['result'], t: Translate): Spelled => ({
  text: cells === 1 ? t('Copied 1 cell.') : t('Copied {0} cells.', cells),
  isTrouble: false,
});
