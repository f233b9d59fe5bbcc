import assert from 'node:assert/strict';
import { CallIndex } from '../../../../src/core/code-index/call-index.ts';
import { nearestNames } from '../../../../src/core/code-index/nearest.ts';
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
    const put = (file: string, text: string): void => index.put(file, callsIn(text, 'script'));
    const uses = (name: string): readonly string[] =>
      index.uses('prompt', name).map(({ file, kind }) => `${file} ${kind}`);
    put('b.ts', `c.run({ promptName: 'a' }); c.run({ promptName: 'x' });`);
    put('a.ts', `c.runWorkflow({ workflowName: 'a' }); c.logRequest({ promptName: 'a' });`);
    assert.deepEqual(uses('a'), ['a.ts log', 'b.ts run']);
    assert.equal(index.uses('workflow', 'a').length, 1);
    put('b.ts', `c.run({ promptName: 'x' });`);
    assert.deepEqual(uses('a'), ['a.ts log']);
    index.remove('a.ts');
    assert.deepEqual(uses('a'), []);
    put('b.ts', '');
    assert.equal(index.fileCount, 0);
  });
});
