import type { Column } from '../../api/column.ts';

/** What a cell can hold, by the title of its column. */
export interface SheetField {
  readonly name: string;
  readonly text: string;
  /** Offered even where the sheet has no column for it. */
  readonly isUsual: boolean;
}

export interface MatchedField {
  readonly field: SheetField;
  /** The text column of its title; undefined: one is to be made. */
  readonly column: Column | undefined;
  /** Of the column that is to be made: none of the sheet has it. */
  readonly title: string;
}

/** Fields with the text columns of the same title; capitals don't matter. */
export function matched(
  fields: readonly SheetField[],
  columns: readonly Column[],
): readonly MatchedField[] {
  const titles = new Set(columns.map(({ title }) => title.toLowerCase()));
  return fields.map((field) => {
    const wanted = field.name.toLowerCase();
    const column = columns.find(
      ({ title, type }) => type.toUpperCase() === 'TEXT' && title.toLowerCase() === wanted,
    );
    let title = field.name;
    for (let number = 2; titles.has(title.toLowerCase()); number += 1) {
      title = `${field.name} ${number}`;
    }
    return { field, column, title };
  });
}
