import type { Recording } from './recording.ts';
import { question } from './recording.ts';

const head = {
  id: 'chatcmpl-A1',
  created: 1_760_000_000,
  model: 'gpt-5-2026-01-01',
  service_tier: 'default',
  system_fingerprint: 'fp_44709d6fcb',
};

const usage = {
  prompt_tokens: 19,
  completion_tokens: 10,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
};

interface Piece {
  readonly delta?: object;
  readonly index?: number;
  readonly finish?: string;
  readonly logprobs?: object | null;
}

const chunk = ({ delta = {}, index = 0, finish, logprobs = null }: Piece): object => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index, delta, logprobs, finish_reason: finish ?? null }],
  usage: null,
  obfuscation: 'x9',
});

const usageChunk = { ...head, object: 'chat.completion.chunk', choices: [], usage };

const whole = (message: object, finish: string, logprobs: object | null = null): object => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message, logprobs, finish_reason: finish }],
  usage,
});

const base = {
  provider: 'openai',
  apiType: 'chat-completions',
  path: '/chat/completions',
  kwargs: { model: 'gpt-5', messages: question },
  done: true,
};

const token = (text: string, logprob: number): object => ({
  content: [{ token: text, logprob, bytes: [...Buffer.from(text)], top_logprobs: [] }],
  refusal: null,
});

const called = (index: number, delta: object): Piece => ({
  delta: { tool_calls: [{ index, ...delta }] },
});

const cited = {
  type: 'url_citation',
  url_citation: { start_index: 0, end_index: 5, url: 'https://weather.example', title: 'Weather' },
};

