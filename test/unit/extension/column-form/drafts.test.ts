import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { columnDrafts } from '../../../../src/extension/column-form/drafts.ts';

function memory(start?: unknown): Memento {
  let kept = start;
  return {
    keys: () => [],
    get: () => kept as never,
    update: (_, value) => {
      kept = value;
      return Promise.resolve();
    },
  };
}

const about = (sheetId: string, columnId: string | null = null) => ['c', 't', sheetId, columnId];
const entered = (title: string) => ({ title, type: 'COUNT', values: { source: 'Answer' } });

describe('drafts of columns', () => {
  it('are of one column, or of a new one of a sheet, whatever form they were typed into', async () => {
    const own = columnDrafts(memory());
    await own.keep(about('one'), entered('a'));
    await own.keep(about('one', 'column'), entered('b'));
    assert.equal(own.find(about('one'))?.title, 'a');
    assert.equal(own.find(about('one', 'column'))?.title, 'b');
    assert.equal(own.find(about('two')), undefined);
    await own.keep(about('one'), entered('c'));
    assert.equal(own.find(about('one'))?.title, 'c');
    await own.keep(about('one'), null);
    assert.equal(own.find(about('one')), undefined);
    assert.equal(own.find(about('one', 'column'))?.title, 'b');
  });

  it('are the last twenty, and none where something else was stored', async () => {
    const own = columnDrafts(memory({ of: 'another version' }));
    assert.equal(own.find(about('0')), undefined);
    for (let at = 0; at <= 20; at += 1) await own.keep(about(String(at)), entered('x'));
    assert.equal(own.find(about('0')), undefined);
    assert.notEqual(own.find(about('1')), undefined);
  });
});
