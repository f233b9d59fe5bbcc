import * as vscode from 'vscode';
import type { RowResult } from '../../core/evals/verdict.ts';
import type { SheetAddress } from '../shell/address.ts';
import { createTestItem, testMessage } from '../shell/shown.ts';

/** What an item of the Test Explorer stands for. */
export type Place =
  | {
      readonly kind: 'table';
      readonly connectionId: string;
      readonly tableId: string;
      readonly title: string;
    }
  | { readonly kind: 'sheet'; readonly address: SheetAddress; readonly rowCount: number }
  | { readonly kind: 'row'; readonly address: SheetAddress; readonly rowIndex: number };

const places = new WeakMap<vscode.TestItem, Place>();

export const placeOf = (item: vscode.TestItem): Place | undefined => places.get(item);

/** Above this many rows, only those that do not pass get an item each. */
export const mostRowItems = 1000;

export interface Making {
  readonly controller: vscode.TestController;
  readonly id: string;
  readonly label: string;
  readonly place: Place;
}

export function makeItem({ controller, id, label, place }: Making): vscode.TestItem {
  const item = createTestItem(controller, id, label);
  places.set(item, place);
  item.canResolveChildren = place.kind !== 'row';
  return item;
}

/** All in the label: a description would be read out in its place. */
export const nameOfRow = ({ rowNumber, label }: RowResult): string =>
  label === ''
    ? vscode.l10n.t('Row {0}', rowNumber)
    : vscode.l10n.t('Row {0}: {1}', rowNumber, label);

/** The item of a row below its sheet: the one that there is, or a new one. */
export function rowItem(
  controller: vscode.TestController,
  sheet: vscode.TestItem,
  address: SheetAddress,
  row: RowResult,
): vscode.TestItem {
  const { rowIndex } = row;
  const id = `${sheet.id}/${String(rowIndex)}`;
  const known = sheet.children.get(id);
  if (known !== undefined) return known;
  const place = { kind: 'row', address, rowIndex } as const;
  const item = makeItem({ controller, id, label: nameOfRow(row), place });
  item.sortText = String(rowIndex).padStart(12, '0');
  sheet.children.add(item);
  return item;
}

/** What there is to read of a row that does not pass: a message for each check, with a diff. */
export function messagesOf({ checks }: RowResult): vscode.TestMessage[] {
  return checks
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
    .map(({ title, evidence, compared }) => testMessage(`${title}: ${evidence}`, compared));
}