export const openAiChat: readonly Recording[] = [
  {
    ...base,
    title: 'OpenAI chat: two choices with logprobs',
    kwargs: { ...base.kwargs, n: 2, logprobs: true },
    events: [
      chunk({ delta: { role: 'assistant', content: '', refusal: null } }),
      chunk({ index: 1, delta: { role: 'assistant', content: '', refusal: null } }),
      chunk({ delta: { content: 'Grüße' }, logprobs: token('Grüße', -0.1) }),
      chunk({ index: 1, delta: { content: 'Hi' }, logprobs: token('Hi', -0.5) }),
      chunk({ delta: { content: ' 👋🏽' }, logprobs: token(' 👋🏽', -0.2) }),
      chunk({ index: 1, finish: 'length' }),
      chunk({ finish: 'stop' }),
      usageChunk,
    ],
    whole: {
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Grüße 👋🏽', refusal: null },
          logprobs: {
            content: [
              { token: 'Grüße', logprob: -0.1, bytes: [...Buffer.from('Grüße')], top_logprobs: [] },
              { token: ' 👋🏽', logprob: -0.2, bytes: [...Buffer.from(' 👋🏽')], top_logprobs: [] },
            ],
            refusal: null,
          },
          finish_reason: 'stop',
        },
        {
          index: 1,
          message: { role: 'assistant', content: 'Hi', refusal: null },
          logprobs: {
            content: [{ token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] }],
            refusal: null,
          },
          finish_reason: 'length',
        },
      ],
      usage,
    },
    reply: { content: [{ type: 'text', text: 'Grüße 👋🏽' }], tool_calls: [] },
  },
  {
    ...base,
    title: 'OpenAI chat: two tool calls whose pieces come by turns',
    kwargs: {
      ...base.kwargs,
      tools: ['weather', 'time'].map((name) => ({
        type: 'function',
        function: { name, parameters: { type: 'object', properties: {} } },
      })),
    },
    events: [
      chunk({ delta: { role: 'assistant', content: null, refusal: null } }),
      chunk(
        called(0, { id: 'call_w', type: 'function', function: { name: 'weather', arguments: '' } }),
      ),
      chunk(
        called(1, { id: 'call_t', type: 'function', function: { name: 'time', arguments: '' } }),
      ),
      chunk(called(0, { function: { arguments: '{"city":' } })),
      chunk(called(1, { function: { arguments: '{"zone"' } })),
      chunk(called(0, { function: { arguments: '"Köln"}' } })),
      chunk(called(1, { function: { arguments: ':"CET"}' } })),
      chunk({ finish: 'tool_calls' }),
      usageChunk,
    ],
    whole: whole(
      {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [
          {
            id: 'call_w',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Köln"}' },
          },
          {
            id: 'call_t',
            type: 'function',
            function: { name: 'time', arguments: '{"zone":"CET"}' },
          },
        ],
      },
      'tool_calls',
    ),
    reply: {
      content: [],
      tool_calls: [
        {
          id: 'call_w',
          type: 'function',
          function: { name: 'weather', arguments: '{"city":"Köln"}' },
        },
        { id: 'call_t', type: 'function', function: { name: 'time', arguments: '{"zone":"CET"}' } },
      ],
    },
  },
  {
    ...base,
    title: 'OpenAI chat: a refusal',
    events: [
      chunk({ delta: { role: 'assistant', content: null, refusal: '' } }),
      chunk({ delta: { refusal: "I'm sorry, " } }),
      chunk({ delta: { refusal: 'no.' } }),
      chunk({ finish: 'stop' }),
      usageChunk,
    ],
    whole: whole({ role: 'assistant', content: null, refusal: "I'm sorry, no." }, 'stop'),
    reply: { content: [{ type: 'text', text: "I'm sorry, no." }], tool_calls: [] },
  },
  {
    ...base,
    title: 'OpenAI chat: the old call of a function',
    events: [
      chunk({
        delta: {
          role: 'assistant',
          content: null,
          refusal: null,
          function_call: { name: 'f', arguments: '' },
        },
      }),
      chunk({ delta: { function_call: { arguments: '{"a"' } } }),
      chunk({ delta: { function_call: { arguments: ':1}' } } }),
      chunk({ finish: 'function_call' }),
      usageChunk,
    ],
    whole: whole(
      {
        role: 'assistant',
        content: null,
        refusal: null,
        function_call: { name: 'f', arguments: '{"a":1}' },
      },
      'function_call',
    ),
    reply: {
      content: [],
      tool_calls: [{ id: '', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
  },
  {
    ...base,
    title: 'OpenAI chat: sound, in pieces that each end in the middle of three bytes',
    kwargs: {
      ...base.kwargs,
      modalities: ['text', 'audio'],
      audio: { voice: 'alloy', format: 'pcm16' },
    },
    events: [
      chunk({
        delta: { role: 'assistant', content: null, refusal: null, audio: { id: 'audio_1' } },
      }),
      chunk({ delta: { audio: { transcript: 'Good ' } } }),
      chunk({ delta: { audio: { data: Buffer.from('abcd').toString('base64') } } }),
      chunk({ delta: { audio: { transcript: 'day' } } }),
      chunk({ delta: { audio: { data: Buffer.from('ef').toString('base64') } } }),
      chunk({ delta: { audio: { expires_at: 1_760_003_600 } } }),
      chunk({ finish: 'stop' }),
      usageChunk,
    ],
    whole: whole(
      {
        role: 'assistant',
        content: null,
        refusal: null,
        audio: {
          id: 'audio_1',
          transcript: 'Good day',
          data: Buffer.from('abcdef').toString('base64'),
          expires_at: 1_760_003_600,
        },
      },
      'stop',
    ),
    reply: {
      content: [
        {
          type: 'output_media',
          url: Buffer.from('abcdef').toString('base64'),
          mime_type: 'audio/pcm',
          media_type: 'audio',
          provider_metadata: { id: 'audio_1', transcript: 'Good day', expires_at: 1_760_003_600 },
        },
      ],
      tool_calls: [],
    },
  },
  {
    ...base,
    title: 'OpenAI chat: a search with its citations',
    events: [
      chunk({ delta: { role: 'assistant', content: '', refusal: null, annotations: [] } }),
      chunk({ delta: { content: 'Sunny' } }),
      chunk({ delta: { annotations: [cited] } }),
      chunk({ finish: 'stop' }),
      usageChunk,
    ],
    whole: whole(
      { role: 'assistant', content: 'Sunny', refusal: null, annotations: [cited] },
      'stop',
    ),
    reply: {
      content: [
        {
          type: 'text',
          text: 'Sunny',
          annotations: [
            {
              type: 'url_citation',
              start_index: 0,
              end_index: 5,
              url: 'https://weather.example',
              title: 'Weather',
            },
          ],
        },
      ],
      tool_calls: [],
    },
  },
];
