/** The form of a scorecard alone, with the product's own forms and its own reading of what is filled in. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  draftOfScorecard,
  enteredOf,
  faultOfScorecard,
} from '../../src/extension/scorecard/draft.ts';
import { cardForm, seldomNames, stepForms } from '../../src/extension/scorecard/steps.ts';
import type {
  EnteredScorecard,
  ScorecardEvents,
  ScorecardFormView,
  ScorecardRequests,
} from '../../src/protocol/scorecard.ts';
import {
  inEnglish,
  startLinkedPages,
  type LinkedPage,
  type LinkedPages,
} from './support/page-link.ts';
import { until } from '../support/until.ts';

type None = Readonly<Record<string, never>>;
type Form = { asks: ScorecardRequests; tells: ScorecardEvents; asked: None; reported: None };

const columns = [
  { id: 'a', title: 'Answer' },
  { id: 'g', title: 'Grade' },
];
const view: ScorecardFormView = {
  sheet: 'Answers',
  connection: { name: 'Acme', local: false },
  isNew: true,
  columns: columns.map(({ title }) => title),
  fields: cardForm(inEnglish).fields,
  steps: stepForms(inEnglish),
  seldom: seldomNames,
  entered: enteredOf(null, columns, inEnglish),
  draft: null,
  target: { formId: 'f', connectionId: 'c', tableId: 't', sheetId: 's' },
};

describe('Page of the form of a scorecard', function () {
  this.timeout(60_000);
  let pages: LinkedPages<Form>;
  let linked: LinkedPage<Form>;
  let saved: EnteredScorecard[];

  const save = (entered: EnteredScorecard) => {
    const fault = faultOfScorecard(entered, inEnglish);
    if (fault !== undefined) return fault;
    saved.push(entered);
    return null;
  };
  before(async () => {
    pages = await startLinkedPages<Form>({
      bundle: 'scorecard',
      tells: ['typed'],
      answers: { ready: () => view, save, remove: () => null, cancel: () => null },
    });
  });
  beforeEach(() => {
    saved = [];
  });
  afterEach(() => pages.done());
  after(() => pages.close());

  const button = (name: string): Locator => linked.page.getByRole('button', { name, exact: true });
  const step = (at: number): Locator => linked.page.getByRole('region', { name: `Step ${at}` });
  const box = (name: string, within: Locator = linked.page.locator('form')): Locator =>
    within.getByRole('textbox', { name });
  const says = (text: string | RegExp): Promise<void> => linked.page.getByText(text).waitFor();

  async function fillIn(): Promise<void> {
    await box('Name (required)').fill('Care');
    await button('Add step').click();
    await step(1)
      .getByRole('combobox', { name: 'Type' })
      .selectOption({ label: 'Regular expression' });
    await box('Title (required)', step(1)).fill('is more than a word');
    await step(1).getByRole('checkbox', { name: 'Answer' }).check();
    await box('Pattern (required)', step(1)).fill('\\s');
    await button('Add step').click();
    await box('Title (required)', step(2)).fill('grade');
    await step(2).getByRole('checkbox', { name: 'Grade' }).check();
    await box('Weight', step(2)).fill('3');
    await step(2).getByText('More', { exact: true }).click();
    await box('Smallest number', step(2)).fill('0');
    await box('Largest number', step(2)).fill('10');
  }

  it('says what is missing, and hands on what was filled in', async () => {
    linked = await pages.open();
    await linked.page.getByRole('heading', { name: 'New scorecard for Answers' }).waitFor();
    await button('Save scorecard').click();
    await says('Add a step: a scorecard without steps has no score.');
    await fillIn();
    await button('Save scorecard').click();
    await until('it was saved', async () => saved.length === 1);
    const [entered] = saved;
    assert.ok(entered);
    const draft = draftOfScorecard(entered, null, columns, inEnglish);
    assert.equal(draft.name, 'Care');
    assert.deepEqual(
      draft.steps.map((one) => [one.title, one.source_column_ids]),
      [
        ['is more than a word', ['a']],
        ['grade', ['g']],
      ],
    );
    assert.equal(draft.steps[1]?.weight, 3);
  });

  it('shows what the service says at the step and the field that it is about', async () => {
    const message = 'The regular expression "(" is not valid.';
    linked = await pages.open({
      save: () => ({ step: 0, field: 'primitive_config.regex_pattern', message }),
    });
    await fillIn();
    await box('Pattern (required)', step(1)).fill('(');
    await button('Save scorecard').click();
    await step(1).getByText(message).waitFor();
    linked.answer({ save: () => ({ step: 1, field: null, message: 'It has no source.' }) });
    await button('Save scorecard').click();
    await says('Step 2: It has no source.');
    await step(1).getByText(message).waitFor({ state: 'hidden' });
  });

  it('moves and removes steps, and can be read and walked by everybody', async () => {
    linked = await pages.open();
    await fillIn();
    await linked.canBeReadByEverybody('scorecard');
    // What is folded away has a size too, and is not reached.
    await step(1).getByText('More', { exact: true }).click();
    await linked.canBeWalkedByTab();
    await step(2).getByRole('button', { name: 'Move step up' }).click();
    await until(
      'it has moved',
      async () => (await box('Title (required)', step(1)).inputValue()) === 'grade',
    );
    assert.equal(await box('Weight', step(1)).inputValue(), '3');
    await step(2).getByRole('button', { name: 'Remove step' }).click();
    await step(2).waitFor({ state: 'detached' });
    await linked.heard();
    assert.deepEqual(
      linked
        .reported('typed')
        .at(-1)
        ?.steps.map(({ values }) => values['title']),
      ['grade'],
    );
  });

  it('shows one that is there, and asks for its deletion', async () => {
    const entered = enteredOf(
      {
        name: 'Care',
        aggregation: { pass_threshold: 0.8 },
        steps: [
          {
            ...{ id: 's1', title: 'grade', weight: 3, primitive_type: 'REGEX' },
            ...{ source_column_ids: ['g'], primitive_config: { regex_pattern: '[a-z]' } },
          },
        ],
      } as unknown as Parameters<typeof enteredOf>[0],
      columns,
      inEnglish,
    );
    linked = await pages.open({ ready: () => ({ ...view, isNew: false, entered }) });
    await linked.page.getByRole('heading', { name: 'Scorecard for Answers' }).waitFor();
    assert.equal(await box('Weight', step(1)).inputValue(), '3');
    assert.equal(await step(1).getByRole('checkbox', { name: 'Grade' }).isChecked(), true);
    assert.equal(
      await linked.page.getByRole('textbox', { name: 'Pass threshold' }).first().inputValue(),
      '0.8',
    );
    await linked.heard();
    assert.deepEqual(linked.reported('typed'), []);
    await button('Delete scorecard…').click();
    await button('Cancel').click();
    await until('both were asked', async () => linked.asked('cancel').length === 1);
    assert.equal(linked.asked('remove').length, 1);
  });

  it('comes back with what was typed; begins with what was typed before it was closed, or afresh', async () => {
    linked = await pages.open();
    await fillIn();
    await linked.comeBack();
    await step(2).waitFor();
    assert.equal(await box('Weight', step(2)).inputValue(), '3');
    assert.equal(await button('Start over').count(), 0);
    const draft = linked.reported('typed').at(-1);
    assert.ok(draft);
    linked = await pages.open({ ready: () => ({ ...view, draft }) });
    await button('Start over').waitFor();
    assert.equal(await box('Weight', step(2)).inputValue(), '3');
    await button('Start over').click();
    await step(1).waitFor({ state: 'detached' });
    await until('it was told', async () => linked.reported('typed').at(-1) === null);
  });
});
