import type { CellAddress } from '../../../protocol/grid-cells.ts';
import type { SheetRequests } from '../../../protocol/grid.ts';
import { wholeValue } from '../cells/cell-detail.ts';
import { copySelection } from './copy.ts';
import type { EditorHost } from '../editor-host.ts';
import { isCancellation } from '../../../core/errors.ts';
import type { SheetState } from '../rows/sheet-state.ts';
import type { Tasks } from '../tasks.ts';

/** Puts the selection on the clipboard, whatever becomes of the view that asked for it. */
export async function copyToClipboard(
  state: SheetState,
  { editorHost, tasks }: { readonly editorHost: EditorHost; readonly tasks: Tasks },
  { selection, format, headers }: SheetRequests['copy']['params'],
): Promise<SheetRequests['copy']['result']> {
  const { t } = editorHost;
  const { formulaGuard, limitBytes } = editorHost.copySettings();
  const copying = tasks.run(t('Copying cells'), (inner, progress) =>
    copySelection(
      {
        rowCount: state.shown.count,
        version: state.version,
        page: (page, stop) => state.shown.page(page, stop),
        rows: (page, stop) => state.shown.rows(page, stop),
      },
      {
        selection,
        format,
        headers,
        columns: state.columns,
        formulaGuard,
        limitBytes,
        t,
        onProgress: (rows, of) =>
          progress.report({
            message: t('{0} of {1} rows', rows, of),
            percent: (rows / of) * 100,
          }),
      },
      inner,
    ),
  );
  const copied = await copying.catch((error: unknown) => {
    if (!isCancellation(error)) throw error;
    throw new Error(t('Copying was stopped. The clipboard is unchanged.'));
  });
  await editorHost.writeClipboard(copied.text, copied.form);
  if (copied.guarded > 0) {
    editorHost.remark(
      t("{0} cells looked like formulas and were copied with a ' in front.", copied.guarded),
    );
  }
  return { cells: copied.cells, rows: copied.rows };
}

/** Shows the whole value in an editor. */
export async function openInEditor(
  state: SheetState,
  editorHost: EditorHost,
  address: CellAddress,
  signal: AbortSignal,
): Promise<null> {
  const column = state.columnOf(address.columnId);
  const cell = await state.cell(address, undefined, signal);
  const { text, json } = wholeValue(cell);
  const isMarkdown = /^#{1,6} |^```|^\s*[-*] \S/m.test(text);
  const language = json !== undefined ? 'json' : isMarkdown ? 'markdown' : 'plaintext';
  const name = `${column.title} · ${address.rowIndex + 1}`;
  await editorHost.openValue({ name, language, cellId: cell.id });
  return null;
}
