import type { MatrixRequests, MatrixView } from '../../protocol/matrix.ts';
import { visible } from '../../protocol/visible.ts';
import { asToolbar, button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import type { Frame } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { spellNumber, t } from '../common/language.ts';
import type { MatrixModel } from './model.ts';
import { progressText } from './words.ts';

type Plain = {
  [Name in keyof MatrixRequests]: MatrixRequests[Name]['params'] extends null ? Name : never;
}[keyof MatrixRequests];

interface Parts {
  readonly model: MatrixModel;
  readonly frame: Frame<MatrixRequests>;
  readonly toggleBlind: () => void;
}

/** What can be done with the whole comparison, what it is of, and how far it is. */
export class Bars {
  readonly head: HTMLElement;
  readonly tools = el('div', 'tools');
  readonly plan = el('div', 'plan');
  readonly status = el('footer', 'status-line', { role: 'status' });
  readonly #parts: Parts;
  readonly #run: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #blind: HTMLButtonElement;
  readonly #edits: readonly HTMLButtonElement[];
  readonly #text = el('span', 'progress');

  constructor(parts: Parts) {
    this.#parts = parts;
    const { title, connection } = parts.model.view;
    this.head = el('header', 'head', {}, [...headParts(t('Compare {0}', title), connection)]);
    const ask = (label: string, icon: string, name: Exclude<Plain, 'ready'>): HTMLButtonElement =>
      button({ label, icon, run: () => this.#ask(name) });
    this.#run = button({
      label: t('Run'),
      icon: 'play',
      look: 'primary',
      run: () => this.#ask('run'),
    });
    this.#stop = button({
      label: t('Stop'),
      icon: 'stop-circle',
      look: 'secondary',
      run: () => this.#ask('stop'),
    });
    this.#edits = [
      ask(t('Add Variant…'), 'add', 'addVariant'),
      ask(t('Add Cases…'), 'add', 'addCases'),
      ask(t('Add Scorer…'), 'add', 'addScorer'),
    ];
    this.#blind = button({ label: t('Hide Names'), icon: 'eye-closed', run: parts.toggleBlind });
    this.tools.append(
      this.#run,
      this.#stop,
      ...this.#edits,
      el('span', 'outcome', {}, [
        this.#blind,
        ask(t('Save as Sheet…'), 'table', 'saveAsSheet'),
        ask(t('Publish Winner…'), 'cloud-upload', 'publishWinner'),
      ]),
    );
    this.status.append(this.#text);
  }

  /** Once its buttons are in the page. */
  begin(): void {
    asToolbar(this.tools, t('Comparison'));
  }

  draw(): void {
    const { columns, cases, scorers } = this.#parts.model.view;
    const { isBlind } = this.#parts.model;
    const variants = isBlind
      ? []
      : columns.map(({ id, title, detail }) =>
          this.#chip(`${title} · ${detail}`, t('Remove {0}', title), () =>
            this.#send('removeColumn', { columnId: id }),
          ),
        );
    const count = cases.length === 1 ? t('1 case') : t('{0} cases', spellNumber(cases.length));
    const all =
      cases.length === 0
        ? []
        : [this.#chip(count, t('Remove all cases'), () => this.#ask('removeCases'))];
    const checks = scorers.map(({ id, title }) =>
      this.#chip(title, t('Remove {0}', title), () => this.#send('removeScorer', { scorerId: id })),
    );
    this.plan.replaceChildren(
      ...[list(t('Variants'), variants), list(t('Cases'), all), list(t('Scorers'), checks)].flat(),
    );
    this.#blind.setAttribute('aria-pressed', String(isBlind));
    this.drawProgress();
  }

  drawProgress(): void {
    const { progress } = this.#parts.model.view;
    const { isRunning, answered, total } = progress;
    const isBegun = answered > 0 || progress.halt !== undefined;
    const label = this.#run.querySelector<HTMLElement>('.button-label');
    const words = isBegun && answered < total ? t('Continue') : t('Run');
    if (label !== null) setText(label, words);
    this.#run.title = words;
    this.#run.hidden = isRunning;
    this.#stop.hidden = !isRunning;
    for (const each of this.#edits) each.disabled = isRunning;
    for (const each of this.plan.querySelectorAll('button')) each.disabled = isRunning;
    setText(this.#text, progressText(progress));
  }

  #chip(text: string, label: string, remove: () => void): HTMLElement {
    return el('span', 'part', {}, [
      el('span', 'part-text', { dir: 'auto', title: visible(text) }, [visible(text)]),
      button({ label: visible(label), icon: 'close', isIconOnly: true, run: remove }),
    ]);
  }

  #ask(name: Plain): void {
    this.#send(name, null);
  }

  #send<Name extends keyof MatrixRequests>(
    name: Name,
    params: MatrixRequests[Name]['params'],
  ): void {
    const { channel, problems, fail } = this.#parts.frame;
    problems.show('run', null);
    channel.request(name, params).catch(fail);
  }
}

/** One kind of what is compared, in a line; nothing of it: no line. */
const list = (label: string, chips: readonly HTMLElement[]): readonly HTMLElement[] =>
  chips.length === 0
    ? []
    : [
        el('div', 'plan-line', { role: 'group', 'aria-label': label }, [
          el('span', 'plan-label dim', { 'aria-hidden': 'true' }, [label]),
          ...chips,
        ]),
      ];

/** Of a comparison that can't be run yet: what to do first. */
export function nextStep({ columns, cases }: MatrixView): string | undefined {
  if (columns.length === 0) return t('Add a variant: a version, a draft, a file, or a model.');
  if (cases.length === 0)
    return t('Add cases: rows of a sheet or file, or values for the variables.');
  return undefined;
}
