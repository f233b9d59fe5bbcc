import type { Recording } from './recording.ts';
import { question } from './recording.ts';

const start = {
  id: 'c14c80c3',
  type: 'message-start',
  delta: {
    message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] },
  },
};
const usage = {
  billed_units: { input_tokens: 5, output_tokens: 9 },
  tokens: { input_tokens: 71, output_tokens: 9 },
};
const end = (reason: string): object => ({
  type: 'message-end',
  delta: { finish_reason: reason, usage },
});

const part = (type: string, index: number, content: object): object => ({
  type: `content-${type}`,
  index,
  delta: { message: { content } },
});
const base = { provider: 'cohere', path: '/v2/chat', named: true };
const kwargs = { model: 'command-a-03-2025', messages: question };

const document = { type: 'document', id: 'doc:0', document: { id: 'doc:0', title: 'Penguins' } };
const page = {
  type: 'document',
  id: 'doc:1',
  document: { title: 'Ice', url: 'https://ice.example' },
};
const citation = {
  start: 4,
  end: 12,
  text: 'penguins',
  sources: [document, page],
  content_index: 1,
  type: 'TEXT_CONTENT',
};

const cited: Recording = {
  ...base,
  title: 'Cohere: thoughts, a text and its citations',
  kwargs,
  events: [
    start,
    part('start', 0, { type: 'thinking', thinking: '' }),
    part('delta', 0, { thinking: 'They ' }),
    part('delta', 0, { thinking: 'ask.' }),
    { type: 'content-end', index: 0 },
    part('start', 1, { type: 'text', text: '' }),
    part('delta', 1, { text: 'The ' }),
    part('delta', 1, { text: 'penguins' }),
    { type: 'citation-start', index: 0, delta: { message: { citations: citation } } },
    { type: 'citation-end', index: 0 },
    part('delta', 1, { text: ' swim.' }),
    { type: 'content-end', index: 1 },
    end('COMPLETE'),
  ],
  whole: {
    id: 'c14c80c3',
    finish_reason: 'COMPLETE',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'They ask.' },
        { type: 'text', text: 'The penguins swim.' },
      ],
      citations: [citation],
    },
    usage,
  },
  reply: {
    content: [
      { type: 'thinking', thinking: 'They ask.' },
      {
        type: 'text',
        text: 'The penguins swim.',
        annotations: [
          {
            type: 'file_citation',
            file_id: 'doc:0',
            filename: 'Penguins',
            index: 4,
            start_index: 4,
            end_index: 12,
            cited_text: 'penguins',
          },
          {
            type: 'url_citation',
            url: 'https://ice.example',
            title: 'Ice',
            start_index: 4,
            end_index: 12,
            cited_text: 'penguins',
          },
        ],
      },
    ],
    tool_calls: [],
  },
};

const call = (index: number, id: string, name: string): object => ({
  type: 'tool-call-start',
  index,
  delta: { message: { tool_calls: { id, type: 'function', function: { name, arguments: '' } } } },
});
const given = (index: number, text: string): object => ({
  type: 'tool-call-delta',
  index,
  delta: { message: { tool_calls: { function: { arguments: text } } } },
});
const calls = [
  {
    id: 'weather_1',
    type: 'function',
    function: { name: 'weather', arguments: '{"city":"Oslo"}' },
  },
  { id: 'time_2', type: 'function', function: { name: 'time', arguments: '{}' } },
];

const planned: Recording = {
  ...base,
  title: 'Cohere: a plan, then calls of tools',
  kwargs,
  events: [
    start,
    { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I will ' } } },
    { type: 'tool-plan-delta', delta: { message: { tool_plan: 'look.' } } },
    call(0, 'weather_1', 'weather'),
    given(0, '{"city"'),
    given(0, ':"Oslo"}'),
    { type: 'tool-call-end', index: 0 },
    call(1, 'time_2', 'time'),
    given(1, '{}'),
    { type: 'tool-call-end', index: 1 },
    end('TOOL_CALL'),
  ],
  whole: {
    id: 'c14c80c3',
    finish_reason: 'TOOL_CALL',
    message: { role: 'assistant', tool_plan: 'I will look.', tool_calls: calls },
    usage,
  },
  reply: { content: [{ type: 'thinking', thinking: 'I will look.' }], tool_calls: calls },
};

const score = (text: string): object => ({ text, token_ids: [7], logprobs: [-0.5] });

const scored: Recording = {
  ...base,
  title: 'Cohere: logprobs with each piece',
  kwargs: { ...kwargs, logprobs: true },
  events: [
    start,
    part('start', 0, { type: 'text', text: '' }),
    { ...part('delta', 0, { text: 'Yes' }), logprobs: score('Yes') },
    { ...part('delta', 0, { text: '!' }), logprobs: score('!') },
    { type: 'content-end', index: 0 },
    end('MAX_TOKENS'),
  ],
  whole: {
    id: 'c14c80c3',
    finish_reason: 'MAX_TOKENS',
    message: { role: 'assistant', content: [{ type: 'text', text: 'Yes!' }] },
    usage,
    logprobs: [score('Yes'), score('!')],
  },
  reply: { content: [{ type: 'text', text: 'Yes!' }], tool_calls: [] },
};

export const cohere: readonly Recording[] = [cited, planned, scored];
