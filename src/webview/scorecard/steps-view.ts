import type { EnteredStep, ScorecardFormView } from '../../protocol/scorecard.ts';
import type { FieldSources } from '../column-form/field.ts';
import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { StepView } from './step.ts';

export interface StepsViewParts {
  readonly view: ScorecardFormView;
  readonly sources: FieldSources;
  /** A step was added, moved or removed. */
  readonly changed: () => void;
}

/** The steps of a scorecard in their order. */
export class StepsView {
  readonly list = el('div', 'step-list');
  readonly add: HTMLButtonElement;
  readonly #parts: StepsViewParts;
  #steps: readonly StepView[] = [];

  constructor(parts: StepsViewParts, entered: readonly EnteredStep[]) {
    this.#parts = parts;
    this.add = button({
      label: t('Add step'),
      icon: 'add',
      look: 'secondary',
      run: () => {
        const type = parts.view.steps[0]?.type ?? '';
        const step = this.#make({ id: null, type, values: {} });
        this.#put([...this.#steps, step]);
        step.focus();
        parts.changed();
      },
    });
    this.#put(entered.map((step) => this.#make(step)));
  }

  at(place: number): StepView | undefined {
    return this.#steps[place];
  }

  clearFaults(): void {
    for (const step of this.#steps) step.clear();
  }

  read(): readonly EnteredStep[] {
    return this.#steps.map((step) => step.read());
  }

  #put(steps: readonly StepView[]): void {
    this.#steps = steps;
    this.list.replaceChildren(...steps.map(({ element }) => element));
    for (const [at, step] of steps.entries()) step.place(at, steps.length);
  }

  #make(given: EnteredStep): StepView {
    const { view, sources, changed } = this.#parts;
    const step: StepView = new StepView(given, view.steps, sources, {
      seldom: view.seldom,
      move: (by) => {
        const at = this.#steps.indexOf(step);
        const others = this.#steps.filter((one) => one !== step);
        this.#put([...others.slice(0, at + by), step, ...others.slice(at + by)]);
        step.focus();
        changed();
      },
      remove: () => {
        this.#put(this.#steps.filter((one) => one !== step));
        this.add.focus();
        changed();
      },
    });
    return step;
  }
}
