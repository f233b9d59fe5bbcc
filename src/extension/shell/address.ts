import type { SheetRef } from '../../core/index.ts';

/** A sheet as the extension names it: each panel and node keeps the connection it came from. */
export interface SheetAddress extends SheetRef {
  readonly connectionId: string;
}

export const isSheetAddress = (value: unknown): value is SheetAddress =>
  typeof value === 'object' &&
  value !== null &&
  'connectionId' in value &&
  typeof value.connectionId === 'string' &&
  'tableId' in value &&
  typeof value.tableId === 'string' &&
  'sheetId' in value &&
  typeof value.sheetId === 'string';

/** The bare reference for the core, whatever else the value carries. */
export const refOf = ({ tableId, sheetId }: SheetRef): SheetRef => ({ tableId, sheetId });
