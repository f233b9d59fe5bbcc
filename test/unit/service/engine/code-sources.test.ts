import assert from 'node:assert/strict';
import { codeSources } from '../../../../src/service/engine/code-sources.ts';

describe('Columns that code reads', () => {
  it('are named by members, keys and patterns', () => {
    const code = `data.one + data ?. [ "two" ] + data['three']; const { four, "five": x } = data;`;
    assert.deepEqual(codeSources(code), {
      names: new Set(['two', 'three', 'one', 'four', 'five']),
      isOpen: false,
    });
    assert.equal(codeSources('read(data)').isOpen, true);
  });

  it('are found in time that grows with the code', () => {
    for (const code of [
      `data${' '.repeat(500_000)}`,
      'data[ '.repeat(100_000),
      '{'.repeat(500_000),
    ])
      codeSources(code);
  });
});
