import * as vscode from 'vscode';
import * as z from 'zod';
import type { Column } from '../../api/column.ts';

import type { Handlers, Listeners } from '../../protocol/channel.ts';
import type {
  AskedField,
  ColumnFault,
  ColumnField,
  ColumnFormEvents,
  ColumnFormRequests,
  ColumnFormTarget,
  ColumnFormView,
  ColumnTypeForm,
  EnteredColumn,
  FieldValues,
} from '../../protocol/column-form.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { checkMessage } from '../panels/check-message.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { PageLink } from '../panels/page-link.ts';
import { placeOf } from '../panels/run-problem.ts';
import type { ColumnPlace } from '../ask/column-places.ts';
import { columnFormId } from '../contributions.ts';
import { createColumn } from './actions.ts';
import { columnDrafts, Entered, EnteredValues } from './drafts.ts';
import { configOf, faultIn, fieldBlamed, valuesOf } from './config.ts';
import type { Asking } from './suggest.ts';
import { inputsFor, suggestionsFor, withWorkflowIds, withWorkflowNames } from './suggest.ts';
import { isRefusal } from './refusal.ts';
import { TypedForm } from './typed-form.ts';
import { anyTypeForm, columnTypes, formIn } from './types.ts';
import { createWebviewPanel } from '../shell/shown.ts';

const name = z.string().max(1000);
const asked = z.object({ type: name, field: name, values: EnteredValues });
const requests: {
  readonly [Name in keyof ColumnFormRequests]: z.ZodType<ColumnFormRequests[Name]['params']>;
} = {
  ready: z.null(),
  save: Entered,
  cancel: z.null(),
  suggest: asked,
  inputs: asked,
};

export const checkFromColumnForm = checkMessage('The form of a column', {
  request: requests,
  event: { typed: Entered.nullable() },
});

type NoMessages = Readonly<Record<string, never>>;

export interface OpenedColumnForm {
  readonly address: SheetAddress;
  readonly sheet: string;
  /** Null: a new one. */
  readonly column: Column | null;
  readonly columns: readonly Column[];
  /** Where a new one goes; null: after the last one. */
  readonly place: ColumnPlace | null;
  readonly formId: string;
  /** One that VS Code has kept from before the window was loaded anew. */
  readonly panel?: vscode.WebviewPanel | undefined;
  /** Opens another form of the same: this one was closed before it was saved. */
  readonly openAgain: () => Promise<void>;
}

/** A form in an editor tab that makes or changes a column. */
export function openColumnForm(app: App, target: OpenedColumnForm): void {
  const { address, sheet, column, columns, place, formId } = target;
  const title =
    column === null
      ? vscode.l10n.t('New column in {0}', sheet)
      : vscode.l10n.t('Column {0}', column.title);
  const panel =
    target.panel ??
    createWebviewPanel(columnFormId, title, vscode.ViewColumn.Active, {
      retainContextWhenHidden: false,
    });
  panel.iconPath = new vscode.ThemeIcon('symbol-field');
  const sources = columns.filter(({ id }) => id !== column?.id);
  const formOf = (type: string): ColumnTypeForm =>
    formIn(
      columnTypes.find((form) => form.type === type.toUpperCase()) ?? anyTypeForm(type),
      vscode.l10n.t,
    );
  const types =
    column === null
      ? columnTypes.map((form) => formIn(form, vscode.l10n.t))
      : [formOf(column.type)];

  const about: ColumnFormTarget = {
    ...{ formId, ...refOf(address), connectionId: address.connectionId },
    ...{ columnId: column?.id ?? null, place },
  };
  const typing = new TypedForm(app, {
    ...{ panel, formId, openAgain: target.openAgain },
    drafts: columnDrafts(app.context.workspaceState),
    about: [about.connectionId, about.tableId, about.sheetId, about.columnId],
    closed:
      column === null
        ? vscode.l10n.t(
            'The form of a new column in {0} was closed. What you typed is kept.',
            sheet,
          )
        : vscode.l10n.t(
            'The form of the column {0} was closed. What you typed is kept.',
            column.title,
          ),
  });

  /** What the fields hold for the column; workflows by their names, where those can be had. */
  const valuesNow = async (signal: AbortSignal): Promise<FieldValues> => {
    if (column === null) return {};
    const form = formOf(column.type);
    const values = valuesOf(form, column.config ?? {}, columns);
    const isNamed = form.fields.some(({ suggests }) => suggests === 'workflows');
    return isNamed ? withWorkflowNames(await asking(values, signal), form.fields) : values;
  };
  const view = async (_: null, signal: AbortSignal): Promise<ColumnFormView> => ({
    sheet,
    connection: placeOf(app, address.connectionId),
    column:
      column === null
        ? null
        : {
            title: column.title,
            type: formOf(column.type).type,
            values: await valuesNow(signal),
          },
    columns: sources.map((one) => one.title),
    types,
    draft: typing.draft,
    target: about,
  });

  const save = async ({
    title: given,
    type,
    values,
  }: EnteredColumn): Promise<ColumnFault | null> => {
    const form = formOf(type);
    const entered = given.trim();
    if (entered === '') return { field: 'title', message: vscode.l10n.t('Enter a title.') };
    const fault = faultIn(form, values, vscode.l10n.t);
    if (fault !== undefined) return fault;
    const { signal } = app;
    const ref = refOf(address);
    try {
      const settled = await withWorkflowIds(await asking(values, signal), form.fields);
      if ('missing' in settled) {
        const message = vscode.l10n.t('There is no workflow with this name.');
        return { field: settled.missing.name, message };
      }
      const config = configOf(form, settled.values, column?.config ?? {});
      const body = { title: entered, config };
      if (column === null) {
        await createColumn(app, address, { ...body, type }, place ?? undefined);
      } else {
        const client = await app.connections.client(address.connectionId, { signal });
        await client.tables.columns.update(ref, column.id, body, { signal });
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      app.errors.note(error, 'Saving a column');
      const { message, hint } = app.errors.describe(error);
      const said = hint === undefined ? message : `${message} ${hint}`;
      return { field: fieldBlamed(form, error.detail, values), message: said };
    }
    app.changes.tell({ ...ref, connectionId: address.connectionId, what: 'columns' });
    await typing.end();
    return null;
  };

  const asking = async (values: FieldValues, signal: AbortSignal): Promise<Asking> => ({
    client: await app.connections.client(address.connectionId, { signal }),
    columns: sources.map((one) => one.title),
    ...{ app, signal, values },
  });
  const fieldOf = ({ type, field: of }: AskedField): ColumnField => {
    const field = formOf(type).fields.find((one) => one.name === of);
    if (field === undefined) throw new Error(`The form of ${type} has no field ${of}.`);
    return field;
  };

  const handlers: Handlers<ColumnFormRequests> = {
    ready: view,
    save,
    suggest: async (asked, signal) =>
      suggestionsFor(await asking(asked.values, signal), fieldOf(asked)),
    inputs: async (asked, signal) => inputsFor(await asking(asked.values, signal), fieldOf(asked)),
    cancel: async () => {
      await typing.end();
      return null;
    },
  };
  const listeners: Listeners<ColumnFormEvents> = { typed: (entered) => typing.note(entered) };
  const own = new DisposableStore();
  own.add(
    new PageLink<ColumnFormRequests, NoMessages, ColumnFormEvents, NoMessages>({
      ...{ app, panel, bundle: 'column-form', what: 'form of a column' },
      ...{ handlers, listeners, check: checkFromColumnForm },
    }),
  );
  panel.onDidDispose(() => own.dispose());
}
