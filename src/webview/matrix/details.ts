import type { MatrixCell, MatrixRequests, WholeAnswer } from '../../protocol/matrix.ts';
import { visible } from '../../protocol/visible.ts';
import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import type { Frame } from '../common/frame.ts';
import { spellDuration, spellNumber, spellPrice, t } from '../common/language.ts';
import { differencesOf, partElements } from '../compare/differences.ts';
import { asAnswer } from './guards.ts';
import type { MatrixModel } from './model.ts';
import { cellState } from './words.ts';

interface Parts {
  readonly model: MatrixModel;
  readonly frame: Frame<MatrixRequests>;
  /** It was closed: the focus goes back. */
  readonly closed: () => void;
}

const pane = (title: string, content: readonly (Node | string)[]): HTMLElement =>
  el('section', 'pane', {}, [
    el('h3', 'pane-title', { dir: 'auto' }, [visible(title)]),
    el(
      'div',
      'pane-text',
      { tabindex: '0', role: 'region', 'aria-label': title, dir: 'auto' },
      content,
    ),
  ]);

/** A whole answer, and how it differs from that of the first variant. */
export class Details {
  readonly element = el('aside', 'details', { 'aria-label': t('Answer') });
  readonly #parts: Parts;
  #shown: { readonly columnId: string; readonly caseId: number } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
  }

  async open(columnId: string, caseId: number): Promise<void> {
    const { frame } = this.#parts;
    const asked = { columnId, caseId };
    this.#shown = asked;
    try {
      const answer = asAnswer(await frame.channel.request('answer', asked, frame.signal));
      if (this.#shown !== asked) return;
      this.#draw(answer);
      this.element.hidden = false;
      this.element.querySelector<HTMLElement>('.pane-text')?.focus();
    } catch (error) {
      frame.fail(error);
    }
  }

  close(): void {
    this.#shown = undefined;
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.element.replaceChildren();
    this.#parts.closed();
  }

  /** What is shown may be hidden now, or be gone. */
  forget(): void {
    this.#shown = undefined;
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  #draw(answer: WholeAnswer): void {
    const { model, frame } = this.#parts;
    const shown = this.#shown;
    const column = model.columns.find(({ id }) => id === shown?.columnId);
    const one = model.view.cases.find(({ id }) => id === shown?.caseId);
    if (shown === undefined || column === undefined || one === undefined) return;
    const cell = model.cell(column.id, one.id);
    const ask = (name: 'openAnswer' | 'showRequest') => (): void => {
      frame.channel.request(name, shown).catch(frame.fail);
    };
    const title = model.titleOf(column);
    this.element.replaceChildren(
      el('div', 'details-head', {}, [
        el('h2', 'details-title', { dir: 'auto' }, [visible(`${title} · ${one.title}`)]),
        el('span', 'dim', {}, [factsOf(cell, model.isBlind)]),
        button({ label: t('Open in Editor'), icon: 'go-to-file', run: ask('openAnswer') }),
        ...(cell?.requestId === undefined || model.isBlind
          ? []
          : [button({ label: t('Show Request'), icon: 'history', run: ask('showRequest') })]),
        button({ label: t('Close'), icon: 'close', isIconOnly: true, run: () => this.close() }),
      ]),
      ...this.#said(cell),
      el('div', 'panes', {}, this.#panes(answer, title)),
    );
  }

  /** What went wrong, and what scorers could not find out. */
  #said(cell: MatrixCell | undefined): readonly HTMLElement[] {
    const { scorers } = this.#parts.model.view;
    const titleOf = (id: string): string => scorers.find((one) => one.id === id)?.title ?? '';
    const hint = cell?.problem?.hint;
    const lines = [
      ...(hint === undefined ? [] : [hint]),
      ...(cell?.scores ?? []).flatMap(({ scorerId, pass, problem }) => {
        const title = titleOf(scorerId);
        if (problem !== undefined) return [`? ${title}: ${problem}`];
        return pass === undefined ? [] : [`${pass ? '✓' : '✗'} ${title}`];
      }),
    ];
    return lines.map((line) => el('p', 'details-line', { dir: 'auto' }, [visible(line)]));
  }

  #panes({ text, first }: WholeAnswer, title: string): readonly HTMLElement[] {
    const { model } = this.#parts;
    const empty = el('span', 'dim', {}, [t('empty')]);
    const [base] = model.view.columns;
    if (first === undefined || base === undefined || model.isBlind) {
      return [pane(title, [text === '' ? empty : text])];
    }
    const { left, right } = differencesOf(first, text);
    return [
      pane(title, text === '' ? [empty] : partElements(right, 'ins')),
      pane(model.titleOf(base), partElements(left, 'del')),
    ];
  }
}

function factsOf(cell: MatrixCell | undefined, hides: boolean): string {
  const { elapsedMs, inputTokens, outputTokens, priceUsd, isCached } = cell ?? {};
  const facts = [
    cellState(cell),
    isCached === true ? t('Answer cached') : undefined,
    elapsedMs === undefined ? undefined : spellDuration(elapsedMs),
    inputTokens === undefined ? undefined : t('{0} tokens in', spellNumber(inputTokens)),
    outputTokens === undefined ? undefined : t('{0} tokens out', spellNumber(outputTokens)),
    priceUsd === undefined ? undefined : spellPrice(priceUsd),
  ];
  // Times and prices tell who it is.
  return (hides ? facts.slice(0, 1) : facts).filter((fact) => fact !== undefined).join(' · ');
}
