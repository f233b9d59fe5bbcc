import type { ShownColumn } from './arrangement.ts';

/** CSS class of the cells of a column, by its place among those shown. */
export const columnClass = (column: number): string => `c-${column}`;

/**
 * Where columns stand and how wide they are: one rule a column. Styles set on each cell would be
 * worked out for each cell; cells of one class share theirs.
 */
export class ColumnPlaces {
  readonly #sheet = new CSSStyleSheet();
  #text = '';

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  show(columns: readonly ShownColumn[]): void {
    // `--at` is where it stands while pinned and moved sideways.
    const text = columns
      .map(({ left, width }, column) => {
        const name = columnClass(column);
        return `.rows .${name}{left:${left}px;width:${width}px;--at:${left}px}`;
      })
      .join('');
    if (text === this.#text) return;
    this.#text = text;
    this.#sheet.replaceSync(text);
  }
}
