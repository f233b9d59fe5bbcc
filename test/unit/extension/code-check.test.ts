import assert from 'node:assert/strict';
import type { CodeLanguage } from '../../../src/core/code-index/languages.ts';
import { callsIn } from '../../../src/core/code-index/scan.ts';
import { problemsOfCall } from '../../../src/extension/code/check.ts';
import type { FoundPrompt, KnownNames, PromptInfo } from '../../../src/extension/code/known.ts';
import { hintOf } from '../../../src/extension/code/known.ts';
import { ofWorkflow } from '../../../src/extension/code/workflow-info.ts';
import { t } from './words.ts';

const info: PromptInfo = {
  ...{ what: 'prompt', id: 1, hasAllVariables: true },
  ...{ name: 'greet', version: 7, latest: 7, model: 'gpt-5', messages: [] },
  labels: [
    { label: 'prod', version: 6 },
    { label: 'dev', version: 7 },
  ],
  variables: [
    { name: 'question', takes: 'text', isOptional: false },
    { name: 'user name', takes: 'text', isOptional: false },
    { name: 'history', takes: 'list', isOptional: true },
    { name: 'photos', takes: 'media', isOptional: true },
  ],
};
const names: KnownNames = {
  all: ['greet', "it's", 'summarize'].map((name) => ({ name, version: 1, model: undefined })),
  isComplete: true,
};
const found: FoundPrompt = { kind: 'found', info };
const choiceAbsent: FoundPrompt = { kind: 'choiceAbsent', info };
const absent: FoundPrompt = { kind: 'absent' };

/** Each problem with the text it stands under, and the code as its fixes make it. */
function problems(code: string, fact: FoundPrompt, language: CodeLanguage = 'script'): unknown[] {
  const [call] = callsIn(code, language);
  assert.ok(call, code);
  const facts = { found: fact, names, workspace: 'Acme' };
  return problemsOfCall(call, language, facts, t).map(({ span, message, fixes }) => [
    code.slice(span.from, span.to),
    message,
    ...fixes.map((fix) => code.slice(0, fix.span.from) + fix.text + code.slice(fix.span.to)),
  ]);
}

const whole = `inputVariables: { question, 'user name': n }`;

