import assert from 'node:assert/strict';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import type { Mapping } from '../../../../src/core/mapping.ts';
import { mappings } from '../../../../src/core/mapping.ts';
import { Prices } from '../../../../src/service/requests/prices.ts';
import { modelCallOf } from '../../../../src/service/traces/gen-ai.ts';
import { messagesOfSpan } from '../../../../src/service/traces/gen-ai-messages.ts';
import { readSpans } from '../../../../src/service/traces/otlp-spans.ts';

const span = (attributes: readonly object[]): { [name: string]: unknown } => ({
  ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 's' },
  ...{ startTimeUnixNano: '1', endTimeUnixNano: '2', attributes },
});

const read = async (values: readonly unknown[]): Promise<unknown[]> => {
  const attributes = values.map((value, at) => ({ key: String(at), value }));
  const { spans, rejected } = await readSpans({
    resourceSpans: [{ scopeSpans: [{ spans: [span(attributes)] }] }],
  });
  assert.deepEqual(rejected, []);
  return Object.values(spans[0]?.attributes ?? {});
};

describe('Attributes of spans', () => {
  it('are kept, whatever their form: none becomes nothing', async () => {
    const cases: readonly (readonly [unknown, unknown])[] = [
      [{ stringValue: 'x' }, 'x'],
      [{ stringValue: '' }, ''],
      [{ intValue: '7' }, 7],
      [{ intValue: 7 }, 7],
      [{ intValue: '9007199254740993' }, new ExactNumber('9007199254740993')],
      [{ intValue: '1e3' }, '1e3'],
      [{ intValue: '0x10' }, '0x10'],
      [{ intValue: '123456789012345678901234567890' }, '123456789012345678901234567890'],
      [{ intValue: 1.5 }, 1.5],
      [{ boolValue: false }, false],
      [{ boolValue: 'true' }, 'true'],
      [{ doubleValue: 0 }, 0],
      [{ doubleValue: 'NaN' }, 'NaN'],
      [{ doubleValue: '-Infinity' }, '-Infinity'],
      [{ bytesValue: 'AAE=' }, 'AAE='],
      [{ arrayValue: { values: [{ intValue: '1' }, {}, { stringValue: 'b' }] } }, [1, null, 'b']],
      [{ arrayValue: {} }, []],
      [{ kvlistValue: { values: [{ key: 'a', value: { intValue: '1' } }] } }, { a: 1 }],
      [{}, null],
      [null, null],
      [{ stringValue: null }, null],
      ['as it is', 'as it is'],
      [5, 5],
      [false, false],
      [
        ['a', 1],
        ['a', 1],
      ],
      [{ string_value: 'snake' }, { string_value: 'snake' }],
      [{ tomorrow: { x: 1 } }, { tomorrow: { x: 1 } }],
    ];
    assert.deepEqual(
      await read(cases.map(([sent]) => sent)),
      cases.map(([, kept]) => kept),
    );
  });

  it('tell tokens as numbers, whole or not, and as text', async () => {
    const counted = async (sent: unknown): Promise<unknown> => {
      const call = await modelCallOf(new Prices(), {
        ...{ traceId: 't', spanId: 's', parentId: null, name: 's', kind: 'CLIENT' },
        ...{ traceState: '', startedAt: { ms: 1, nanos: 0 }, endedAt: { ms: 2, nanos: 0 } },
        ...{ status: 'OK', statusMessage: null, events: [], links: [], resource: {} },
        attributes: { 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': sent },
      });
      return call?.usage.inputTokens;
    };
    for (const [sent, tokens] of [
      [12, 12],
      ['12', 12],
      [' 12 ', 12],
      [12.4, 12],
      [0, 0],
      ['0', 0],
      [-1, null],
      ['many', null],
      [Number.NaN, null],
      [new ExactNumber('9007199254740993'), Number.MAX_SAFE_INTEGER],
    ] as const) {
      assert.equal(await counted(sent), tokens, String(sent));
    }
  });
});

describe('Messages of spans', () => {
  const said = (attributes: Mapping, events: readonly Mapping[] = []): unknown[] => {
    const { input, output } = messagesOfSpan({
      ...{ traceId: 't', spanId: 's', parentId: null, name: 's', kind: 'CLIENT' },
      ...{ traceState: '', startedAt: { ms: 1, nanos: 0 }, endedAt: { ms: 2, nanos: 0 } },
      ...{ status: 'OK', statusMessage: null, attributes, events, links: [], resource: {} },
    });
    return [input, output].map((template) =>
      mappings((template as Mapping)['messages']).map(({ role, content, tool_calls: calls }) => [
        role,
        ...mappings(content).map((part) => part['text'] ?? part),
        ...mappings(calls).map((call) => call['function']),
      ]),
    );
  };

  /** Texts that are JSON, or begin like it. */
  const texts = [
    '{"answer": 42}',
    '[1,2,3]',
    '[{"a":1}]',
    '[]',
    '{}',
    '["a"]',
    '{"content":"x"}',
  ].concat(...['{"type":"object"}', '[true', '"quoted"', 'null', '7', 'plain']);

  it('are the texts that were written, in every form of the conventions, also where they are JSON', () => {
    for (const text of texts) {
      const both = [[['user', text]], [['assistant', text]]];
      const message = (role: string, more: object): object => ({ role, ...more });
      const forms: Readonly<Record<string, readonly [Mapping, (readonly Mapping[])?]>> = {
        spread: [
          {
            'gen_ai.prompt.0.role': 'user',
            'gen_ai.prompt.0.content': text,
            'gen_ai.completion.0.content': text,
          },
        ],
        parts: [
          {
            'gen_ai.input.messages': JSON.stringify([
              message('user', { parts: [{ type: 'text', content: text }] }),
            ]),
            'gen_ai.output.messages': JSON.stringify([
              message('assistant', { parts: [{ type: 'text', content: text }] }),
            ]),
          },
        ],
        content: [
          {
            'gen_ai.input.messages': [message('user', { content: text })],
            'gen_ai.output.messages': JSON.stringify([message('assistant', { content: text })]),
          },
        ],
        alone: [{ 'gen_ai.prompt': text, 'gen_ai.completion': text }],
        events: [
          {},
          [
            { name: 'gen_ai.user.message', attributes: { content: text } },
            {
              name: 'gen_ai.choice',
              attributes: { index: 0, message: JSON.stringify({ content: text }) },
            },
          ],
        ],
      };
      for (const [form, [attributes, events]] of Object.entries(forms))
        assert.deepEqual(said(attributes, events), both, `${form}: ${text}`);
    }
  });

  it('keep what is no text, and what stands in a list by itself', () => {
    const cases: readonly (readonly [Mapping, unknown, unknown])[] = [
      [{ 'gen_ai.completion.0.content': 7 }, [], [['assistant', '7']]],
      [
        { 'gen_ai.input.messages': '["a","b"]' },
        [
          ['user', 'a'],
          ['user', 'b'],
        ],
        [],
      ],
      [
        {
          'gen_ai.output.messages':
            '[{"role":"assistant","parts":["yes",{"type":"text","content":5}]}]',
        },
        [],
        [['assistant', 'yes', '5']],
      ],
      [
        { 'gen_ai.system_instructions': '["Be","brief"]', 'gen_ai.prompt.0.content': 'x' },
        [
          ['system', 'Be', 'brief'],
          ['user', 'x'],
        ],
        [],
      ],
      [
        { 'gen_ai.completion.0.content': '[{"type":"text","text":"Hi"}]' },
        [],
        [['assistant', 'Hi']],
      ],
      [
        {
          'gen_ai.output.messages': JSON.stringify([
            { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] },
          ]),
        },
        [],
        [['assistant', { name: 'f', arguments: '{"a":1}' }]],
      ],
    ];
    for (const [attributes, input, output] of cases)
      assert.deepEqual(said(attributes), [input, output], JSON.stringify(attributes));
  });
});
