/** A sheet is always addressed together with its table. */
export interface SheetRef {
  readonly tableId: string;
  readonly sheetId: string;
}

export const sheetParams = (ref: SheetRef): { table_id: string; sheet_id: string } => ({
  table_id: ref.tableId,
  sheet_id: ref.sheetId,
});
