/** The form of a column alone, with the product's own forms and its own reading of what is filled in. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { configOf, faultIn } from '../../src/extension/column-form/config.ts';
import { columnTypes, formIn } from '../../src/extension/column-form/types.ts';
import type {
  AskedField,
  ColumnFormEvents,
  ColumnFormRequests,
  ColumnFormView,
  ColumnTypeForm,
  EnteredColumn,
  Inputs,
  Suggestion,
} from '../../src/protocol/column-form.ts';
import {
  inEnglish,
  startLinkedPages,
  type Answers,
  type LinkedPage,
  type LinkedPages,
} from './support/page-link.ts';
import { until } from '../support/until.ts';

type None = Readonly<Record<string, never>>;
type Form = { asks: ColumnFormRequests; tells: ColumnFormEvents; asked: None; reported: None };

const types = columnTypes.map((form) => formIn(form, inEnglish));
const formOf = (type: string): ColumnTypeForm => {
  const form = types.find((one) => one.type === type);
  assert.ok(form, type);
  return form;
};

const view: ColumnFormView = {
  sheet: 'Questions',
  connection: { name: 'Acme', local: false },
  column: null,
  columns: ['Question', 'Tone'],
  types,
  draft: null,
  target: {
    ...{ formId: 'f', connectionId: 'c', tableId: 't', sheetId: 's' },
    ...{ columnId: null, place: null },
  },
};
const editing = (title: string, type: string, values: EnteredColumn['values']) => ({
  ready: () => ({ ...view, column: { title, type, values }, types: [formOf(type)] }),
});

const named = (value: string, detail = ''): Suggestion => ({ value, detail });
/** What the workspace has. */
function suggestions({ field, values }: AskedField): readonly Suggestion[] {
  const value = values[field];
  const typed = typeof value === 'string' ? value : '';
  const fitting = (all: readonly Suggestion[]): readonly Suggestion[] =>
    all.some((one) => one.value === typed) ? all : all.filter((one) => one.value.includes(typed));
  if (/version_number$/.test(field)) return [named('prod', 'version 1'), named('2', 'version 2')];
  if (/template\.name$/.test(field))
    return fitting([
      named('support/answer', 'version 2 · gpt-test'),
      named('summarize', 'version 1'),
    ]);
  if (/workflow_id$/.test(field)) return fitting([named('triage', 'version 1')]);
  if (/provider$/.test(field)) return fitting([named('openai'), named('anthropic')]);
  if (field !== 'source') return [];
  const steps: Readonly<Record<string, readonly Suggestion[]>> = {
    '': [
      named('Question', 'column of this sheet'),
      { ...named('Support.', 'table'), goesOn: true },
    ],
    'Support.': [{ ...named('Support.Questions.', 'sheet'), goesOn: true }],
    'Support.Questions.': [named('Support.Questions.Tone', 'TEXT')],
  };
  return steps[typed] ?? [];
}

function inputs({ type, values }: AskedField): Inputs {
  if (type === 'WORKFLOW' && values['workflow_id'] === 'triage')
    return {
      names: ['question', 'tone', 'kinds'],
      about: 'Input variables of triage, version 1.',
    };
  const name = values['template.name'];
  if (name !== 'support/answer')
    return { names: null, about: name ? 'Its variables are unknown: there is none.' : '' };
  const version = values['template.version_number'] === 'prod' ? 1 : 2;
  return {
    names: version === 1 ? ['question'] : ['question', 'tone'],
    about: `Input variables of support/answer, version ${version}.`,
  };
}

