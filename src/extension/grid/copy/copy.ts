import type { Row } from '../../../api/row.ts';
import type { CopyFormat } from '../../../protocol/grid.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import type { GridPage, GridSelection } from '../../../protocol/grid-cells.ts';
import { cellKinds } from '../../../protocol/grid-cells.ts';
import { presentationOf } from '../cells/cell-presentation.ts';
import type { CopiedCell } from './copy-formats.ts';
import { copyWriter } from './copy-formats.ts';
import type { KeptPage } from '../rows/pages.ts';
import type { CopiedForm } from '../paste/note-copied.ts';
import type { PagePart } from '../rows/positions.ts';
import { pagesOfRanges, rowsIn, settleRanges } from '../rows/positions.ts';
import type { Translate } from '../../shell/translate.ts';

export interface CopySource {
  readonly rowCount: number | undefined;
  readonly version: number | undefined;
  /** Previews, perhaps from an earlier time. */
  page(page: number, signal: AbortSignal): Promise<KeptPage>;
  /** Whole values, from the service. */
  rows(page: number, signal: AbortSignal): Promise<readonly Row[]>;
}

export interface CopyRequest {
  readonly selection: GridSelection;
  readonly format: CopyFormat;
  readonly headers: boolean;
  readonly columns: readonly GridColumn[];
  readonly formulaGuard: boolean;
  readonly limitBytes: number;
  readonly t: Translate;
  readonly onProgress?: (rows: number, of: number) => void;
}

export interface Copied {
  readonly text: string;
  readonly cells: number;
  readonly rows: number;
  /** Cells that were made harmless for spreadsheets. */
  readonly guarded: number;
  /** How the text is read when it is pasted; absent where it is for others. */
  readonly form?: CopiedForm;
}

/** The copy would be larger than the setting allows. */
export class CopyTooLargeError extends Error {
  override readonly name = 'CopyTooLargeError';
  readonly code = 'too_large';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Previews of a page hold whole values unless one was cut. */
function wholePage(
  { grid, version }: KeptPage,
  part: PagePart,
  columns: readonly GridColumn[],
  sheetVersion: number | undefined,
): GridPage | undefined {
  if (version === undefined || version !== sheetVersion) return undefined;
  const isCut = columns.some(({ id }) =>
    grid.columns[id]?.cut.some((place) => place >= part.from && place <= part.to),
  );
  return isCut ? undefined : grid;
}

async function* cellRows(
  source: CopySource,
  parts: Iterable<PagePart>,
  columns: readonly GridColumn[],
  signal: AbortSignal,
): AsyncGenerator<readonly CopiedCell[], void, undefined> {
  for (const part of parts) {
    const kept = await source.page(part.page, signal);
    const grid = wholePage(kept, part, columns, source.version);
    const rows = grid === undefined ? await source.rows(part.page, signal) : [];
    const count = grid?.rowIndices.length ?? rows.length;
    for (let place = part.from; place <= Math.min(part.to, count - 1); place += 1) {
      yield columns.map((column): CopiedCell => {
        if (grid === undefined)
          return presentationOf(rows[place]?.cells[column.id], column, Infinity);
        const cells = grid.columns[column.id];
        const kind = cellKinds[cells?.kind[place] ?? 0] ?? 'missing';
        return { text: cells?.text[place] ?? '', kind };
      });
    }
  }
}

/** The selection as one text, with full values. Aborting the signal ends it at the next page. */
export async function copySelection(
  source: CopySource,
  request: CopyRequest,
  signal: AbortSignal,
): Promise<Copied> {
  const { selection, format, headers, t } = request;
  const byId = new Map(request.columns.map((column) => [column.id, column]));
  const columns = selection.columnIds.flatMap((id) => byId.get(id) ?? []);
  const ranges = settleRanges(selection.rows, source.rowCount);
  const wanted = rowsIn(ranges);
  let guarded = 0;
  const writer = copyWriter(format, {
    titles: columns.map(({ title }) => title),
    headers,
    formulaGuard: request.formulaGuard,
    onGuarded: () => (guarded += 1),
  });
  // One cell goes as it is: no quotes, no line end, nothing added.
  const isBare = format === 'tsv' && wanted === 1 && columns.length === 1 && !headers;
  const pieces: string[] = [];
  let length = 0;
  let rows = 0;
  let only: CopiedCell | undefined;
  for await (const cells of cellRows(source, pagesOfRanges(ranges), columns, signal)) {
    const start = rows === 0 ? writer.start : '';
    only = cells[0];
    const piece = isBare ? (cells[0]?.text ?? '') : start + writer.row(cells);
    pieces.push(piece);
    length += piece.length;
    rows += 1;
    if (length > request.limitBytes) {
      throw new CopyTooLargeError(
        t(
          'The selection is larger than {0} MB: copying stopped after {1} of {2} rows.',
          Math.round(request.limitBytes / 1_048_576),
          rows,
          wanted,
        ),
        t('Select fewer rows or columns, or raise the setting promptTables.copy.limitMegabytes.'),
      );
    }
    if (rows % 500 === 0) request.onProgress?.(rows, wanted);
  }
  if (rows === 0 && !isBare) pieces.push(writer.start);
  if (!isBare) pieces.push(writer.end);
  const form: Pick<Copied, 'form'> =
    format === 'tsv'
      ? { form: formOf(isBare ? only : undefined, rows + Number(headers), guarded > 0) }
      : {};
  return { text: pieces.join(''), cells: rows * columns.length, rows, guarded, ...form };
}

function formOf(only: CopiedCell | undefined, rows: number, isGuarded: boolean): CopiedForm {
  if (only === undefined) return { shape: 'block', rows, isGuarded };
  const { kind } = only;
  const isNull = kind === 'null' || kind === 'missing' || kind === 'notRun';
  const shape = isNull ? 'null' : kind === 'empty' ? 'empty' : 'text';
  return { shape, rows, isGuarded: false };
}
