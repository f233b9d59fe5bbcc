import type { Cell } from '../../api/cell.ts';
import { cellError } from '../../api/cell.ts';
import { writtenJson } from '../tables/json-text.ts';
import { shortened } from '../shortened.ts';

/** All that a cell shows, as text. */
export function textOfCell(cell: Cell): string {
  const { value, display_value: display } = cell;
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? (display ?? '') : writtenJson(cell);
}

/**
 * A cell as a model reads it: its plain value where it is short and up to date, else what else there
 * is to know, with the id to read the rest by.
 */
export function presentationOf(cell: Cell | undefined, limit: number): unknown {
  if (cell === undefined) return null;
  const { value, status, id } = cell;
  const text = textOfCell(cell);
  const isCut = text.length > limit;
  const error = cellError(cell);
  const isPlain = status === 'completed' && error === undefined && !isCut;
  if (isPlain) {
    const isScalar = typeof value === 'number' || typeof value === 'boolean';
    return isScalar ? value : text;
  }
  return {
    ...(text !== '' && { text: shortened(text, limit) }),
    ...(isCut && { characters: text.length, cell_id: id }),
    ...(status !== 'completed' && { status }),
    ...(error !== undefined && { error: error.slice(0, Math.max(limit, 100)) }),
  };
}
