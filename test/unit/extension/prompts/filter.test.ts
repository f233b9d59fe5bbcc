import assert from 'node:assert/strict';
import { promptFilter } from '../../../../src/extension/prompts/filter.ts';

describe('What prompts are looked for by', () => {
  it('is a part of the name, and tags', () => {
    assert.deepEqual(promptFilter(undefined), {});
    assert.deepEqual(promptFilter(' support/answer '), { name: 'support/answer' });
    assert.deepEqual(promptFilter('#nightly'), { tags: ['nightly'] });
    assert.deepEqual(promptFilter('two  words #a #b-2'), { name: 'two words', tags: ['a', 'b-2'] });
    // A sign alone, and one within a name, are of the name.
    assert.deepEqual(promptFilter('# c#'), { name: '# c#' });
  });
});
