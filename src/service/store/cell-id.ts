import { randomBytes } from 'node:crypto';

/**
 * Cell ids are computed, not stored: a UUID of version 8 whose first 74 free bits are random for
 * the column and whose last 48 bits are the row index. So a computed cell that was never queued
 * has a stable id without having a record.
 */
const ROW_DIGITS = 12;
const PREFIX_LENGTH = 24;

export function newCellPrefix(): string {
  const hex = randomBytes(10).toString('hex');
  const variant = (8 + (Number.parseInt(hex.charAt(15), 16) & 3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-${variant}${hex.slice(16, 19)}-`;
}

/** What follows the prefix of the column. */
export const rowDigits = (rowIndex: number): string =>
  rowIndex.toString(16).padStart(ROW_DIGITS, '0');

export function cellId(prefix: string, rowIndex: number): string {
  return prefix + rowDigits(rowIndex);
}

export function parseCellId(id: string): { prefix: string; rowIndex: number } | undefined {
  const lower = id.toLowerCase();
  if (!/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(lower))
    return undefined;
  return {
    prefix: lower.slice(0, PREFIX_LENGTH),
    rowIndex: Number.parseInt(lower.slice(PREFIX_LENGTH), 16),
  };
}
