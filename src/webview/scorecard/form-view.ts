import type {
  EnteredScorecard,
  ScorecardEvents,
  ScorecardFault,
  ScorecardFormState,
  ScorecardFormView,
  ScorecardRequests,
} from '../../protocol/scorecard.ts';
import { draftNotice } from '../column-form/draft-notice.ts';
import type { FieldSources, FieldView } from '../column-form/field.ts';
import { makeField } from '../column-form/field.ts';
import { savingButton } from '../column-form/saving.ts';
import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import type { Frame } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { asFault, enteredIn } from './guards.ts';
import { valuesIn } from './step.ts';
import { StepsView } from './steps-view.ts';

export interface FormViewParts {
  readonly view: ScorecardFormView;
  readonly frame: Frame<ScorecardRequests, ScorecardEvents>;
  readonly state: Page['state'];
  /** Without what was typed. */
  readonly startAfresh: () => void;
  /** Aborted when another form is shown. */
  readonly signal: AbortSignal;
}

/** The form of a scorecard: its own fields, and its steps. */
export class FormView {
  readonly parts: readonly HTMLElement[];
  readonly #parts: FormViewParts;
  readonly #fields: ReadonlyMap<string, FieldView>;
  readonly #steps: StepsView;

  constructor(parts: FormViewParts) {
    this.#parts = parts;
    const { view, frame, state } = parts;
    const kept = enteredIn(state.get(), view);
    const draft = kept === null ? view.draft : null;
    const typed = kept ?? draft;
    const entered = typed ?? view.entered;
    // Nothing here is asked of the workspace.
    const nothing = { items: [], problem: null };
    const sources: FieldSources = {
      ...{ columns: view.columns, isNew: false },
      suggest: () => Promise.resolve(nothing),
      inputs: () => Promise.resolve({ names: null, about: '' }),
    };
    this.#fields = new Map(
      view.fields.map((field) => [
        field.name,
        makeField(field, sources, entered.values[field.name]),
      ]),
    );
    this.#steps = new StepsView({ view, sources, changed: () => this.#note() }, entered.steps);
    const form = this.#makeForm();
    this.#keep(kept);
    if (typed !== null) frame.channel.emit('typed', typed);
    const heading = view.isNew
      ? t('New scorecard for {0}', view.sheet)
      : t('Scorecard for {0}', view.sheet);
    this.parts = [
      el('header', 'head', {}, [...headParts(heading, view.connection)]),
      ...(draft === null ? [] : [draftNotice(() => this.#startAfresh())]),
      form,
    ];
  }

  focus(): void {
    this.#fields.get('name')?.focus();
  }

  #makeForm(): HTMLFormElement {
    const { frame, signal } = this.#parts;
    const { channel, problems } = frame;
    const save = savingButton({
      label: t('Save scorecard'),
      problems,
      save: async () => this.#showFault(asFault(await channel.request('save', this.#read()))),
    });
    const form = el('form', 'form', { 'aria-label': t('Scorecard') }, [
      ...[...this.#fields.values()].map(({ element }) => element),
      el('h2', 'steps', {}, [t('Steps')]),
      el('p', 'about dim', {}, [
        t(
          'Each step gives a row a score from 0 to 1. The score of the row is their weighted mean.',
        ),
      ]),
      ...[this.#steps.list, this.#steps.add],
      el('div', 'buttons', {}, [save.element, ...this.#otherButtons()]),
    ]);
    for (const name of ['input', 'change'] as const) {
      form.addEventListener(name, () => this.#note());
    }
    save.listen(form, signal);
    return form;
  }

  #otherButtons(): readonly HTMLButtonElement[] {
    const { view, frame } = this.#parts;
    const ask = (name: 'cancel' | 'remove') => (): void => {
      frame.channel.request(name, null).catch(frame.fail);
    };
    const cancel = button({ label: t('Cancel'), look: 'secondary', run: ask('cancel') });
    if (view.isNew) return [cancel];
    const remove = button({
      label: t('Delete scorecard…'),
      icon: 'trash',
      look: 'secondary',
      run: ask('remove'),
    });
    return [cancel, remove];
  }

  #showFault(fault: ScorecardFault | null): void {
    const { problems } = this.#parts.frame;
    for (const field of this.#fields.values()) field.fault(undefined);
    this.#steps.clearFaults();
    problems.show('run', null);
    if (fault === null) return;
    const { step, field, message } = fault;
    if (step === null) {
      const own = this.#fields.get(field ?? '');
      own?.fault(message);
      focusWithin(own);
      if (own !== undefined) return;
    } else if (this.#steps.at(step)?.fault(field, message) === true) return;
    problems.show('run', {
      message: step === null ? message : t('Step {0}: {1}', step + 1, message),
    });
  }

  #read(): EnteredScorecard {
    return { values: valuesIn(this.#fields), steps: this.#steps.read() };
  }

  #keep(entered: EnteredScorecard | null): void {
    const { view, state } = this.#parts;
    state.set({ target: view.target, entered } satisfies ScorecardFormState);
  }

  #note(): void {
    const now = this.#read();
    this.#keep(now);
    this.#parts.frame.channel.emit('typed', now);
  }

  #startAfresh(): void {
    this.#keep(null);
    this.#parts.frame.channel.emit('typed', null);
    this.#parts.startAfresh();
  }
}