describe('Page of the form of a column', function () {
  this.timeout(60_000);
  let pages: LinkedPages<Form>;
  let linked: LinkedPage<Form>;
  let saved: { readonly title: string; readonly type: string; readonly config: unknown }[];

  const save = ({ title, type, values }: EnteredColumn) => {
    if (title === '') return { field: 'title', message: 'Enter a title.' };
    const fault = faultIn(formOf(type), values, inEnglish);
    if (fault !== undefined) return fault;
    saved.push({ title, type, config: configOf(formOf(type), values) });
    return null;
  };

  before(async () => {
    pages = await startLinkedPages<Form>({
      bundle: 'column-form',
      tells: ['typed'],
      answers: {
        ready: () => view,
        save,
        cancel: () => null,
        suggest: (asked) => ({ items: suggestions(asked), problem: null }),
        inputs,
      },
    });
  });
  beforeEach(() => {
    saved = [];
  });
  afterEach(() => pages.done());
  after(() => pages.close());

  const combo = (name: string | RegExp): Locator => linked.page.getByRole('combobox', { name });
  const option = (name: string | RegExp): Locator => linked.page.getByRole('option', { name });
  const button = (name: string): Locator => linked.page.getByRole('button', { name });
  const box = (name: string): Locator => linked.page.getByRole('textbox', { name });
  const says = (text: string | RegExp): Promise<void> => linked.page.getByText(text).waitFor();

  async function newColumn(label: string, title: string, answers?: Answers<Form>): Promise<void> {
    linked = await pages.open(answers);
    await combo('Type').selectOption({ label });
    await box('Title (required)').fill(title);
  }
  async function savedConfig(): Promise<unknown> {
    await until('it was saved', async () => saved.length > 0);
    return saved.at(-1)?.config;
  }

  it('offers prompts, their versions, and a row for each variable with a column of its name', async () => {
    await newColumn('Prompt', 'Reply');
    await combo('Prompt').click();
    await option(/^support\/answer version 2/).waitFor();
    await combo('Prompt').fill('answ');
    await option(/^summarize/).waitFor({ state: 'hidden' });
    await combo('Prompt').press('ArrowDown');
    await combo('Prompt').press('Enter');
    await says('Input variables of support/answer, version 2.');
    assert.equal(await combo('Column for question').inputValue(), 'Question');
    assert.equal(await combo('Column for tone').inputValue(), 'Tone');
    await combo('Version or label').click();
    await option(/^prod version 1/).click();
    await says('Input variables of support/answer, version 1.');
    // Chosen for a variable that this version does not have.
    await says('Not found: tone.');
    await combo('Version or label').fill('2');
    await combo('Version or label').press('Enter');
    await combo('Column for tone').waitFor();
    await combo('Column for tone').selectOption('');
    await combo('Provider').fill('anthr');
    await option('anthropic').first().click();
    await combo('Model').fill('claude-of-tomorrow');
    await linked.canBeReadByEverybody('column-form-prompt');
    await linked.canBeWalkedByTab();
    await button('Add column').click();
    assert.deepEqual(await savedConfig(), {
      template: { name: 'support/answer', version_number: 2 },
      prompt_template_variable_mappings: { question: 'Question' },
      engine: { provider: 'anthropic', model: 'claude-of-tomorrow' },
    });
  });

  it('keeps what is typed where nobody knows it', async () => {
    await newColumn('Prompt', 'Later');
    await combo('Prompt').fill('written/tomorrow');
    await says('No known value matches; your text is used.');
    await combo('Prompt').press('Tab');
    await says('Its variables are unknown:');
    await button('Add variable').click();
    await box('Variable').fill('text');
    await combo('Variable column').selectOption('Tone');
    await button('Add column').click();
    assert.deepEqual(await savedConfig(), {
      template: { name: 'written/tomorrow' },
      prompt_template_variable_mappings: { text: 'Tone' },
    });
  });

  it('chooses workflows by name, and maps their input variables', async () => {
    await newColumn('Workflow', 'Triage');
    await combo('Workflow (required)').click();
    await option(/^triage version 1/).click();
    await says('Input variables of triage, version 1.');
    assert.equal(await combo('Column for question').inputValue(), 'Question');
    await combo('Column for kinds').selectOption('Tone');
    await button('Add column').click();
    assert.deepEqual(await savedConfig(), {
      workflow_id: 'triage',
      input_mappings: { question: 'Question', tone: 'Tone', kinds: 'Tone' },
    });
  });

  it('makes comparisons in rows', async () => {
    await newColumn('Condition', 'Is kind');
    await combo('Compared column').selectOption('Tone');
    await combo('Operator').selectOption('in');
    await box('Value to compare with').fill('["kind", "cheerful"]');
    await button('Add comparison').click();
    await button('Add column').click();
    await says('Select a column for every comparison.');
    await combo('Compared column').nth(1).selectOption('Question');
    await combo('Operator').nth(1).selectOption('is_not_null');
    await linked.canBeReadByEverybody('column-form-conditions');
    await button('Add column').click();
    assert.deepEqual(await savedConfig(), {
      conditionals: [
        {
          ...{ operator: 'in', left_config: { source: 'Tone' } },
          right_config: { value: ['kind', 'cheerful'] },
        },
        { operator: 'is_not_null', left_config: { source: 'Question' } },
      ],
    });
  });

  it('makes conditions of which one is enough, whatever another type had in their place', async () => {
    await newColumn('HTTP request', 'Is long');
    await combo('Method').selectOption('PATCH');
    await combo('Type').selectOption({ label: 'Condition' });
    await combo('Compared column').selectOption('Tone');
    await combo('Operator').selectOption('!=');
    await box('Value to compare with').fill('ability');
    await combo('All of them').selectOption('false');
    await button('Add column').click();
    assert.deepEqual(await savedConfig(), {
      conditionals: [
        {
          ...{ operator: '!=', left_config: { source: 'Tone' } },
          right_config: { value: 'ability' },
        },
      ],
      is_and: false,
    });
  });

  it('finds columns of other sheets step by step', async () => {
    await newColumn('Reference', 'Elsewhere');
    await combo('Column (required)').click();
    await option(/^Support\. table/).click();
    await option(/^Support\.Questions\. sheet/).click();
    await option(/^Support\.Questions\.Tone/).click();
    await until(
      'it is chosen',
      async () => (await combo('Column (required)').inputValue()) === 'Support.Questions.Tone',
    );
  });

  it('puts columns into code', async () => {
    await newColumn('Code', 'Coded');
    await combo('Insert a column').selectOption('Tone');
    await until(
      'it is in the code',
      async () => (await box('Code (required)').inputValue()) === 'data["Tone"]',
    );
  });

  it('says what is missing beside its field, and saves by Ctrl+Enter', async () => {
    await newColumn('Count', '');
    const alert = (text: string): Locator => linked.page.getByRole('alert').getByText(text);
    await button('Add column').click();
    await alert('Enter a title.').waitFor();
    await box('Title (required)').fill('How many words');
    await combo('Unit').selectOption('words');
    await button('Add column').click();
    await alert('Source is missing.').waitFor();
    await alert('Enter a title.').waitFor({ state: 'hidden' });
    await combo('Source').selectOption({ index: 1 });
    await linked.page.keyboard.press('Control+Enter');
    assert.deepEqual(await savedConfig(), { source: 'Question', type: 'words' });
  });

  it('shows what the service says beside the field', async () => {
    await newColumn('Regular expression', 'Pattern', {
      save: () => ({ field: 'regex_pattern', message: 'The pattern is not valid.' }),
    });
    await combo('Source').selectOption({ index: 1 });
    await box('Pattern').fill('(unfinished');
    await button('Add column').click();
    await linked.page
      .locator('[id="field-regex_pattern-fault"]')
      .filter({ hasText: 'The pattern is not valid.' })
      .waitFor();
    assert.equal(await box('Pattern').getAttribute('aria-invalid'), 'true');
    await button('Cancel').click();
    await until('it was asked', async () => linked.asked('cancel').length === 1);
  });

  it('tries again what could not be saved', async () => {
    await newColumn('Text', 'Late', {
      save: () => {
        throw new Error('The service is away.');
      },
    });
    await button('Add column').click();
    await says('The service is away.');
    linked.answer({ save });
    await button('Try again').click();
    await until('it was saved', async () => saved.length === 1);
  });

  it('can be read and walked by everybody', async () => {
    linked = await pages.open();
    await combo('Type').selectOption({ label: 'Compare' });
    await linked.canBeReadByEverybody('column-form');
    await linked.canBeWalkedByTab();
  });

  it('shows a column that is edited, and does not let its type be changed', async () => {
    linked = await pages.open(
      editing('How many words', 'COUNT', { source: 'Question', type: 'words' }),
    );
    assert.equal(await combo('Unit').inputValue(), 'words');
    assert.equal(await combo('Type').isDisabled(), true);
    await box('Title').fill('How many letters');
    await combo('Unit').selectOption('chars');
    await button('Save column').click();
    await until('it was saved', async () => saved.length === 1);
    assert.deepEqual(saved, [
      { title: 'How many letters', type: 'COUNT', config: { source: 'Question', type: 'chars' } },
    ]);
  });

  it('shows what a prompt column maps, and chooses nothing for what was left out', async () => {
    linked = await pages.open(
      editing('Reply', 'PROMPT_TEMPLATE', {
        'template.name': 'support/answer',
        'template.version_number': '2',
        prompt_template_variable_mappings: [{ name: 'question', column: 'Question' }],
      }),
    );
    await says('Input variables of support/answer, version 2.');
    assert.equal(await combo('Column for question').inputValue(), 'Question');
    assert.equal(await combo('Column for tone').inputValue(), '');
    // Looked at only: nobody has typed anything.
    await linked.heard();
    assert.deepEqual(linked.reported('typed'), []);
  });

  it('comes back with what was typed, and tells the extension', async () => {
    await newColumn('LLM assertion', 'Politeness');
    await combo('Source (required)').selectOption('Tone');
    await box('Statement').fill('It is polite');
    const isFilledIn = async (): Promise<void> => {
      await box('Statement').waitFor();
      assert.equal(await box('Title (required)').inputValue(), 'Politeness');
      assert.equal(await box('Statement').inputValue(), 'It is polite');
      assert.equal(await combo('Source (required)').inputValue(), 'Tone');
    };
    await linked.comeBack();
    await isFilledIn();
    assert.equal(await button('Start over').count(), 0);
    assert.equal(linked.reported('typed').at(-1)?.title, 'Politeness');
    const state = (await linked.state()) as { readonly target: unknown };
    assert.deepEqual(state.target, view.target);
  });

  it('begins with what was typed into one that was closed, or afresh', async () => {
    const draft: EnteredColumn = {
      title: 'Politeness',
      type: 'LLM_ASSERTION',
      values: { source: 'Tone', prompt: 'It is polite' },
    };
    linked = await pages.open({ ready: () => ({ ...view, draft }) });
    await says('These are your unsaved changes from before the form was closed.');
    assert.equal(await box('Statement').inputValue(), 'It is polite');
    await linked.canBeReadByEverybody('column-form-draft');
    await button('Start over').click();
    await until('it is empty', async () => (await box('Title (required)').inputValue()) === '');
    await until('it was told', async () => linked.reported('typed').at(-1) === null);
    assert.equal(await button('Start over').count(), 0);
  });

  it('says in its lists that the service is away, and keeps what is typed', async () => {
    let come: (() => void) | undefined;
    const problem = "The service can't be reached. Your changes are kept.";
    await newColumn('Prompt', 'Without the service', {
      suggest: async (asked) => {
        if (/provider$/.test(asked.field)) return { items: suggestions(asked), problem: null };
        await new Promise<void>((resolve) => (come = resolve));
        return { items: [], problem };
      },
      inputs: () => ({ names: null, about: 'Its variables are unknown: away.' }),
    });
    await combo('Prompt').click();
    await says('The service has not answered yet. Your changes are kept.');
    come?.();
    await says(problem);
    await combo('Prompt').fill('support/answer');
    await combo('Prompt').press('Tab');
    // What the form knows by itself is still offered.
    await combo('Provider').fill('anthr');
    await option('anthropic').first().click();
    assert.equal(await combo('Prompt').inputValue(), 'support/answer');
    await says('Its variables are unknown: away.');
    await button('Add variable').click();
    await box('Variable').fill('question');
  });
});
