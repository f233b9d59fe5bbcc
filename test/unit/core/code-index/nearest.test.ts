import assert from 'node:assert/strict';
import { CallIndex } from '../../../../src/core/code-index/call-index.ts';
import { mayBeMeant, nearestNames } from '../../../../src/core/code-index/nearest.ts';
import { writtenBetween } from '../../../../src/core/code-index/literals.ts';
import { callsIn } from '../../../../src/core/code-index/scan.ts';

describe('The index of calls', () => {
  it('offers the names that are meant by a misspelt one, nearest first', () => {
    const names = ['support/answer', 'support/answers', 'summarize', 'greet', 'Greeting'];
    assert.deepEqual(nearestNames('suport/answer', names), ['support/answer', 'support/answers']);
    assert.deepEqual(nearestNames('answer', names), ['support/answer']);
    assert.deepEqual(nearestNames('GREET', names), ['greet']);
    assert.deepEqual(nearestNames('gerte', names), []);
    assert.deepEqual(nearestNames('gret', names), ['greet']);
    assert.deepEqual(nearestNames('something else', names), []);
  });

  it('finds names by signs of them in their order', () => {
    const meant = ['', 'sa', 'S A', 'support/answer', 'ptanr', '援助'];
    assert.deepEqual(
      meant.map((query) => mayBeMeant(query, 'support/Answer 援x助')),
      meant.map(() => true),
    );
    for (const query of ['as/', 'xx', 'answers', '助援'])
      assert.ok(!mayBeMeant(query, 'Support/answer 援助'));
  });

  it('writes any name into any kind of quotes so that it is read again as it was', () => {
    const names = [`it's "it"`, 'a\\b', 'a`${b}', "'; import x", 'line\nend', '支持'];
    for (const name of names) {
      for (const quote of ["'", '"', '`']) {
        const text = `client.run({ promptName: ${quote}${writtenBetween(quote, name)}${quote} })`;
        assert.deepEqual(
          callsIn(text, 'script').map((call) => call.name.value),
          [name],
          text,
        );
      }
      for (const quote of ["'", '"', '"""']) {
        const text = `client.run(prompt_name=${quote}${writtenBetween(quote, name)}${quote})`;
        assert.deepEqual(
          callsIn(text, 'python').map((call) => call.name.value),
          [name],
          text,
        );
      }
    }
  });

  it('follows files that change and go, and keeps prompts and workflows apart', () => {
    const index = new CallIndex();
    const put = (file: string, text: string): void =>
      index.put(file, callsIn(text, 'script'), text);
    const uses = (name: string): readonly string[] =>
      index.uses('prompt', name).map(({ file, kind }) => `${file} ${kind}`);
    put('b.ts', `c.run({ promptName: 'a' }); c.run({ promptName: 'x' });`);
    put('a.ts', `c.runWorkflow({ workflowName: 'a' }); c.logRequest({ promptName: 'a' });`);
    assert.deepEqual(uses('a'), ['a.ts log', 'b.ts run']);
    assert.equal(index.uses('workflow', 'a').length, 1);
    assert.deepEqual(
      [...index].map(({ file, name }) => `${file} ${name}`),
      [...['a.ts a', 'a.ts a', 'b.ts a', 'b.ts x']],
    );
    put('b.ts', `c.run({ promptName: 'x' });`);
    assert.deepEqual(uses('a'), ['a.ts log']);
    index.remove('a.ts');
    assert.deepEqual(uses('a'), []);
    put('b.ts', '');
    assert.equal(index.fileCount, 0);
  });

  it('knows the lines and the labels, whatever ends a line', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const index = new CallIndex();
      const code = `/* 支持 */${end}${end}  c.run({ promptName: 'a', promptReleaseLabel: 'prod' })${end}c.run({ promptName: 'a', promptReleaseLabel: b })`;
      index.put('a.ts', callsIn(code, 'script'), code);
      assert.deepEqual(
        index.uses('prompt', 'a').map(({ label, range }) => [label, range.start, range.end]),
        [
          ['prod', { line: 2, character: 22 }, { line: 2, character: 25 }],
          [undefined, { line: 3, character: 20 }, { line: 3, character: 23 }],
        ],
      );
    }
  });
});
