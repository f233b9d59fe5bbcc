import * as vscode from 'vscode';
import type { JudgeOptions } from '../../core/evals/evaluate.ts';
import { findChecks, judgeSheet } from '../../core/evals/evaluate.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { failTestItem, labelTestItem } from '../shell/shown.ts';
import type { Place } from './items.ts';
import { makeItem, mostRowItems, placeOf, rowItem } from './items.ts';

/** Tables are listed as far as anybody reads. */
const mostTables = 500;

/** The tree of the Test Explorer: tables, their sheets that judge, rows. Filled as it is opened. */
export class Explorer {
  readonly controller: vscode.TestController;
  readonly #app: App;

  constructor(app: App, controller: vscode.TestController) {
    this.#app = app;
    this.controller = controller;
  }

  /** Fills the top, or what is below an item; what went wrong stands at the item. */
  async resolve(item: vscode.TestItem | undefined): Promise<void> {
    if (item === undefined) {
      await this.#addTables();
      return;
    }
    const place = placeOf(item);
    item.busy = true;
    try {
      item.error = undefined;
      if (place?.kind === 'table') await this.#addSheets(item, place);
      if (place?.kind === 'sheet') await this.#addRows(item, place.address, place.rowCount);
    } catch (error) {
      this.#app.errors.note(error, 'Filling the Test Explorer');
      failTestItem(item, this.#app.errors.describe(error).message);
    } finally {
      item.busy = false;
    }
  }

  /** The item of a sheet, wherever the tree has been opened so far. */
  async sheetItem(address: SheetAddress): Promise<vscode.TestItem | undefined> {
    if (this.controller.items.get(address.tableId) === undefined) await this.#addTables();
    const table = this.controller.items.get(address.tableId);
    if (table === undefined) return undefined;
    if (table.children.get(address.sheetId) === undefined) await this.resolve(table);
    return table.children.get(address.sheetId);
  }

  /** How the settings want rows judged. */
  judging(signal: AbortSignal): JudgeOptions {
    const { settings } = this.#app;
    return {
      signal,
      scores: settings.get('evaluations.scoreColumns'),
      threshold: settings.get('evaluations.threshold'),
    };
  }

  clear(): void {
    this.controller.items.replace([]);
  }

  async #addTables(): Promise<void> {
    const { current } = this.#app.connections;
    // Before the first choice nothing is started or asked.
    if (current === undefined) {
      this.clear();
      return;
    }
    const { signal } = this.#app;
    const client = await this.#app.connections.client(current.id, { signal });
    const items: vscode.TestItem[] = [];
    for await (const { id, title } of client.tables.list({ limit: 100 }, { signal })) {
      const place = { kind: 'table', connectionId: current.id, tableId: id, title } as const;
      const known = this.controller.items.get(id);
      items.push(known ?? makeItem({ controller: this.controller, id, label: title, place }));
      if (items.length >= mostTables) break;
    }
    this.controller.items.replace(items);
  }

  async #addSheets(
    item: vscode.TestItem,
    { connectionId, tableId, title: tableTitle }: Extract<Place, { kind: 'table' }>,
  ): Promise<void> {
    const { signal } = this.#app;
    const { tables } = await this.#app.connections.client(connectionId, { signal });
    const found: vscode.TestItem[] = [];
    for await (const { id: sheetId, title } of tables.sheets.list(tableId, {}, { signal })) {
      const address = { connectionId, tableId, sheetId };
      const { checks, rowCount = 0 } = await findChecks(
        tables,
        refOf(address),
        this.judging(signal),
      );
      if (checks.length === 0) continue;
      const place = { kind: 'sheet', address, rowCount } as const;
      const sheet = makeItem({ controller: this.controller, id: sheetId, label: title, place });
      found.push(item.children.get(sheetId) ?? sheet);
    }
    item.children.replace(found);
    if (found.length === 0) {
      labelTestItem(item, vscode.l10n.t('{0} (no column evaluates rows)', tableTitle));
    }
  }

  async #addRows(sheet: vscode.TestItem, address: SheetAddress, rowCount: number): Promise<void> {
    // Those of a large sheet that do not pass are shown once it has run.
    if (rowCount > mostRowItems) return;
    const { signal } = this.#app;
    const { tables } = await this.#app.connections.client(address.connectionId, { signal });
    for await (const row of judgeSheet(tables, refOf(address), this.judging(signal))) {
      rowItem(this.controller, sheet, address, row);
    }
  }
}
