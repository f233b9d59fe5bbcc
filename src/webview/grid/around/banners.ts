import { pageSize } from '../../../protocol/grid-cells.ts';
import type { UnsavedCounts, UnsavedEdit } from '../../../protocol/grid-edits.ts';
import { el } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { button } from '../../common/buttons.ts';
import { t, spellNumber } from '../../common/language.ts';
import { revealOnLine } from '../../common/reveal.ts';
import { shortened } from '../../common/shortened.ts';

interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
}

const sentence = ({ message, hint }: Problem): string => (hint ? `${message} ${hint}` : message);

function strip(
  look: 'error' | 'warning' | 'info',
  text: string,
  buttons: readonly HTMLElement[],
): HTMLElement {
  const name = look === 'info' ? 'info' : 'warning';
  return el('div', `banner ${look}`, { role: look === 'info' ? 'status' : 'alert' }, [
    icon(name),
    el('span', 'banner-text', { dir: 'auto' }, [revealOnLine(text).text]),
    ...buttons,
  ]);
}

export interface OfferedDraft {
  /** Row and column. */
  readonly where: string;
  readonly text: string;
  readonly restore: () => void;
  readonly discard: () => void;
}

/** What is wrong, shown where it matters and with what can be done about it. */
export class Banners {
  readonly element = el('div', 'banners');
  readonly #problem = el('div');
  readonly #attention = el('div');
  readonly #draft = el('div');
  readonly #notice = el('div');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal) {
    this.element.append(this.#problem, this.#attention, this.#draft, this.#notice);
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
  }

  /** The connection or the sheet as a whole. */
  showProblem(
    problem: Problem | null,
    retry: (() => void) | undefined,
    close?: (() => void) | false,
  ): void {
    this.#problem.replaceChildren(
      ...(problem === null
        ? []
        : [
            strip('error', sentence(problem), [
              ...(retry ? [button({ label: t('Retry'), look: 'secondary', run: retry })] : []),
              ...(close ? [button({ label: t('Close'), look: 'secondary', run: close })] : []),
            ]),
          ]),
    );
  }

  /** An edit that needs the user: the first of them, with the choices it has. */
  showAttention(
    edits: readonly UnsavedEdit[],
    actions: {
      readonly columnTitle: (columnId: string) => string;
      readonly rowName: (edit: UnsavedEdit) => string;
      readonly goTo: (edit: UnsavedEdit) => void;
      readonly resolve: (edit: UnsavedEdit, keep: 'mine' | 'theirs') => void;
      readonly resolveAll: (state: 'conflict' | 'refused', keep: 'mine' | 'theirs') => void;
      readonly editAgain: (edit: UnsavedEdit) => void;
      /** Of all edits: `edits` holds the first of very many. */
      readonly counts: UnsavedCounts | undefined;
    },
  ): void {
    const open = edits.filter(({ state }) => state === 'conflict' || state === 'refused');
    const edit = open[0];
    if (edit === undefined) {
      this.#attention.replaceChildren();
      return;
    }
    const where = `${actions.columnTitle(edit.columnId)}, ${actions.rowName(edit)}`;
    const { counts } = actions;
    const all = Math.max(open.length, (counts?.conflict ?? 0) + (counts?.refused ?? 0));
    const more =
      all > 1 ? [t('{0} cells are not saved; this is the first.', spellNumber(all))] : [];
    const isConflict = edit.state === 'conflict';
    const short = (text: string): string => shortened(text, 60);
    const text = isConflict
      ? t(
          '{0}: someone changed this cell to “{1}” while you typed “{2}”.',
          where,
          short(edit.current ?? ''),
          short(edit.text ?? 'null'),
        )
      : t('{0}: your text was not accepted. {1}', where, edit.message ?? '');
    const choose = (label: string, run: () => void): HTMLElement =>
      button({ label, look: 'secondary', run });
    const forAll = (state: UnsavedEdit['state']): readonly HTMLElement[] => {
      if (state === 'conflict') {
        return [
          choose(t('Keep all mine'), () => actions.resolveAll(state, 'mine')),
          choose(t('Use all theirs'), () => actions.resolveAll(state, 'theirs')),
        ];
      }
      return state === 'refused'
        ? [
            choose(t('Retry all'), () => actions.resolveAll(state, 'mine')),
            choose(t('Discard all'), () => actions.resolveAll(state, 'theirs')),
          ]
        : [];
    };
    this.#attention.replaceChildren(
      strip('warning', [...more, text].join(' '), [
        ...(isConflict
          ? [
              choose(t('Keep mine'), () => actions.resolve(edit, 'mine')),
              choose(t('Use theirs'), () => actions.resolve(edit, 'theirs')),
            ]
          : [
              choose(t('Edit again'), () => actions.editAgain(edit)),
              choose(t('Discard'), () => actions.resolve(edit, 'theirs')),
            ]),
        choose(t('Show cell'), () => actions.goTo(edit)),
        ...(all > 1 ? forAll(edit.state) : []),
      ]),
    );
  }

  /** A text that was being typed when its view was closed. */
  showDraft(draft: OfferedDraft | undefined): void {
    if (draft === undefined) {
      this.#draft.replaceChildren();
      return;
    }
    const { where, text, restore, discard } = draft;
    const short = shortened(text, 60);
    this.#draft.replaceChildren(
      strip('info', t('Unsaved text in {0}: “{1}”', where, short), [
        button({ label: t('Restore'), look: 'secondary', run: restore }),
        button({ label: t('Discard'), look: 'secondary', run: discard }),
      ]),
    );
  }

  /** What was told of an action does not hold any more. */
  clearNotice(): void {
    clearTimeout(this.#timer);
    this.#notice.replaceChildren();
  }

  /** How an action went. Good news goes away by itself. */
  notify(look: 'info' | 'error', problem: Problem): void {
    clearTimeout(this.#timer);
    const close = (): void => this.#notice.replaceChildren();
    this.#notice.replaceChildren(
      strip(look, sentence(problem), [
        button({ label: t('Dismiss'), icon: 'close', isIconOnly: true, run: close }),
      ]),
    );
    if (look === 'info') this.#timer = setTimeout(close, 6000);
  }
}

