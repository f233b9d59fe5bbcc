import assert from 'node:assert/strict';
import { readText } from '../../../../src/extension/prompts/text/read.ts';
import {
  renameVariable,
  variableAt,
  withEdits,
} from '../../../../src/extension/prompts/text/rename.ts';
import { t } from '../words.ts';

const prompt = (head: string, ...body: readonly string[]): string =>
  ['---', 'prompt: greet', head, '---', '', ...body, ''].join('\n');

function renamed(text: string, before: string, after: string): string {
  const renaming = renameVariable(text, { before, after }, t);
  return 'refused' in renaming ? renaming.refused : withEdits(text, renaming.edits);
}

const fString = prompt(
  'input_variables:\n  - question\n  - "tone"',
  '=== system',
  'Be {tone}. The question is {question}, question.',
  '',
  '=== user',
  '{question!r}',
);
const jinja = prompt(
  'template_format: jinja2\ninput_variables: [items, question]',
  '=== user',
  '{% for topic in items %}{{ topic.question }} {{ question | upper }} {{ "question" }}{% endfor %}',
);

describe('A variable of a prompt document', () => {
  it('is renamed in all texts and where it is declared, and nowhere else', () => {
    for (const ending of ['\n', '\r\n']) {
      const text = fString.replaceAll('\n', ending);
      const after = renamed(text, 'question', 'topic');
      assert.equal(
        after,
        text
          .replace('- question', '- topic')
          .replace('{question}', '{topic}')
          .replace('{question!r}', '{topic!r}'),
      );
      assert.equal(renamed(after, 'topic', 'question'), text);
      assert.match(renamed(text, 'tone', 'null'), /- "null"[^]*Be \{null\}\./);
      assert.match(renamed(text, 'question', 'null'), /- "null"[^]*is \{null\}/);
    }
    assert.equal(
      renamed(jinja, 'question', 'asked'),
      jinja.replace(', question]', ', asked]').replace('{{ question', '{{ asked'),
    );
  });

  it('stays as it is where the prompt would ask for something else', () => {
    assert.match(renamed(fString, 'question', 'tone'), /already has a variable "tone"/);
    assert.match(renamed(fString, 'question', 'two words'), /isn't a name/);
    assert.match(renamed(jinja, 'question', '1st'), /isn't a name/);
    // Within the loop that name is another thing.
    assert.match(renamed(jinja, 'question', 'topic'), /would need other variables/);
    const shared = prompt(
      'input_variables: [history]',
      '=== placeholder {"name": "history"}',
      '',
      '=== user',
      '{history}',
    );
    assert.match(renamed(shared, 'history', 'past'), /would need other variables/);
    assert.match(renamed('---\nprompt: [\n---\n', 'a', 'b'), /has errors/);
  });

  it('is found in texts and in the front matter', () => {
    const reading = readText(fString, t);
    const nameAt = (words: string): string | undefined =>
      variableAt(reading, fString.indexOf(words) + words.length)?.name;
    assert.deepEqual(
      [nameAt('{ques'), nameAt('- ques'), nameAt('"to'), nameAt(', ques')],
      ['question', 'question', 'tone', undefined],
    );
  });
});
