import type { Column } from '../../api/column.ts';
import { hasErrorCode } from '../../core/errors.ts';
import { csv } from '../../core/exports/csv.ts';
import { json, jsonLines } from '../../core/exports/json.ts';
import { markdown } from '../../core/exports/markdown.ts';
import type { Encode, ExportPlan, ReadPages } from '../../core/exports/shape.ts';
import { uniqueTitles } from '../../core/exports/shape.ts';
import type { Client, ExportQuery, SheetRef } from '../../core/index.ts';
import type { FileOptions } from './ask.ts';
import { rowCounter } from './count-rows.ts';
import type { FileKind } from './formats.ts';
import { separatorOf } from './formats.ts';

export interface FileRequest {
  readonly kind: FileKind;
  readonly options: FileOptions;
  readonly sheetTitle: string;
  readonly columns: readonly Column[];
  readonly isEveryColumn: boolean;
  readonly versionId: string | undefined;
}

const typedIn = new Set(['TEXT', 'COMPOSITION']);

/** The service's name of a kind of file; undefined when it makes no such files. */
function sentFormat({ kind }: FileRequest): ExportQuery['format'] {
  return kind === 'csv' || kind === 'json' || kind === 'jsonl' || kind === 'parquet'
    ? kind
    : undefined;
}

const byteOrderMark = new Uint8Array([0xef, 0xbb, 0xbf]);

/** The file as the service makes it; undefined where the service has no such endpoint. */
export async function sentPieces(
  client: Client,
  ref: SheetRef,
  fileRequest: FileRequest,
  { signal, onRows }: { readonly signal: AbortSignal; readonly onRows: (rows: number) => void },
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const format = sentFormat(fileRequest);
  if (format === undefined) return undefined;
  const { options, columns, isEveryColumn, versionId } = fileRequest;
  const query = {
    format,
    content: options.states ? ('cells' as const) : ('values' as const),
    include_system_columns: options.system,
    ...(!isEveryColumn && { column_ids: columns.map(({ id }) => id) }),
    guard_formulas: options.guard,
    ...(versionId !== undefined && { version_id: versionId }),
  };
  const pieces = client.tables.export(ref, query, { signal });
  // The first piece tells whether there is such an endpoint.
  const first = await pieces.next().catch((error: unknown) => {
    if (versionId === undefined && hasErrorCode(error, 'not_found')) return undefined;
    throw error;
  });
  if (first === undefined) return undefined;
  const count = rowCounter(format);
  return (async function* sent() {
    try {
      if (options.mark && format === 'csv') yield byteOrderMark;
      for (let next = first; next.done !== true; next = await pieces.next()) {
        yield next.value;
        if (count !== undefined) onRows(count(next.value));
      }
    } finally {
      await pieces.return();
    }
  })();
}

async function encoderOf(
  { kind, options, sheetTitle }: FileRequest,
  onCut: () => void,
): Promise<Encode> {
  switch (kind) {
    case 'csv':
    case 'csvSemicolon':
    case 'tsv': {
      const separator = separatorOf(kind) ?? ',';
      return csv({ guard: options.guard, separator, isMarked: options.mark });
    }
    case 'json':
      return json;
    case 'jsonl':
      return jsonLines;
    case 'markdown':
      return markdown;
    case 'parquet':
      return (await import('../../core/exports/parquet.ts')).parquet;
    case 'xlsx':
      return (await import('../../core/exports/xlsx.ts')).xlsx({ sheetTitle, onCut });
  }
}

/** The file made here of the rows of the sheet. */
export async function ownPieces(
  fileRequest: FileRequest,
  pages: ReadPages,
  onCut: () => void,
): Promise<AsyncIterable<Uint8Array>> {
  const { columns, options } = fileRequest;
  const plan: ExportPlan = {
    columns: columns.map(({ title, type, is_system: isSystem }) => ({
      title,
      isComputed: !typedIn.has(type) && isSystem !== true,
    })),
    titles: uniqueTitles(columns),
    content: options.states ? 'cells' : 'values',
    pages,
  };
  return (await encoderOf(fileRequest, onCut))(plan);
}
