/** Streams of Converse as Bedrock sends them, and the answers that they come to. */

interface Recorded {
  readonly events: readonly (readonly [type: string, payload: object])[];
  readonly whole: object;
}

const usage = { inputTokens: 12, outputTokens: 30, totalTokens: 42 };
const metadata = ['metadata', { usage, metrics: { latencyMs: 700 }, p: 'abcdef' }] as const;
const start = ['messageStart', { role: 'assistant', p: 'abc' }] as const;
const delta = (contentBlockIndex: number, fields: object) =>
  ['contentBlockDelta', { contentBlockIndex, delta: fields, p: 'abcdefghijkl' }] as const;
const begin = (contentBlockIndex: number, fields: object) =>
  ['contentBlockStart', { contentBlockIndex, start: fields, p: 'ab' }] as const;
const stop = (contentBlockIndex: number) =>
  ['contentBlockStop', { contentBlockIndex, p: 'a' }] as const;
const end = (stopReason: string) => ['messageStop', { stopReason, p: 'abcd' }] as const;
const whole = (content: readonly object[], stopReason: string): object => ({
  output: { message: { role: 'assistant', content } },
  stopReason,
  usage,
  metrics: { latencyMs: 700 },
});

export const text: Recorded = {
  events: [
    start,
    delta(0, { text: 'Grüß' }),
    delta(0, { text: ' dich 🌍' }),
    stop(0),
    end('end_turn'),
    metadata,
  ],
  whole: whole([{ text: 'Grüß dich 🌍' }], 'end_turn'),
};

export const reasoningAndTools: Recorded = {
  events: [
    start,
    delta(0, { reasoningContent: { text: 'The place ' } }),
    delta(0, { reasoningContent: { text: 'matters.' } }),
    delta(0, { reasoningContent: { signature: 'EqQBCgIYAhIM' } }),
    stop(0),
    delta(1, { text: 'I look.' }),
    stop(1),
    begin(2, { toolUse: { toolUseId: 'tooluse_1', name: 'weather' } }),
    begin(3, { toolUse: { toolUseId: 'tooluse_2', name: 'now' } }),
    delta(2, { toolUse: { input: '' } }),
    delta(2, { toolUse: { input: '{"place":' } }),
    delta(2, { toolUse: { input: ' "Köln"}' } }),
    stop(2),
    stop(3),
    end('tool_use'),
    metadata,
  ],
  whole: whole(
    [
      {
        reasoningContent: {
          reasoningText: { text: 'The place matters.', signature: 'EqQBCgIYAhIM' },
        },
      },
      { text: 'I look.' },
      { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { place: 'Köln' } } },
      { toolUse: { toolUseId: 'tooluse_2', name: 'now', input: {} } },
    ],
    'tool_use',
  ),
};

const citation = {
  title: 'Rain',
  sourceContent: [{ text: 'It rains.' }],
  location: { web: { url: 'https://example.com/rain', domain: 'example.com' } },
};

export const citations: Recorded = {
  events: [
    start,
    begin(0, { toolUse: { toolUseId: 'srv_1', name: 'nova_grounding', type: 'server_tool_use' } }),
    delta(0, { toolUse: { input: '{"q":"rain"}' } }),
    stop(0),
    begin(1, { toolResult: { toolUseId: 'srv_1', type: 'nova_grounding_result' } }),
    delta(1, { toolResult: [{ text: 'found' }] }),
    stop(1),
    delta(2, { text: 'It ' }),
    delta(2, { text: 'rains.' }),
    delta(2, { citation }),
    stop(2),
    end('end_turn'),
    metadata,
  ],
  whole: whole(
    [
      {
        toolUse: {
          toolUseId: 'srv_1',
          name: 'nova_grounding',
          type: 'server_tool_use',
          input: { q: 'rain' },
        },
      },
      {
        toolResult: {
          toolUseId: 'srv_1',
          type: 'nova_grounding_result',
          content: [{ text: 'found' }],
        },
      },
      { citationsContent: { content: [{ text: 'It rains.' }], citations: [citation] } },
    ],
    'end_turn',
  ),
};

export const recorded: Readonly<Record<string, Recorded>> = {
  text,
  'reasoning and tools': reasoningAndTools,
  'citations and server tools': citations,
};
