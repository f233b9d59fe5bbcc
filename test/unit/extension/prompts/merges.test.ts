import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Merge } from '../../../../src/extension/prompts/merges.ts';
import {
  mergeIdOf,
  Merges,
  openConflictsOf,
  resultWith,
} from '../../../../src/extension/prompts/merges.ts';

const uri = 'prompt-tables-draft:/a.prompt?1';
const texts = {
  ...{ uri, connectionId: 'c', promptName: 'a', baseVersion: 1, theirVersion: 2 },
  ...{ base: 'one\ntwo\nthree', mine: 'one\nmine\nthree', theirs: 'one\ntheirs\nthree\nfour' },
  document: 'one\nmine\nthree',
};

describe('a merge that is kept', () => {
  let storage: string;
  /** As another window, or this one after a crash, finds it. */
  const found = async (): Promise<Merge> =>
    (await new Merges(storage).of(uri)) ?? assert.fail('the merge is gone');
  beforeEach(() => (storage = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-merges-'))));
  afterEach(() => fs.rmSync(storage, { recursive: true, force: true }));

  it('has all its texts at every moment, until it is removed', async () => {
    const merges = new Merges(storage);
    const id = mergeIdOf(uri);
    const steps: readonly (() => Promise<unknown>)[] = [
      () => merges.begin(texts),
      () => merges.change(id, { result: 'one\nboth\nthree\nfour' }),
      () => merges.change(id, { state: 'complete' }),
      () => merges.change(id, { state: 'applied' }),
    ];
    for (const step of steps) {
      await step();
      const { base, mine, theirs, document } = await found();
      assert.deepEqual(
        { base, mine, theirs, document },
        {
          ...{ base: texts.base, mine: texts.mine, theirs: texts.theirs, document: texts.document },
        },
      );
    }
    assert.equal((await found()).result, 'one\nboth\nthree\nfour');
    await merges.remove(uri);
    assert.equal(await new Merges(storage).of(uri), undefined);
  });

  it('is whole or as before when the window dies in the middle of a write', async () => {
    const merges = new Merges(storage);
    await merges.begin(texts);
    // What a write that was cut off leaves behind.
    const half = path.join(storage, 'merges', `${mergeIdOf(uri)}.json.cut.new`);
    fs.writeFileSync(half, '{"uri":"prompt-tab');
    assert.equal((await found()).mine, texts.mine);
  });

  it('begins with what does not conflict, is open until its conflict is decided, by either side', async () => {
    const merge = await new Merges(storage).begin(texts);
    assert.equal(merge.result, 'one\ntwo\nthree\nfour');
    assert.equal(openConflictsOf(merge).length, 1);
    for (const side of ['mine', 'theirs'] as const) {
      const result = resultWith(merge, side);
      assert.equal(result, `one\n${side}\nthree\nfour`);
      assert.equal(openConflictsOf({ ...merge, result }).length, 0);
    }
  });

  it('never stands still in time, so that an editor sees each change', async () => {
    const merges = new Merges(storage);
    let { savedAt } = await merges.begin(texts);
    for (let at = 0; at < 5; at += 1) {
      const changed = await merges.change(mergeIdOf(uri), { result: String(at) });
      assert.ok(changed !== undefined && changed.savedAt > savedAt);
      ({ savedAt } = changed);
    }
  });

  it('may be read by this user only', async () => {
    await new Merges(storage).begin(texts);
    const [file = ''] = fs.readdirSync(path.join(storage, 'merges'));
    assert.equal(fs.statSync(path.join(storage, 'merges', file)).mode & 0o077, 0);
  });
});
