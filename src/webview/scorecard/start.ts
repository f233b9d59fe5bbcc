import type {
  EnteredScorecard,
  EnteredStep,
  ScorecardEvents,
  ScorecardFault,
  ScorecardFormState,
  ScorecardFormView,
  ScorecardRequests,
} from '../../protocol/scorecard.ts';
import type { FieldSources, FieldView } from '../column-form/field.ts';
import { draftNotice } from '../column-form/draft-notice.ts';
import { makeField } from '../column-form/field.ts';
import { savingButton } from '../column-form/saving.ts';
import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import { openFrame, toldNothing } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { asFault, asView, enteredIn } from './guards.ts';
import { StepView, valuesIn } from './step.ts';

/** Puts the form of a scorecard into the page and connects it. The returned function ends it. */
export function startScorecardForm(page: Page): () => void {
  const { root, state } = page;
  const { channel, problems, signal, open, end, fail } = openFrame<
    ScorecardRequests,
    Record<string, never>,
    ScorecardEvents
  >(page, toldNothing('The form'));
  const body = el('div', 'body');
  root.replaceChildren(el('main', 'view', {}, [problems.element, body]));

  /** Of the form that is shown: it may be begun afresh. */
  let shown = new AbortController();

  function show(view: ScorecardFormView): void {
    shown.abort();
    shown = new AbortController();
    const { columns, target, isNew, seldom } = view;
    const kept = enteredIn(state.get(), view);
    const draft = kept === null ? view.draft : null;
    const typed = kept ?? draft;
    const entered = typed ?? view.entered;
    // Nothing here is asked of the workspace.
    const nothing = { items: [], problem: null };
    const sources: FieldSources = {
      ...{ columns, isNew: false },
      suggest: () => Promise.resolve(nothing),
      inputs: () => Promise.resolve({ names: null, about: '' }),
    };
    const fields = new Map<string, FieldView>(
      view.fields.map((field) => [
        field.name,
        makeField(field, sources, entered.values[field.name]),
      ]),
    );
    const list = el('div', 'step-list');
    let steps: readonly StepView[] = [];

    const put = (next: readonly StepView[]): void => {
      steps = next;
      list.replaceChildren(...steps.map(({ element }) => element));
      for (const [at, step] of steps.entries()) step.place(at, steps.length);
    };
    const make = (given: EnteredStep): StepView => {
      const step: StepView = new StepView(given, view.steps, sources, {
        seldom,
        move: (by) => {
          const at = steps.indexOf(step);
          const others = steps.filter((one) => one !== step);
          put([...others.slice(0, at + by), step, ...others.slice(at + by)]);
          step.focus();
          note();
        },
        remove: () => {
          put(steps.filter((one) => one !== step));
          add.focus();
          note();
        },
      });
      return step;
    };
    const add = button({
      label: t('Add step'),
      icon: 'add',
      look: 'secondary',
      run: () => {
        const type = view.steps[0]?.type ?? '';
        const step = make({ id: null, type, values: {} });
        put([...steps, step]);
        step.focus();
        note();
      },
    });
    put(entered.steps.map(make));

    const read = (): EnteredScorecard => ({
      values: valuesIn(fields),
      steps: steps.map((step) => step.read()),
    });
    const keep = (now: EnteredScorecard | null): void =>
      state.set({ target, entered: now } satisfies ScorecardFormState);
    function note(): void {
      const now = read();
      keep(now);
      channel.emit('typed', now);
    }
    const startAfresh = (): void => {
      keep(null);
      channel.emit('typed', null);
      show({ ...view, draft: null });
    };

    const showFault = (fault: ScorecardFault | null): void => {
      for (const field of fields.values()) field.fault(undefined);
      for (const step of steps) step.clear();
      problems.show('run', null);
      if (fault === null) return;
      const { step, field, message } = fault;
      if (step === null) {
        const own = fields.get(field ?? '');
        own?.fault(message);
        focusWithin(own);
        if (own !== undefined) return;
      } else if (steps[step]?.fault(field, message) === true) return;
      problems.show('run', {
        message: step === null ? message : t('Step {0}: {1}', step + 1, message),
      });
    };
    const save = savingButton({
      label: t('Save scorecard'),
      problems,
      save: async () => showFault(asFault(await channel.request('save', read()))),
    });
    const ask = (name: 'cancel' | 'remove') => (): void => {
      channel.request(name, null).catch(fail);
    };

    const form = el('form', 'form', { 'aria-label': t('Scorecard') }, [
      ...[...fields.values()].map(({ element }) => element),
      el('h2', 'steps', {}, [t('Steps')]),
      el('p', 'about dim', {}, [
        t(
          'Each step gives a row a score from 0 to 1. The score of the row is their weighted mean.',
        ),
      ]),
      ...[list, add],
      el('div', 'buttons', {}, [
        save.element,
        button({ label: t('Cancel'), look: 'secondary', run: ask('cancel') }),
        ...(isNew
          ? []
          : [
              button({
                label: t('Delete scorecard…'),
                icon: 'trash',
                look: 'secondary',
                run: ask('remove'),
              }),
            ]),
      ]),
    ]);
    for (const name of ['input', 'change'] as const) form.addEventListener(name, note);
    keep(kept);
    if (typed !== null) channel.emit('typed', typed);
    save.listen(form, AbortSignal.any([signal, shown.signal]));
    const heading = isNew
      ? t('New scorecard of {0}', view.sheet)
      : t('Scorecard of {0}', view.sheet);
    body.replaceChildren(
      el('header', 'head', {}, [...headParts(heading, view.connection)]),
      ...(draft === null ? [] : [draftNotice(startAfresh)]),
      form,
    );
    fields.get('name')?.focus();
  }

  open(async () => asView(await channel.request('ready', null)), show);
  return end;
}
