import { columnTypes } from '../../../api/column.ts';
import { CellProblem } from '../problem.ts';
import type { ColumnKind } from './column-kind.ts';

/** Such columns can be created and read, so that sheets made elsewhere are complete. */
export function unsupportedColumn(type: string): ColumnKind {
  const isKnown = (columnTypes as readonly string[]).includes(type);
  const message = isKnown
    ? `${type} columns can't be computed by this service yet. Use a service that can, or another type.`
    : `This service does not know the column type ${type}.`;
  return {
    type,
    compile: () => ({
      slow: false,
      compute: () => {
        throw new CellProblem('not_supported', message);
      },
    }),
  };
}
