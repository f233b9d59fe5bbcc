import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { HandedKeys } from '../../../../src/service/models/window-keys.ts';
import { WindowKeys } from '../../../../src/service/models/window-keys.ts';

describe('Keys that windows hand over', () => {
  it('come from one window for each provider: no key goes to the address of another', async () => {
    const keys = new WindowKeys();
    keys.add({ OPENAI_BASE_URL: 'http://of-the-first', ANTHROPIC_API_KEY: 'first' });
    assert.equal(await keys.lookUp('OPENAI_BASE_URL'), 'http://of-the-first');
    const release = keys.add({ OPENAI_API_KEY: 'second' });
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
    keys.add({});
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

  it('are waited for until the first window is there, and outlive a reload of it', async () => {
    const told: HandedKeys[] = [];
    const keys = new WindowKeys({ lingerMs: 300, onChange: (each) => void told.push(each) });
    const asked = keys.lookUp('OPENAI_API_KEY');
    const release = keys.add({ OPENAI_API_KEY: 'k' });
    assert.equal(await asked, 'k');
    release();
    assert.equal(await keys.lookUp('OPENAI_API_KEY'), 'k');
    const again = keys.add({ OPENAI_API_KEY: 'k' });
    await pause(400);
    assert.equal(await keys.lookUp('OPENAI_API_KEY'), 'k', 'Equal sets are two.');
    again();
    await pause(400);
    assert.equal(await keys.lookUp('OPENAI_API_KEY'), undefined);
    assert.deepEqual(told.at(-1), { sets: [], isSettled: true });
  });
});
