import type { Scope } from '../../../protocol/grid-work.ts';
import { button } from '../../common/buttons.ts';
import { el } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { t, spellNumber } from '../../common/language.ts';
import { revealOnLine } from '../../common/reveal.ts';
import { spellQuery } from './filter-words.ts';
import type { SheetModel } from '../model/sheet-model.ts';

export interface ViewNoteActions {
  readonly edit: () => void;
  readonly again: (scope: Scope) => void;
  readonly clear: () => void;
}

/** Says that not all rows are on screen, why, and how many were looked at. */
export class ViewNote {
  readonly element = el('div', 'view-note', { role: 'status' });
  readonly #model: SheetModel;
  readonly #actions: ViewNoteActions;
  #shown = '';

  constructor(model: SheetModel, actions: ViewNoteActions) {
    this.#model = model;
    this.#actions = actions;
    this.element.hidden = true;
    model.changes.eachFrame(['sheet'], () => this.#show());
  }

  #show(): void {
    const { view, rowCount = 0, columns } = this.#model.sheet;
    const key = JSON.stringify([view, rowCount]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.element.hidden = view === null;
    if (view === null) {
      this.element.replaceChildren();
      return;
    }
    const { query, scanned, total } = view;
    const isAll = total !== undefined && scanned >= total;
    const looked = isAll
      ? t('all {0} rows', spellNumber(total))
      : total === undefined
        ? t('{0} loaded rows', spellNumber(scanned))
        : t('{0} loaded rows of {1}', spellNumber(scanned), spellNumber(total));
    const { edit, again, clear } = this.#actions;
    const tool = (label: string, run: () => void): HTMLElement =>
      button({ label, look: 'secondary', run });
    this.element.replaceChildren(
      icon('filter'),
      el('span', 'view-note-text', { dir: 'auto' }, [
        rowCount === 1
          ? t('1 row found in {0}.', looked)
          : t('{0} rows found in {1}.', spellNumber(rowCount), looked),
        ' ',
        el('span', 'dim', {}, [revealOnLine(spellQuery(query, columns)).text]),
      ]),
      ...(isAll ? [] : [tool(t('Read all rows'), () => again('all'))]),
      tool(t('Apply again'), () => again(isAll ? 'all' : 'loaded')),
      tool(t('Edit'), edit),
      tool(t('Show all rows'), clear),
    );
  }
}
