import assert from 'node:assert/strict';
import type { Mapping } from '../../../../src/core/mapping.ts';
import { mappings } from '../../../../src/core/mapping.ts';
import { inputOfKwargs } from '../../../../src/service/requests/input-of-kwargs.ts';

const said = (kwargs: Mapping): unknown[] => {
  const template = inputOfKwargs(kwargs) as Mapping;
  const parts = (content: unknown): unknown[] =>
    mappings(content).map(({ text, ...part }) => text ?? part);
  return template['type'] === 'completion'
    ? parts(template['content'])
    : mappings(template['messages']).map(({ role, content }) => [role, ...parts(content)]);
};

describe('What a model was asked, read from the arguments of its call', () => {
  it('is all that stands there, however a client has written it', () => {
    const cases: readonly (readonly [Mapping, unknown])[] = [
      [{ messages: [{ role: 'user', content: 'Hi' }] }, [['user', 'Hi']]],
      [
        { messages: [{ role: 'user', content: ['a', { type: 'text', text: 'b' }] }] },
        [['user', 'a', 'b']],
      ],
      [{ messages: [{ role: 'user', content: { type: 'text', text: 'b' } }] }, [['user', 'b']]],
      [{ messages: [{ role: 'user', content: 5 }] }, [['user', '5']]],
      [{ messages: [{ role: 'user', content: null }] }, [['user']]],
      [{ contents: 'Hi' }, ['Hi']],
      [
        { contents: ['Hi', { role: 'model', parts: [{ text: 'Yes' }] }] },
        [
          ['user', 'Hi'],
          ['assistant', 'Yes'],
        ],
      ],
      [{ contents: [{ parts: [{ text: 'no role' }] }] }, [['user', 'no role']]],
      [{ contents: { parts: [{ text: 'no list' }] } }, [['user', 'no list']]],
      [
        { input: ['a', 'b'] },
        [
          ['user', 'a'],
          ['user', 'b'],
        ],
      ],
      [{ prompt: ['a', 'b'] }, ['a', 'b']],
      [{ prompt: 'a' }, ['a']],
      [
        {
          messages: [
            { role: 'user', content: [{ json: { a: 1 } }, { cachePoint: { type: 'default' } }] },
          ],
        },
        [['user', '{"json":{"a":1}}']],
      ],
      [{ system: ['Be', 'brief'], messages: [] }, [['system', 'Be', 'brief']]],
      [{ messages: [{ name: 'nothing' }, null] }, []],
    ];
    for (const [kwargs, expected] of cases)
      assert.deepEqual(said(kwargs), expected, JSON.stringify(kwargs));
  });
});