describe('Problems of code that asks for prompts', () => {
  it('are prompts that are not there, with the nearest names to take instead', () => {
    assert.deepEqual(problems(`c.run({ promptName: 'gret' })`, absent), [
      [`'gret'`, 'There is no prompt "gret" in Acme.', `c.run({ promptName: 'greet' })`],
    ]);
    assert.deepEqual(problems(`c.run({ promptName: 'its' })`, absent), [
      [`'its'`, 'There is no prompt "its" in Acme.', `c.run({ promptName: 'it\\'s' })`],
    ]);
    assert.deepEqual(problems(`c.run(prompt_name="gret", **more)`, absent, 'python'), [
      [`"gret"`, 'There is no prompt "gret" in Acme.', `c.run(prompt_name="greet", **more)`],
    ]);
  });

  it('are types that were generated before a prompt has changed, where a prompt is run', () => {
    const outdated = { uri: 'file:///a/prompts.gen.ts', path: 'prompts.gen.ts' };
    const said = (code: string, found: FoundPrompt): unknown => {
      const [call] = callsIn(code, 'script');
      assert.ok(call, code);
      return problemsOfCall(call, 'script', { found, names, workspace: 'Acme', outdated }, t).map(
        ({ message, types, fixes, severity }) => [message, types?.path, fixes.length, severity],
      );
    };
    const text = '"greet" has changed in Acme since the types in prompts.gen.ts were generated.';
    const problem = [text, 'prompts.gen.ts', 0, 'info'];
    assert.deepEqual(said(`c.run({ promptName: 'greet', ${whole} })`, found), [problem]);
    assert.deepEqual(said(`c.run({ promptName: 'greet', ...more })`, found), [problem]);
    assert.deepEqual(said(`c.run({ promptName: 'greet', promptBlueprint: {} })`, found), []);
    assert.deepEqual(said(`c.logRequest({ promptName: 'greet' })`, found), []);
    assert.deepEqual(said(`c.run({ promptName: 'greet' })`, { kind: 'unknown' }), []);
  });

  it('are labels and versions that are not there', () => {
    assert.deepEqual(
      problems(`c.run({ promptName: 'greet', promptReleaseLabel: 'prd' })`, choiceAbsent),
      [
        [
          `'prd'`,
          '"greet" has no label "prd".',
          `c.run({ promptName: 'greet', promptReleaseLabel: 'prod' })`,
        ],
      ],
    );
    assert.deepEqual(
      problems(`c.run(prompt_name="greet", prompt_version=9)`, choiceAbsent, 'python'),
      [
        [
          '9',
          '"greet" has no version 9: its latest version is 7.',
          `c.run(prompt_name="greet", prompt_version=7)`,
        ],
      ],
    );
  });

  it('are variables without a value, misspelt ones, and lists given as a text', () => {
    assert.deepEqual(problems(`c.run({ promptName: 'greet', ${whole} })`, found), []);
    assert.deepEqual(problems(`c.run({ promptName: 'greet' })`, found), [
      [`'greet'`, 'The variables "question", "user name" of "greet" have no values.'],
    ]);
    // What is written short names the value too, which stays the same.
    assert.deepEqual(
      problems(`c.run({ promptName: 'greet', inputVariables: { qestion, 'user name': n } })`, found)
        .slice(1)
        .flat()
        .at(-1),
      `c.run({ promptName: 'greet', inputVariables: { question: qestion, 'user name': n } })`,
    );
    assert.deepEqual(
      problems(`c.run({ promptName: 'greet', inputVariables: { question } })`, found),
      [
        [
          '{ question }',
          'The variable "user name" of "greet" has no value.',
          `c.run({ promptName: 'greet', inputVariables: { 'user name': '', question } })`,
        ],
      ],
    );
    const python = `c.run(prompt_name="greet", input_variables={"question": q, "usr name": n})`;
    assert.deepEqual(problems(python, found, 'python'), [
      [
        '{"question": q, "usr name": n}',
        'The variable "user name" of "greet" has no value.',
        `c.run(prompt_name="greet", input_variables={ "user name": "","question": q, "usr name": n})`,
      ],
      [
        'usr name',
        '"greet" has no variable "usr name".',
        `c.run(prompt_name="greet", input_variables={"question": q, "user name": n})`,
      ],
    ]);
    assert.deepEqual(
      problems(
        `c.run({ promptName: 'greet', inputVariables: { question, 'user name': n, history: 'x' } })`,
        found,
      ),
      [['history', 'The variable "history" of "greet" is a list.']],
    );
  });

  it('are none where something is not certain', () => {
    const unknown: FoundPrompt = { kind: 'unknown' };
    const run = (options: string): string => `c.run({ promptName: 'greet', ${options} })`;
    assert.deepEqual(problems(run('a'), unknown), []);
    for (const fact of [absent, choiceAbsent, found]) {
      assert.deepEqual(problems(run('...options'), fact), []);
      assert.deepEqual(problems(run('promptBlueprint: b'), fact), []);
      assert.deepEqual(problems(`c.run({ promptName: '' })`, fact), []);
      assert.deepEqual(problems(`c.run({ promptName: 'greet', `, fact), []);
      assert.deepEqual(problems(`c.run({ promptName: 'greet`, fact), []);
    }
    assert.deepEqual(problems(run('inputVariables: variables'), found), []);
    assert.deepEqual(problems(run('inputVariables: { ...variables }'), found), []);
    assert.deepEqual(problems(run(`promptReleaseLabel: 'prod', metadata: { a: 'b' }`), found), []);
    // Whoever gets a template may fill it in later, and whoever logs has done so.
    assert.deepEqual(problems(`promptlayer.templates.get('greet')`, found), []);
    assert.deepEqual(problems(`c.logRequest({ promptName: 'greet' })`, found), []);
  });
});