export interface Band {
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly message: string;
  readonly hint: string | undefined;
  readonly isStopped: boolean;
}

/** Over the rows of pages that could not be loaded. */
export class PageBands {
  readonly element = el('div', 'bands');
  readonly #retry: (page: number) => void;
  #shown = '';

  constructor(retry: (page: number) => void) {
    this.#retry = retry;
  }

  show(bands: readonly Band[]): void {
    const key = bands.map(({ page, message }) => `${page} ${message}`).join('\n');
    if (key !== this.#shown) {
      this.#shown = key;
      this.element.replaceChildren(...bands.map((band) => this.#make(band)));
    }
    for (const [index, { left, top }] of bands.entries()) {
      const element = this.element.children[index];
      if (element instanceof HTMLElement)
        element.style.transform = `translate(${left}px, ${top}px)`;
    }
  }

  #make({ page, message, hint, isStopped }: Band): HTMLElement {
    const label = isStopped ? t('Load these rows') : t('Retry');
    const first = page * pageSize + 1;
    const rows = t('Rows {0} to {1}:', spellNumber(first), spellNumber(first + pageSize - 1));
    const band = strip(isStopped ? 'info' : 'error', `${rows} ${sentence({ message, hint })}`, [
      button({ label, look: 'secondary', run: () => this.#retry(page) }),
    ]);
    band.classList.add('band');
    return band;
  }
}

/** While a far page is being walked to. */
export class WalkNote {
  readonly element = el('div', 'walk-note');
  readonly #text = el('span', 'walk-text');
  readonly #stop: () => void;

  constructor(stop: () => void) {
    this.#stop = stop;
    this.element.hidden = true;
    this.element.append(
      el('span', 'spinner', { 'aria-hidden': 'true' }),
      this.#text,
      button({ label: t('Cancel'), look: 'secondary', run: () => this.#stop() }),
    );
  }

  show(text: string | undefined): void {
    this.element.hidden = text === undefined;
    if (text !== undefined && this.#text.textContent !== text) this.#text.textContent = text;
  }
}
