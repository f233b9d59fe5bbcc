import { el } from '../common/dom.ts';
import { t } from '../common/language.ts';

export interface TableColumn {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A plain table: the first cell of a row names it. */
export function table(
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | Node)[])[],
): HTMLElement {
  const look = (at: number): string => (columns[at]?.isNumber === true ? 'number' : '');
  const head = columns.map(({ title }, at) => el('th', look(at), { scope: 'col' }, [title]));
  const body = rows.map((row) =>
    el(
      'tr',
      '',
      {},
      row.map((cell, at) =>
        at === 0
          ? el('th', look(at), { scope: 'row', dir: 'auto' }, [cell])
          : el('td', look(at), {}, [cell]),
      ),
    ),
  );
  return el('table', 'table', {}, [
    el('caption', 'visually-hidden', {}, [caption]),
    el('thead', '', {}, [el('tr', '', {}, head)]),
    el('tbody', '', {}, body),
  ]);
}

/** The same numbers as a picture shows, for those who read or copy them. */
export const asTable = (content: HTMLElement, isOpen: boolean): HTMLDetailsElement => {
  const details = el('details', 'as-table', {}, [
    el('summary', '', {}, [t('Show as table')]),
    content,
  ]);
  details.open = isOpen;
  return details;
};
