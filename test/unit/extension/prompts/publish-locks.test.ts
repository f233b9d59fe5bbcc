import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PublishLocks } from '../../../../src/extension/prompts/publish-locks.ts';

const prompt = { connectionId: 'c', promptName: 'support/answer', choice: undefined };

describe('windows that publish one prompt', () => {
  let storage: string;
  const locks = (patienceMs?: number) =>
    new PublishLocks(storage, (name) => new Error(`${name} is busy`), patienceMs);
  beforeEach(() => (storage = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-locks-'))));
  afterEach(() => fs.rmSync(storage, { recursive: true, force: true }));

  it('do so one after the other', async () => {
    let inside = 0;
    let most = 0;
    const publish = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside -= 1;
    };
    await Promise.all([1, 2, 3, 4].map(() => locks().with(prompt, publish)));
    assert.equal(most, 1);
    assert.deepEqual(fs.readdirSync(path.join(storage, 'publishing')), []);
  });

  it('let go when they fail, and do not wait for one that has crashed', async () => {
    await assert.rejects(
      locks().with(prompt, () => Promise.reject(new Error('refused'))),
      /refused/,
    );
    assert.equal(await locks().with(prompt, () => Promise.resolve(1)), 1);
    await locks().with(prompt, () => {
      // The window is gone, and its file is still there.
      const [file = ''] = fs.readdirSync(path.join(storage, 'publishing'));
      const { pid } = spawnSync(process.execPath, ['-e', '']);
      fs.writeFileSync(path.join(storage, 'publishing', file), String(pid));
      return locks(5000).with(prompt, () => Promise.resolve());
    });
  });

  it('are refused when another one does not come to an end', async () => {
    await locks().with(prompt, () =>
      assert.rejects(
        locks(300).with(prompt, () => Promise.resolve()),
        /support\/answer is busy/,
      ),
    );
  });
});
