/** Columns that a sheet can have. */
export const COLUMN_LIMIT = 999;
