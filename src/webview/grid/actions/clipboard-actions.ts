import type { CopyFormat } from '../../../protocol/grid.ts';
import { t } from '../../common/language.ts';
import { attempt, spellCells, type ActionParts } from './action-parts.ts';
import type { GridActions } from './grid-actions.ts';

type ClipboardActions = Pick<GridActions, 'copy' | 'cut' | 'paste' | 'pasteAs'>;

export function clipboardActions(parts: ActionParts): ClipboardActions {
  const { host, model, blocks, banners } = parts;

  async function copy(format: CopyFormat, headers: boolean): Promise<void> {
    const selection = model.selected();
    if (selection.rows.length === 0 || selection.columnIds.length === 0) return;
    const done = await attempt(parts, host.ask('copy', { selection, format, headers }));
    if (done) banners.notify('info', { message: t('Copied {0}.', spellCells(done.cells)) });
  }

  /** Taken away only once it is on the clipboard. */
  async function cut(): Promise<void> {
    const selection = model.selected();
    if (selection.rows.length === 0) return;
    const request = { selection, format: 'tsv', headers: false } as const;
    const done = await attempt(parts, host.ask('copy', request));
    if (done) await blocks.clear('empty', selection);
  }

  return {
    copy: (format, headers) => void copy(format, headers),
    cut: () => void cut(),
    paste: (clip = { text: null, table: null }) => void blocks.paste(clip),
    pasteAs: () => void blocks.paste({ text: null, table: null }, true),
  };
}
