import type { Column } from '../../api/column.ts';
import type { Sheet, Table } from '../../api/table.ts';
import { NotFoundError, ValidationError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import type { Tables } from './tables.ts';

/** Names in a message: enough to choose among, never a wall. */
const mostNamed = 20;

async function only<Thing extends { readonly id: string; readonly title: string }>(
  what: string,
  wanted: string,
  all: AsyncIterable<Thing>,
): Promise<Thing> {
  const found: Thing[] = [];
  const known: string[] = [];
  for await (const thing of all) {
    if (thing.id === wanted) return thing;
    if (thing.title === wanted) found.push(thing);
    if (known.length < mostNamed) known.push(`"${thing.title}"`);
  }
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (first === undefined) {
    throw new NotFoundError(
      { kind: 'nothing-called', thing: what, name: wanted },
      {
        hint:
          known.length === 0
            ? { kind: 'no-such-thing', thing: what }
            : { kind: 'available', known },
      },
    );
  }
  throw new ValidationError({
    kind: 'several-called',
    found: found.length,
    thing: what,
    name: wanted,
  });
}

/** A table by its title or id. Errors: NotFoundError, ValidationError (several have that title). */
export const tableNamed = (
  tables: Tables,
  wanted: string,
  options: CallOptions = {},
): Promise<Table> => only('table', wanted, tables.list({}, options));

/** The same for a sheet of a table. */
export const sheetNamed = (
  tables: Tables,
  tableId: string,
  wanted: string,
  options: CallOptions = {},
): Promise<Sheet> => only('sheet', wanted, tables.sheets.list(tableId, {}, options));

/** A column by its title or id. Errors: ValidationError that names those there are. */
export function columnNamed(columns: readonly Column[], wanted: string): Column {
  const column = columns.find(({ title, id }) => title === wanted || id === wanted);
  if (column !== undefined) return column;
  const known = columns.map(({ title }) => `"${title}"`);
  throw new ValidationError({ kind: 'no-column-called', name: wanted, known });
}
