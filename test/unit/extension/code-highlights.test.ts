import assert from 'node:assert/strict';
import type { CodeLanguage } from '../../../src/core/code-index/languages.ts';
import { callsIn } from '../../../src/core/code-index/scan.ts';
import { highlightsOf } from '../../../src/extension/code/highlights-of.ts';

function colored(code: string, language: CodeLanguage = 'script'): unknown {
  const { name, label, variable } = highlightsOf(callsIn(code, language));
  const texts = [name, label, variable].map((spans) =>
    spans.map(({ from, to }) => code.slice(from, to)),
  );
  return texts.map((each) => each.join(' '));
}

describe('Colors of prompts in code', () => {
  it('are those of names, labels and variables, in both languages', () => {
    assert.deepEqual(
      colored(
        `c.run({ promptName: 'greet', promptReleaseLabel: 'prod', inputVariables: { question, "user": n } })`,
      ),
      ['greet', 'prod', 'question user'],
    );
    assert.deepEqual(
      colored(`c.run(prompt_name="greet", input_variables={"question": q})`, 'python'),
      ['greet', '', 'question'],
    );
    assert.deepEqual(colored(`c.runWorkflow({ workflowName: 'triage' })`), ['triage', '', '']);
  });

  it('are on a constant where a call takes it, and on nothing that is computed or no call', () => {
    assert.deepEqual(
      colored(
        `const NAME = 'greet';\nc.run({ promptName: NAME, promptReleaseLabel: label() });\n// c.run({ promptName: 'no' })\n`,
      ),
      ['NAME', '', ''],
    );
    assert.deepEqual(colored(`c.run({ promptName: '' })`), ['', '', '']);
  });

  it('are on each place once, of calls within calls too', () => {
    assert.deepEqual(
      colored(
        `c.run({ promptName: 'a', inputVariables: { b: c.run({ promptName: 'd', inputVariables: { e } }) } })`,
      ),
      ['a d', '', 'b e'],
    );
  });
});
