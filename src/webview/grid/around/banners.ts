import type { UnsavedEdit } from '../../../protocol/grid-edits.ts';
import { el } from '../../common/dom.ts';
import { button } from '../../common/buttons.ts';
import { t } from '../../common/language.ts';
import { shortened } from '../../common/shortened.ts';
import { attentionStrips, type AttentionActions } from './attention.ts';
import { sentence, strip, type Problem } from './strip.ts';

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
  showAttention(edits: readonly UnsavedEdit[], actions: AttentionActions): void {
    this.#attention.replaceChildren(...attentionStrips(edits, actions));
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
