import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { Column } from '../../api/column.ts';
import { NotFoundError } from '../../core/errors.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { columnsOfSheet } from '../ask/column-places.ts';
import type { ColumnPlace } from '../ask/column-places.ts';
import { registerCommand } from '../shell/commands.ts';
import { columnFormId } from '../contributions.ts';
import { pickColumn, pickSheet } from '../ask/pick.ts';
import { restorePanels } from '../panels/panel-host.ts';
import { formComesBack } from './ended-forms.ts';
import { targetOf } from '../ask/targets.ts';
import { lazy } from '../shell/lazy.ts';

/** What a tree or a grid hands over names a column in one of these ways. */
const Named = lazy(() =>
  z.union([
    z.looseObject({ columnId: z.string() }).transform(({ columnId }) => columnId),
    z
      .looseObject({ column: z.looseObject({ id: z.string() }) })
      .transform(({ column }) => column.id),
  ]),
);
const Place = lazy(() => z.object({ columnId: z.string(), side: z.enum(['left', 'right']) }));
const Placed = lazy(() => z.looseObject({ place: Place() }));
/** What a form has kept of itself. */
const Restored = lazy(() =>
  z.object({
    target: z.object({
      formId: z.string(),
      connectionId: z.string(),
      tableId: z.string(),
      sheetId: z.string(),
      columnId: z.string().nullable(),
      place: Place().nullable(),
    }),
  }),
);

async function sheetOf(app: App, given: unknown, title: string): Promise<SheetAddress> {
  return targetOf(app, given) ?? pickSheet(app, title);
}

interface Found {
  readonly address: SheetAddress;
  readonly column: Column;
}

async function columnOf(app: App, given: unknown, title: string): Promise<Found> {
  const address = await sheetOf(app, given, title);
  const named = Named().safeParse(address);
  if (!named.success) return { address, column: await pickColumn(app, title, address, () => true) };
  const column = (await columnsOf(app, address)).find(({ id }) => id === named.data);
  if (column === undefined) throw new NotFoundError(vscode.l10n.t('The column no longer exists.'));
  return { address, column };
}

async function columnsOf(app: App, address: SheetAddress): Promise<readonly Column[]> {
  const { signal } = app;
  const client = await app.connections.client(address.connectionId, { signal });
  return columnsOfSheet(client, refOf(address), signal);
}

interface Wanted {
  readonly columnId: string | null;
  readonly place: ColumnPlace | null;
  readonly formId?: string;
  /** Of a window that was loaded anew. */
  readonly panel?: vscode.WebviewPanel;
}

async function openForm(app: App, address: SheetAddress, wanted: Wanted): Promise<void> {
  const { signal } = app;
  const { columnId, place, panel, formId = randomUUID() } = wanted;
  const client = await app.connections.client(address.connectionId, { signal });
  const [parts, columns, sheet] = await Promise.all([
    import('../form-parts.ts'),
    columnsOf(app, address),
    client.tables.sheets.get(refOf(address), { signal }),
  ]);
  const column = columns.find(({ id }) => id === columnId) ?? null;
  if (columnId !== null && column === null)
    throw new NotFoundError(vscode.l10n.t('The column no longer exists.'));
  parts.openColumnForm(app, {
    ...{ address, sheet: sheet.title, column, columns, place, panel, formId },
    openAgain: () => openForm(app, address, { columnId, place }),
  });
}

/** Columns made, changed and deleted from the tree, a grid and the palette. */
export function registerColumnForms(app: App): vscode.Disposable {
  const actions = async () => import('../form-parts.ts');
  return vscode.Disposable.from(
    registerCommand(app, 'promptTables.addColumn', async (given) => {
      const placed = Placed().safeParse(given);
      const place = placed.success ? placed.data.place : null;
      const address = await sheetOf(app, given, vscode.l10n.t('New column'));
      await openForm(app, address, { columnId: null, place });
    }),
    registerCommand(app, 'promptTables.editColumn', async (given) => {
      const { address, column } = await columnOf(app, given, vscode.l10n.t('Edit column'));
      await openForm(app, address, { columnId: column.id, place: null });
    }),
    registerCommand(app, 'promptTables.duplicateColumn', async (given) => {
      const found = await columnOf(app, given, vscode.l10n.t('Duplicate column'));
      await (await actions()).duplicateColumn(app, found);
    }),
    registerCommand(app, 'promptTables.renameColumn', async (given) => {
      const found = await columnOf(app, given, vscode.l10n.t('Rename column'));
      await (await actions()).renameColumn(app, found);
    }),
    registerCommand(app, 'promptTables.deleteColumn', async (given) => {
      const found = await columnOf(app, given, vscode.l10n.t('Delete column'));
      await (await actions()).deleteColumn(app, found);
    }),
    restorePanels(columnFormId, Restored, async (panel, { target }) => {
      const { columnId, place, formId, ...address } = target;
      const again = () => openForm(app, address, { columnId, place, panel, formId });
      return formComesBack(app, formId, again, 'Opening the form of a column again');
    }),
  );
}
