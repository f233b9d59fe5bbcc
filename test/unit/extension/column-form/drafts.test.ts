import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { draftOf, keepDraft } from '../../../../src/extension/column-form/drafts.ts';
import type { ColumnFormTarget } from '../../../../src/protocol/column-form.ts';

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

const target = (sheetId: string, columnId: string | null = null): ColumnFormTarget => ({
  ...{ formId: Math.random().toString(), connectionId: 'c', tableId: 't', sheetId, columnId },
  place: null,
});
const entered = (title: string) => ({ title, type: 'COUNT', values: { source: 'Answer' } });

describe('drafts of columns', () => {
  it('are of one column, or of a new one of a sheet, whatever form they were typed into', async () => {
    const own = memory();
    await keepDraft(own, target('one'), entered('a'));
    await keepDraft(own, target('one', 'column'), entered('b'));
    assert.equal(draftOf(own, target('one'))?.title, 'a');
    assert.equal(draftOf(own, target('one', 'column'))?.title, 'b');
    assert.equal(draftOf(own, target('two')), undefined);
    await keepDraft(own, target('one'), entered('c'));
    assert.equal(draftOf(own, target('one'))?.title, 'c');
    await keepDraft(own, target('one'), null);
    assert.equal(draftOf(own, target('one')), undefined);
    assert.equal(draftOf(own, target('one', 'column'))?.title, 'b');
  });

  it('are the last twenty, and none where something else was stored', async () => {
    const own = memory({ of: 'another version' });
    assert.equal(draftOf(own, target('0')), undefined);
    for (let at = 0; at <= 20; at += 1) await keepDraft(own, target(String(at)), entered('x'));
    assert.equal(draftOf(own, target('0')), undefined);
    assert.notEqual(draftOf(own, target('1')), undefined);
  });
});
