import { pageSize } from '../../../protocol/grid-cells.ts';
import type { ViewEvents } from '../../../protocol/grid.ts';
import type { Announcer } from '../../common/announcer.ts';
import { t, spellNumber } from '../../common/language.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { Timers } from '../timers.ts';
import { PageBands, WalkNote } from './page-bands.ts';
import type { Viewport } from './viewport.ts';
import type { PageWindow } from './window.ts';

/** Shorter waits are not worth a word. */
const patienceMs = 250;
const noteAfterMs = 300;

export interface WaitingOptions {
  readonly model: SheetModel;
  readonly pages: PageWindow;
  readonly viewport: Viewport;
  readonly timers: Timers;
  readonly announcer: Announcer;
}

/** Rows on screen that are not there: still coming, stopped, or failed. */
export class Waiting {
  readonly note: WalkNote;
  readonly bands: PageBands;
  readonly #options: WaitingOptions;
  #walk: ViewEvents['walk'] | undefined;

  constructor(options: WaitingOptions) {
    this.#options = options;
    const { model, pages, viewport, timers } = options;
    this.bands = new PageBands((page) => pages.retry(page));
    this.note = new WalkNote(() => {
      const waiting = pages.waiting();
      if (waiting !== undefined) pages.stop(waiting.page);
      viewport.grid.focus({ preventScroll: true });
    });
    viewport.element.append(this.bands.element);
    const { changes } = model;
    changes.eachFrame(['rows', 'window'], (changed) => {
      this.#showBands();
      if (changed.has('rows')) this.#showNote();
      else timers.later('waiting', noteAfterMs, () => this.#showNote());
    });
  }

  takeWalk(walk: ViewEvents['walk']): void {
    this.#walk = walk;
    this.#showNote();
  }

  /** A wait that can be felt says what it waits for and can be ended. */
  #showNote(): void {
    const { pages, timers, announcer } = this.#options;
    const waiting = pages.waiting();
    if (waiting === undefined) {
      this.#walk = undefined;
      this.note.show(undefined);
      return;
    }
    timers.later('waiting', noteAfterMs, () => this.#showNote());
    if (waiting.ms < patienceMs) return;
    const row = spellNumber(waiting.page * pageSize + 1);
    const walk = this.#walk;
    const text =
      walk === undefined
        ? t('Loading row {0}…', row)
        : t(
            'Loading row {0}: page {1} of {2}',
            row,
            spellNumber(walk.reached),
            spellNumber(walk.pages),
          );
    this.note.show(text);
    announcer.say(text);
  }

  #showBands(): void {
    const { pages, viewport } = this.#options;
    this.bands.show(
      pages.failuresInView().map(([page, failure]) => {
        const row = Math.max(page * pageSize, viewport.firstRow);
        const top = Math.max(viewport.topEdge + 2, viewport.boxOf(row, 0)?.top ?? 0);
        return { page, left: viewport.scrollLeft, top, ...failure };
      }),
    );
  }
}
