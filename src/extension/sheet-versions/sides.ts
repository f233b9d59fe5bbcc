import * as vscode from 'vscode';
import * as z from 'zod';
import { Column } from '../../api/column.ts';
import { Row } from '../../api/row.ts';
import type { SheetVersion } from '../../api/version.ts';
import { ConfigurationError, ResponseFormatError, hasErrorCode } from '../../core/errors.ts';
import { uniqueTitles } from '../../core/exports/shape.ts';
import { parseJsonAsWritten, stringifyJson } from '../../core/http/json.ts';
import { writtenJson } from '../../core/tables/json-text.ts';
import type { Client, SheetRef } from '../../core/index.ts';
import { columnsOfSheet } from '../ask/column-places.ts';
import type { Side, SideCell, SideColumn, SideRow } from './compare.ts';

export interface SideSource {
  readonly client: Client;
  readonly ref: SheetRef;
  readonly signal: AbortSignal;
}

const sideColumn = ({ id, title, type, config }: Column): SideColumn => ({
  ...{ id, title, type },
  config: stringifyJson(config ?? {}),
});

function sideRow({ row_index: rowIndex, cells }: Row): SideRow {
  const found = new Map<string, SideCell>();
  for (const [columnId, cell] of Object.entries(cells)) {
    const { value = null, status } = cell;
    const error = status === 'error' ? (cell.error_message ?? cell.error ?? '') : undefined;
    // A cell that was typed in and is null, and one that was never filled, look the same here.
    if (value === null && error === undefined) continue;
    found.set(columnId, { value: value === null ? undefined : writtenJson(cell), error });
  }
  return { rowIndex, cells: found };
}

/** The sheet as it is now. */
export async function presentSide(source: SideSource): Promise<Side> {
  const { client, ref, signal } = source;
  const columns = await columnsOfSheet(client, ref, signal);
  async function* rows(): AsyncGenerator<SideRow, void> {
    const query = { include_row_count: false };
    for await (const page of client.tables.rows.pages(ref, query, { signal })) {
      if (page.restarted) {
        throw new ResponseFormatError(vscode.l10n.t('The sheet changed while it was compared.'), {
          hint: vscode.l10n.t('Compare again, or save a version and compare that.'),
        });
      }
      yield* page.items.map(sideRow);
    }
  }
  const name = vscode.l10n.t('the sheet as it is now');
  return { name, columns: columns.map(sideColumn), rows: rows() };
}

/** Its shape is not published: this is what our own service sends. */
const Snapshot = z.looseObject({
  columns: z.array(Column),
  rows: z.array(Row).default([]),
  has_more_rows: z.boolean().default(true),
});

const FileRow = z.object({
  row_index: z.number(),
  cells: z.record(
    z.string(),
    z.object({
      status: z.string(),
      value: z.unknown().optional(),
      error: z.string().nullish(),
      error_message: z.string().nullish(),
    }),
  ),
});

export const nameOfVersion = ({ name, version_number: count }: SheetVersion): string =>
  name ?? vscode.l10n.t('Version {0}', count);

/** A saved version, from the file that the service makes of it, or from the answer that names it. */
export async function versionSide(source: SideSource, versionId: string): Promise<Side> {
  const { client, ref, signal } = source;
  const version = await client.tables.versions.get(ref, versionId, { signal });
  const snapshot = Snapshot.safeParse(version.snapshot);
  const name = nameOfVersion(version);
  if (!snapshot.success) {
    throw new ConfigurationError(
      vscode.l10n.t("The service doesn't return the contents of {0}.", name),
      {
        hint: vscode.l10n.t('Restore it, or view it on the website of the service.'),
      },
    );
  }
  const { columns, rows, has_more_rows: hasMore } = snapshot.data;
  const side = { name, columns: columns.map(sideColumn) };
  if (!hasMore) return { ...side, rows: given(rows) };
  const sent = sentRows(source, versionId, columns);
  try {
    const first = await sent.next();
    return { ...side, rows: joined(first.done === true ? undefined : first.value, sent) };
  } catch (error) {
    if (!hasErrorCode(error, 'not_found')) throw error;
    throw new ConfigurationError(
      vscode.l10n.t('The service sends only the first {0} rows of {1}.', rows.length, name),
      {
        hint: vscode.l10n.t(
          "An incomplete version can't be compared: missing rows would look deleted.",
        ),
      },
    );
  }
}

async function* given(rows: readonly Row[]): AsyncGenerator<SideRow, void> {
  yield* await Promise.resolve(rows.map(sideRow));
}

async function* joined(
  first: SideRow | undefined,
  rest: AsyncGenerator<SideRow, void>,
): AsyncGenerator<SideRow, void> {
  try {
    if (first !== undefined) yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** Rows of the service's own file, a line each. */
async function* sentRows(
  { client, ref, signal }: SideSource,
  versionId: string,
  columns: readonly Column[],
): AsyncGenerator<SideRow, void> {
  const titles = uniqueTitles(columns);
  const query = { format: 'jsonl', content: 'cells', version_id: versionId } as const;
  const decoder = new TextDecoder();
  let text = '';
  const rowOf = (line: string): SideRow => {
    const { row_index: rowIndex, cells } = FileRow.parse(parseJsonAsWritten(line));
    const found = new Map<string, SideCell>();
    for (const [position, { id }] of columns.entries()) {
      const cell = cells[titles[position] ?? ''];
      const value = cell?.value ?? null;
      const error = cell?.status === 'error' ? (cell.error_message ?? cell.error ?? '') : undefined;
      if (value === null && error === undefined) continue;
      found.set(id, { value: value === null ? undefined : stringifyJson(value), error });
    }
    return { rowIndex, cells: found };
  };
  for await (const piece of client.tables.export(ref, query, { signal })) {
    text += decoder.decode(piece, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield rowOf(line);
  }
}
