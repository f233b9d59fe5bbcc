import {
  newColumn,
  noColumn,
  type ImportColumn,
  type ImportLook,
  type ImportOption,
  type ImportRow,
  type ImportRequest,
} from '../../protocol/import.ts';
import { visible } from '../../protocol/visible.ts';
import { el, setText } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import { spellNumber, t } from '../common/language.ts';

type WantedColumn = ImportRequest['columns'][number];

/** More are imported as they are suggested, without being shown. */
const mostColumns = 100;

/** What a column of the file becomes: its box, its title, and which column of the sheet it fills. */
class ColumnHead {
  readonly element: HTMLTableCellElement;
  readonly #column: ImportColumn;
  readonly #title: HTMLInputElement;
  readonly #goal: HTMLSelectElement | HTMLInputElement;
  readonly #fault: HTMLElement;

  constructor(column: ImportColumn, wanted: WantedColumn, goals: readonly ImportOption[]) {
    this.#column = column;
    const { from, name, about } = column;
    const said = visible(name === '' ? t('Column {0}', from + 1) : name);
    this.#title = el('input', 'input', {
      ...{ 'aria-label': t('Title of {0}', said), dir: 'auto', spellcheck: 'false' },
      'aria-describedby': `column-${from}-fault`,
    });
    this.#title.value = wanted.title;
    this.#fault = el('p', 'fault', { id: `column-${from}-fault`, role: 'alert' });
    this.#fault.hidden = true;
    if (goals.length === 0) {
      const box = el('input', '', { type: 'checkbox', 'aria-label': t('Import {0}', said) });
      box.checked = wanted.goal !== noColumn;
      this.#goal = box;
    } else {
      this.#goal = el('select', 'select', { 'aria-label': t('Target column of {0}', said) }, [
        el('option', '', { value: newColumn }, [t('New column')]),
        ...goals.map(({ value, label }) => el('option', '', { value }, [visible(label)])),
        el('option', '', { value: noColumn }, [t("Don't import")]),
      ]);
      this.#goal.value = wanted.goal;
    }
    const file = el('span', 'file-name', { dir: 'auto', title: said }, [said]);
    const head =
      this.#goal instanceof HTMLInputElement
        ? [el('label', 'box', {}, [this.#goal, file])]
        : [file, this.#goal];
    this.element = el('th', '', { scope: 'col' }, [
      ...head,
      this.#title,
      ...(about === '' ? [] : [el('p', 'about dim', {}, [about])]),
      this.#fault,
    ]);
    this.#goal.addEventListener('change', () => this.#showGoal());
    this.#showGoal();
  }

  read(): WantedColumn {
    const { from } = this.#column;
    return { from, title: this.#title.value, goal: this.#chosen() };
  }

  fault(message: string | undefined): void {
    setText(this.#fault, message ?? '');
    this.#fault.hidden = message === undefined;
    if (message !== undefined) focusWithin(this.#title.hidden ? this.#goal : this.#title);
  }

  #chosen(): string {
    if (this.#goal instanceof HTMLSelectElement) return this.#goal.value;
    return this.#goal.checked ? newColumn : noColumn;
  }

  #showGoal(): void {
    this.#title.hidden = this.#chosen() !== newColumn;
    this.element.classList.toggle('left-out', this.#chosen() === noColumn);
  }
}

/** The first rows as they will be stored, below what becomes of each column. */
export class Preview {
  readonly element = el('div', 'preview', {
    ...{ role: 'region', 'aria-label': t('First rows'), tabindex: '0' },
  });
  #heads: readonly ColumnHead[] = [];
  #rest: readonly WantedColumn[] = [];

  /** `wanted`: what was chosen for the same columns before. */
  show(look: ImportLook, wanted: readonly WantedColumn[] | null): void {
    const isSame = wanted !== null && wanted.length === look.columns.length;
    const chosen = (column: ImportColumn): WantedColumn =>
      (isSame ? wanted[column.from] : undefined) ?? column;
    const shown = look.columns.slice(0, mostColumns);
    this.#heads = shown.map((column) => new ColumnHead(column, chosen(column), look.goals));
    this.#rest = look.columns
      .slice(mostColumns)
      .map((column) => chosen(column))
      .map(({ from, title, goal }) => ({ from, title, goal }));
    this.element.replaceChildren(...this.#parts(look, shown.length));
  }

  get columns(): readonly WantedColumn[] {
    return [...this.#heads.map((head) => head.read()), ...this.#rest];
  }

  fault(from: number | null, message: string): boolean {
    for (const head of this.#heads) head.fault(undefined);
    const head = from === null ? undefined : this.#heads[from];
    head?.fault(message);
    return head !== undefined;
  }

  clear(): void {
    for (const head of this.#heads) head.fault(undefined);
  }

  #parts({ lines, rows, columns }: ImportLook, width: number): readonly HTMLElement[] {
    if (lines.length > 0)
      return [el('pre', 'lines', { dir: 'auto' }, [lines.map(visible).join('\n')])];
    if (width === 0) return [];
    const more =
      columns.length > width
        ? [
            el('p', 'about dim', {}, [
              t(
                '{0} of {1} columns are shown. The others are imported under their own titles.',
                spellNumber(width),
                spellNumber(columns.length),
              ),
            ]),
          ]
        : [];
    const corner = el('th', 'record', { scope: 'col' }, [
      el('span', 'visually-hidden', {}, [t('Record of the file')]),
    ]);
    return [
      el('table', '', {}, [
        el('thead', '', {}, [
          el('tr', '', {}, [corner, ...this.#heads.map(({ element }) => element)]),
        ]),
        el(
          'tbody',
          '',
          {},
          rows.map((row) => rowOf(row, width)),
        ),
      ]),
      ...more,
    ];
  }
}

function rowOf({ record, cells }: ImportRow, width: number): HTMLTableRowElement {
  return el('tr', '', {}, [
    el('th', 'record', { scope: 'row' }, [spellNumber(record)]),
    ...cells.slice(0, width).map(({ text, kind }) => {
      const shown =
        kind === 'null'
          ? el('span', 'dim', {}, [t('no value')])
          : kind === 'empty'
            ? el('span', 'dim', {}, [t('empty text')])
            : visible(text);
      return el('td', kind, { dir: 'auto' }, [shown]);
    }),
  ]);
}
