import assert from 'node:assert/strict';
import type { CodeLanguage } from '../../../src/core/code-index/languages.ts';
import { callsIn } from '../../../src/core/code-index/scan.ts';
import { isImported, renameEdits, renameTargetAt } from '../../../src/extension/code/rename-of.ts';

/** The code with the name under the cursor (|) changed everywhere; undefined: nothing is there. */
function renamed(
  marked: string,
  value: string,
  language: CodeLanguage = 'script',
): string | undefined {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const calls = callsIn(text, language);
  const target = renameTargetAt(calls, offset);
  if (target === undefined) return undefined;
  const fits = ({ version }: (typeof calls)[number]): boolean => version === undefined;
  const edits = renameEdits(calls, { text, language }, target, value, fits);
  return edits.reduceRight(
    (code, edit) => code.slice(0, edit.span.from) + edit.text + code.slice(edit.span.to),
    text,
  );
}

describe('Renaming in code', () => {
  it('changes the name of a prompt in every way of writing it, and nothing else', () => {
    const code = [
      "const NAME = 'a';",
      "c.run({ promptName: '|a' }); c.run({ promptName: NAME }); c.logRequest({ promptName: `a` });",
      "c.run({ promptName: 'b' }); c.runWorkflow({ workflowName: 'a' }); log('a');",
    ];
    assert.equal(
      renamed(code.join('\n'), "it's"),
      [
        "const NAME = 'it\\'s';",
        "c.run({ promptName: 'it\\'s' }); c.run({ promptName: NAME }); c.logRequest({ promptName: `it's` });",
        "c.run({ promptName: 'b' }); c.runWorkflow({ workflowName: 'a' }); log('a');",
      ].join('\n'),
    );
    assert.equal(
      renamed(
        'N = "a"\nc.run(prompt_name=r"a")\nc.run(prompt_name="" "a")\nc.run(prompt_name=N)\nc.run(prompt_name="""a|""")',
        'b"c',
        'python',
      ),
      'N = "b\\"c"\nc.run(prompt_name="b\\"c")\nc.run(prompt_name="b\\"c")\nc.run(prompt_name=N)\nc.run(prompt_name="""b\\"c""")',
    );
    const declared = "const N = 'a|';\nc.run({ promptName: N });";
    assert.equal(renamed(declared, 'b'), "const N = 'b';\nc.run({ promptName: N });");
  });

  it('changes a label of the same prompt, and no constant that others use', () => {
    const call = (name: string, label: string): string =>
      `c.run({ promptName: '${name}', promptReleaseLabel: ${label} });`;
    assert.equal(
      renamed([call('a', "'|prod'"), call('b', "'prod'"), call('a', "'dev'")].join('\n'), 'live'),
      [call('a', "'live'"), call('b', "'prod'"), call('a', "'dev'")].join('\n'),
    );
    const shared = ["const L = 'prod';", call('a', 'L'), call('b', 'L'), call('a', "'prod'")];
    assert.equal(
      renamed(shared.join('\n').replace("'prod' }", "'|prod' }"), 'live'),
      [...shared.slice(0, 3), call('a', "'live'")].join('\n'),
    );
    const both = "const N = 'a';\nc.run({ promptName: N, promptReleaseLabel: N });";
    assert.equal(
      renamed(`${both}\nc.run({ promptName: '|a' });`, 'b'),
      `${both}\nc.run({ promptName: 'b' });`,
    );
  });

  it('changes a variable where the version knows its new name, and keeps its value', () => {
    const call = (variables: string, rest = ''): string =>
      `c.run({ promptName: 'a', inputVariables: { ${variables} }${rest} });`;
    assert.equal(
      renamed(
        [
          call('|text: 1'),
          call('text'),
          call("'text': 2"),
          call('text: 3', ', promptVersion: 2'),
          call('text: 4, long_text: 5'),
        ].join('\n'),
        'long_text',
      ),
      [
        call('long_text: 1'),
        call('long_text: text'),
        call("'long_text': 2"),
        call('text: 3', ', promptVersion: 2'),
        call('text: 4, long_text: 5'),
      ].join('\n'),
    );
    assert.equal(
      renamed('c.run(prompt_name="a", input_variables={"|text": text})', 'a "b"', 'python'),
      'c.run(prompt_name="a", input_variables={"a \\"b\\"": text})',
    );
  });

  it('knows which calls take the name from another file', () => {
    const text = "import { N } from './n';\nc.run({ promptName: 'a' }); c.run({ promptName: N });";
    const calls = callsIn(text, 'script', { textOf: () => 'a' });
    const target = renameTargetAt(calls, text.indexOf("'a'") + 1) ?? assert.fail();
    assert.deepEqual(
      calls.map((call) => isImported(target, call)),
      [false, true],
    );
    const edits = renameEdits(calls, { text, language: 'script' }, target, 'b', () => true);
    assert.deepEqual(
      edits.map((edit) => edit.text),
      ['b'],
    );
  });

  it('leaves to the language what belongs to it', () => {
    for (const code of [
      "const N = 'a';\nc.run({ promptName: N| });",
      "c.run({ promptName: 'a', inputVariables: { te|xt } });",
      "c.run({ prompt|Name: 'a' });",
      "c.ru|n({ promptName: 'a' });",
      "c.run({ promptName: '|' });",
      "log('a|');",
    ]) {
      assert.equal(renamed(code, 'b'), undefined, code);
    }
  });
});
