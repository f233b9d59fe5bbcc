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
export const openColumnForm = (app: App, target: OpenedColumnForm): void =>
  new ColumnFormPanel(app, target).connect();

const { t } = vscode.l10n;

const formOf = (type: string): ColumnTypeForm =>
  formIn(columnTypes.find((form) => form.type === type.toUpperCase()) ?? anyTypeForm(type), t);

function fieldOf({ type, field: name }: AskedField): ColumnField {
  const field = formOf(type).fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`The form of ${type} has no field ${name}.`);
  return field;
}

class ColumnFormPanel {
  readonly #app: App;
  readonly #target: OpenedColumnForm;
  readonly #panel: vscode.WebviewPanel;
  readonly #about: ColumnFormTarget;
  readonly #typing: TypedForm<EnteredColumn>;
  /** Titles of the columns that it can be computed from. */
  readonly #sources: readonly string[];

  constructor(app: App, target: OpenedColumnForm) {
    this.#app = app;
    this.#target = target;
    const { address, sheet, column, columns, place, formId, openAgain } = target;
    const title = column === null ? t('New column in {0}', sheet) : t('Column {0}', column.title);
    this.#panel =
      target.panel ??
      createWebviewPanel(columnFormId, title, vscode.ViewColumn.Active, {
        retainContextWhenHidden: false,
      });
    this.#panel.iconPath = new vscode.ThemeIcon('symbol-field');
    this.#sources = columns.filter(({ id }) => id !== column?.id).map((one) => one.title);
    this.#about = {
      ...{ formId, ...refOf(address), connectionId: address.connectionId },
      ...{ columnId: column?.id ?? null, place },
    };
    const { connectionId, tableId, sheetId, columnId } = this.#about;
    this.#typing = new TypedForm(app, {
      ...{ panel: this.#panel, formId, openAgain },
      drafts: columnDrafts(app.context.workspaceState),
      about: [connectionId, tableId, sheetId, columnId],
      closed:
        column === null
          ? t('The form of a new column in {0} was closed. What you typed is kept.', sheet)
          : t('The form of the column {0} was closed. What you typed is kept.', column.title),
    });
  }

  connect(): void {
    const handlers: Handlers<ColumnFormRequests> = {
      ready: (_, signal) => this.#view(signal),
      save: (entered) => this.#save(entered),
      suggest: async (asked, signal) =>
        suggestionsFor(await this.#asking(asked.values, signal), fieldOf(asked)),
      inputs: async (asked, signal) =>
        inputsFor(await this.#asking(asked.values, signal), fieldOf(asked)),
      cancel: async () => {
        await this.#typing.end();
        return null;
      },
    };
    const listeners: Listeners<ColumnFormEvents> = {
      typed: (entered) => this.#typing.note(entered),
    };
    const own = new DisposableStore();
    own.add(
      new PageLink<ColumnFormRequests, NoMessages, ColumnFormEvents, NoMessages>({
        ...{ app: this.#app, panel: this.#panel, bundle: 'column-form', what: 'form of a column' },
        ...{ handlers, listeners, check: checkFromColumnForm },
      }),
    );
    this.#panel.onDidDispose(() => own.dispose());
  }

  async #view(signal: AbortSignal): Promise<ColumnFormView> {
    const { address, sheet, column } = this.#target;
    return {
      sheet,
      connection: placeOf(this.#app, address.connectionId),
      column:
        column === null
          ? null
          : {
              title: column.title,
              type: formOf(column.type).type,
              values: await this.#valuesOf(column, signal),
            },
      columns: this.#sources,
      types: column === null ? columnTypes.map((form) => formIn(form, t)) : [formOf(column.type)],
      draft: this.#typing.draft,
      target: this.#about,
    };
  }

  /** What the fields hold for the column; workflows by their names, where those can be had. */
  async #valuesOf(column: Column, signal: AbortSignal): Promise<FieldValues> {
    const form = formOf(column.type);
    const values = valuesOf(form, column.config ?? {}, this.#target.columns);
    const isNamed = form.fields.some(({ suggests }) => suggests === 'workflows');
    return isNamed ? withWorkflowNames(await this.#asking(values, signal), form.fields) : values;
  }

  async #asking(values: FieldValues, signal: AbortSignal): Promise<Asking> {
    const { connectionId } = this.#target.address;
    return {
      client: await this.#app.connections.client(connectionId, { signal }),
      columns: this.#sources,
      ...{ app: this.#app, connectionId, signal, values },
    };
  }

  async #save({ title, type, values }: EnteredColumn): Promise<ColumnFault | null> {
    const form = formOf(type);
    if (title.trim() === '') return { field: 'title', message: t('Enter a title.') };
    const fault = faultIn(form, values, t);
    if (fault !== undefined) return fault;
    try {
      const found = await this.#send({ title: title.trim(), type, values }, form);
      if (found !== null) return found;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#app.errors.note(error, 'Saving a column');
      const { message, hint } = this.#app.errors.describe(error);
      const said = hint === undefined ? message : `${message} ${hint}`;
      return { field: fieldBlamed(form, error.detail, values), message: said };
    }
    const { address } = this.#target;
    this.#app.changes.tell({
      ...refOf(address),
      ...{ connectionId: address.connectionId, what: 'columns' },
    });
    await this.#typing.end();
    return null;
  }

  async #send(
    { title, type, values }: EnteredColumn,
    form: ColumnTypeForm,
  ): Promise<ColumnFault | null> {
    const { address, column, place } = this.#target;
    const { signal } = this.#app;
    const settled = await withWorkflowIds(await this.#asking(values, signal), form.fields);
    if ('missing' in settled) {
      const message = t('There is no workflow with this name.');
      return { field: settled.missing.name, message };
    }
    const body = { title, config: configOf(form, settled.values, column?.config ?? {}) };
    if (column === null) {
      await createColumn(this.#app, address, { ...body, type }, place ?? undefined);
    } else {
      const client = await this.#app.connections.client(address.connectionId, { signal });
      await client.tables.columns.update(refOf(address), column.id, body, { signal });
    }
    return null;
  }
}
