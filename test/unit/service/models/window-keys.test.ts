import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { HandedKeys, Variables } from '../../../../src/service/models/window-keys.ts';
import { WindowKeys } from '../../../../src/service/models/window-keys.ts';

const add = (keys: WindowKeys, variables: Variables, restricted: Variables = {}): (() => void) =>
  keys.add({ variables, restricted });

describe('Keys that windows hand over', () => {
  it('come from one window for each provider: no key goes to the address of another', async () => {
    const keys = new WindowKeys();
    add(keys, { OPENAI_BASE_URL: 'http://of-the-first', ANTHROPIC_API_KEY: 'first' });
    assert.equal(await keys.lookUp('OPENAI_BASE_URL'), 'http://of-the-first');
    const release = add(keys, { OPENAI_API_KEY: 'second' });
    assert.equal(await keys.lookUp('OPENAI_API_KEY'), 'second');
    assert.equal(await keys.lookUp('OPENAI_BASE_URL'), undefined);
    assert.equal(await keys.lookUp('ANTHROPIC_API_KEY'), 'first', 'of another provider');
    release();
    await pause(5);
    assert.equal(await keys.lookUp('OPENAI_API_KEY'), undefined);
    assert.equal(await keys.lookUp('OPENAI_BASE_URL'), 'http://of-the-first');
  });

  it('are never those of the environment, which says the rest', async () => {
    const keys = new WindowKeys();
    add(keys, {});
    process.env['GROQ_API_KEY'] = 'of the environment';
    process.env['PROMPT_TABLES_MODEL'] = 'groq/a';
    try {
      assert.equal(await keys.lookUp('GROQ_API_KEY'), undefined);
      assert.equal(await keys.lookUp('PROMPT_TABLES_MODEL'), 'groq/a');
    } finally {
      delete process.env['GROQ_API_KEY'];
      delete process.env['PROMPT_TABLES_MODEL'];
    }
  });

  it('of an environment are not for what a window in Restricted Mode has begun', async () => {
    const keys = new WindowKeys();
    const ofEnvironment = {
      OPENAI_API_KEY: 'env',
      OPENAI_BASE_URL: 'http://env',
      GROQ_API_KEY: 'g',
    };
    add(keys, ofEnvironment, { GROQ_API_KEY: 'g' });
    assert.equal(await keys.lookUp('OPENAI_API_KEY'), 'env');
    assert.equal(await keys.restrictedLookUp('OPENAI_API_KEY'), undefined);
    assert.equal(await keys.restrictedLookUp('GROQ_API_KEY'), 'g');
    add(keys, { OPENAI_API_KEY: 'kept' }, { OPENAI_API_KEY: 'kept' });
    assert.equal(await keys.restrictedLookUp('OPENAI_API_KEY'), 'kept');
    assert.equal(await keys.restrictedLookUp('OPENAI_BASE_URL'), undefined);
  });

  it('are waited for until the first window is there, and outlive a reload of it', async () => {
    const reported: HandedKeys[] = [];
    const keys = new WindowKeys({ lingerMs: 300, onChange: (each) => void reported.push(each) });
    const asked = keys.lookUp('OPENAI_API_KEY');
    const release = add(keys, { OPENAI_API_KEY: 'k' });
    assert.equal(await asked, 'k');
    release();
    assert.equal(await keys.lookUp('OPENAI_API_KEY'), 'k');
    const again = add(keys, { OPENAI_API_KEY: 'k' });
    await pause(400);
    assert.equal(await keys.lookUp('OPENAI_API_KEY'), 'k', 'Equal sets are two.');
    again();
    await pause(400);
    assert.equal(await keys.lookUp('OPENAI_API_KEY'), undefined);
    assert.deepEqual(reported.at(-1), { sets: [], isSettled: true });
  });
});