describe('Problems of code that runs workflows', () => {
  const version = {
    ...{ workflow_id: 3, workflow_name: 'triage', version: 4 },
    nodes: ['sort', 'answer'].map((name, at) => ({
      ...{ name, node_type: 'PROMPT_TEMPLATE', is_output_node: at === 1, configuration: {} },
      dependencies: at === 0 ? ['ticket', 'hint'] : ['sort'],
    })),
  };
  const infoOf = (required?: Record<string, string>): PromptInfo => ({
    ...ofWorkflow({ ...version, required_input_variables: required }),
    ...{ latest: 4, labels: [{ label: 'prod', version: 3 }] },
  });
  const factOf = (required?: Record<string, string>): FoundPrompt => ({
    kind: 'found',
    info: infoOf(required),
  });
  const run = (rest = ''): string => `c.runWorkflow({ workflowName: 'triage'${rest} })`;

  it('are variables that are missing, or that no node takes', () => {
    const fact = factOf({ ticket: 'string' });
    assert.deepEqual(problems(run(', inputVariables: { ticket, hint: 1 }'), fact), []);
    assert.deepEqual(problems(run(), fact), [
      [`'triage'`, 'The variable "ticket" of "triage" has no value.'],
    ]);
    const python =
      'c.run_workflow(workflow_name="triage", input_variables={"tiket": 1, "hint": 2})';
    assert.deepEqual(
      problems(python, fact, 'python').map((found) => (found as string[])[1]),
      ['The variable "ticket" of "triage" has no value.', '"triage" has no variable "tiket".'],
    );
    assert.deepEqual(problems(run(', inputVariables: { sort: 1, ticket }'), fact).length, 1);
  });

  it('are workflows, labels and versions that are not there', () => {
    assert.deepEqual(problems(`c.runWorkflow({ workflowName: 'gret' })`, absent), [
      [
        `'gret'`,
        'There is no workflow "gret" in Acme.',
        `c.runWorkflow({ workflowName: 'greet' })`,
      ],
    ]);
    const fact: FoundPrompt = { kind: 'choiceAbsent', info: infoOf({}) };
    assert.deepEqual(
      problems(run(", workflowLabelName: 'prd'"), fact).map((found) => (found as string[])[1]),
      ['"triage" has no label "prd".'],
    );
    assert.deepEqual(
      problems(run(', workflowVersion: 9'), fact).map((found) => (found as string[])[1]),
      ['"triage" has no version 9: its latest version is 4.'],
    );
  });

  it('are none where not all is known', () => {
    assert.deepEqual(problems(run(', inputVariables: { any: 1 }'), factOf()), []);
    for (const fact of [absent, factOf({ ticket: 'string' })]) {
      assert.deepEqual(problems(run(', ...options'), fact), []);
      assert.deepEqual(problems(`c.runWorkflow({ workflowName: 'a', `, fact), []);
    }
  });
});

describe('Hints of versions in code', () => {
  const hint = (code: string, fact: FoundPrompt = found, language: CodeLanguage = 'script') => {
    const [call] = callsIn(code, language);
    assert.ok(call, code);
    const { at, version } = hintOf(call, fact) ?? {};
    return at === undefined ? undefined : [code.slice(0, at).split(' ').at(-1), version];
  };

  it('stand behind labels, and behind names without one', () => {
    const label = `c.run({ promptName: 'greet', promptReleaseLabel: 'prod' })`;
    assert.deepEqual(hint(label), [`'prod'`, 6]);
    assert.deepEqual(hint(`c.run({ promptName: 'greet' })`), [`'greet'`, 7]);
    const python = `c.run(prompt_name="greet", prompt_release_label="dev")`;
    assert.deepEqual(hint(python, found, 'python'), ['prompt_release_label="dev"', 7]);
  });

  it('are none where something else decides, or nothing is known', () => {
    for (const code of [
      `c.run({ promptName: 'greet', promptReleaseLabel: 'prod', metadata: { user } })`,
      `c.run({ promptName: 'greet', promptReleaseLabel: label })`,
      `c.run({ promptName: 'greet', promptReleaseLabel: 'prod', ...more })`,
      `c.run({ promptName: 'greet', promptVersion: 3 })`,
      `c.run({ promptName: 'greet', promptBlueprint })`,
      `c.run({ promptName: 'greet', promptReleaseLabel: 'none' })`,
      `c.run({ promptName: 'greet', `,
      `c.logRequest({ promptName: 'greet' })`,
    ]) {
      assert.equal(hint(code), undefined, code);
    }
    for (const fact of [absent, choiceAbsent, { kind: 'unknown' } as const]) {
      assert.equal(hint(`c.run({ promptName: 'greet' })`, fact), undefined);
    }
  });
});
