import assert from 'node:assert/strict';
import type { Template } from '../../../../src/api/template.ts';
import { stringifyJson } from '../../../../src/core/http/json.ts';
import { variablesOf } from '../../../../src/extension/shell/prompt-variables.ts';
import { RememberedVariables, valuesOf } from '../../../../src/extension/ask/run-variables.ts';
import type { RunVariable } from '../../../../src/protocol/run.ts';
import type { Memory } from '../../../../src/extension/ask/run-variables.ts';
import { t } from '../words.ts';

const template = (prompt: object): Template => ({
  id: 1,
  prompt_name: 'p',
  prompt_template: { type: 'chat', ...prompt },
});

function memory(): Memory {
  const kept = new Map<string, unknown>();
  return {
    get: (key) => kept.get(key),
    update(key, value) {
      kept.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
}

describe('run panel: variables', () => {
  it('are those of all messages, each once, in their order', () => {
    const found = variablesOf(
      template({
        messages: [
          { role: 'system', input_variables: ['tone'] },
          { role: 'placeholder', name: 'history', content: null },
          { role: 'user', input_variables: ['question', 'tone'] },
        ],
        tools: [{ type: 'variable', name: 'tools' }],
        input_variables: ['question', 'tone', 'extra'],
      }),
    );
    assert.deepEqual(
      found.map(({ name, kind }) => `${name} ${kind}`),
      ['tone text', 'history json', 'question text', 'tools json', 'extra text'],
    );
  });

  it('are lists and media where the prompt takes these', () => {
    const found = variablesOf({
      prompt_template: {
        type: 'chat',
        messages: [
          {
            role: 'user',
            input_variables: ['photo', 'question'],
            content: [
              { type: 'media_variable', name: 'photo' },
              { type: 'text', text: '{question}' },
              { type: 'image_url', image_url: { url: 'https://a.b/c' }, image_variable: 'logo' },
            ],
          },
        ],
        input_variables: ['photo', 'question', 'logo', 'moods'],
      },
      metadata: {
        model: {
          parameters: { response_format: { enum: { type: 'enum_variable', name: 'moods' } } },
        },
      },
    });
    assert.deepEqual(
      found.map(({ name, kind, as }) => [name, kind, as]),
      [
        ['photo', 'text', 'media'],
        ['question', 'text', undefined],
        ['logo', 'text', 'media'],
        ['moods', 'text', 'list'],
      ],
    );
    const text = ' https://a.b/1.png \n\nhttps://a.b/2.png\n';
    const values = found.map((variable) => ({
      ...variable,
      text: variable.name === 'logo' ? '' : text,
    }));
    const lines = ['https://a.b/1.png', 'https://a.b/2.png'];
    // An image that is not given stays the one of the prompt.
    assert.deepEqual(valuesOf(values, t), { photo: lines, question: text, moods: lines });
  });

  it('are given as text or as the value of their JSON, digit by digit', () => {
    const values = valuesOf(
      [
        { name: 'a', kind: 'text', text: '[1]' },
        { name: 'b', kind: 'json', text: '[9007199254740993]' },
      ],
      t,
    );
    assert.equal(values['a'], '[1]');
    assert.equal(stringifyJson(values['b']), '[9007199254740993]');
  });

  it('say which one is not JSON', () => {
    assert.throws(
      () => valuesOf([{ name: 'list', kind: 'json', text: '[1,' }], t),
      /list is not JSON/,
    );
  });

  it('are remembered for their prompt and no other', async () => {
    const remembered = new RememberedVariables(memory(), 'prompt');
    const address = { connectionId: 'c', name: 'p' };
    const typed = [{ name: 'a', kind: 'text', text: 'typed' }] as const;
    await remembered.keep(address, typed);
    const blank = [
      { name: 'a', kind: 'text', text: '' },
      { name: 'new', kind: 'text', text: '' },
    ] as const;
    assert.deepEqual(remembered.fill(address, blank), [typed[0], blank[1]]);
    assert.deepEqual(remembered.fill({ ...address, connectionId: 'd' }, blank), blank);
  });

  it('are remembered however long they are, also by a window that opens later', async () => {
    const state = memory();
    const files = new Map<string, readonly RunVariable[]>();
    const store = {
      read: async (id: string) => files.get(id),
      write: async (id: string, variables: readonly RunVariable[]) => void files.set(id, variables),
      remove: async (id: string) => void files.delete(id),
    };
    const open = () => new RememberedVariables(state, 'prompt', store);
    const address = { connectionId: 'c', name: 'p' };
    const blank = [
      { name: 'short', kind: 'text', text: '' },
      { name: 'long', kind: 'text', text: '' },
    ] as const;
    const typed = [
      { name: 'short', kind: 'text', text: 'a' },
      { name: 'long', kind: 'text', text: 'word '.repeat(100_000) },
    ] as const;
    await open().keep(address, typed);
    assert.ok(JSON.stringify(state.get('promptTables.promptVariables')).length < 1000);
    // It may keep what comes before it has read what there is.
    await open().keep({ ...address, name: 'q' }, typed);
    await open().keep({ ...address, name: 'q' }, [typed[0]]);
    assert.equal(files.size, 1);
    const later = open();
    await later.read(address);
    assert.deepEqual(later.fill(address, blank), typed);
    // What is short again is no longer in the file.
    const shorter = [typed[0], { ...typed[1], text: 'b' }];
    await later.keep(address, shorter);
    assert.equal(files.size, 0);
    const last = open();
    await last.read(address);
    assert.deepEqual(last.fill(address, blank), shorter);
  });

  it('are forgotten for the prompts that were used longest ago', async () => {
    const remembered = new RememberedVariables(memory(), 'prompt');
    const blank = [{ name: 'a', kind: 'text', text: '' }] as const;
    for (let at = 0; at < 101; at += 1) {
      const address = { connectionId: 'c', name: `p${at}` };
      await remembered.keep(address, [{ name: 'a', kind: 'text', text: `${at}` }]);
    }
    const text = (name: string): string | undefined =>
      remembered.fill({ connectionId: 'c', name }, blank)[0]?.text;
    assert.equal(text('p0'), '');
    assert.equal(text('p1'), '1');
  });
});
