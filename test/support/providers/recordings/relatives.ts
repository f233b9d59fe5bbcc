import type { Recording } from './recording.ts';
import { question } from './recording.ts';

const base = { path: '/chat/completions', done: true };

interface Extras {
  readonly finish?: string | null;
  readonly choice?: object;
  readonly [ofChunk: string]: unknown;
}

/** Chunks of one host: what is the same in all of them, then what each choice says. */
const chunksOf =
  (head: object) =>
  (delta: object, { finish = null, choice = {}, ...rest }: Extras = {}): object => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish, ...choice }],
    ...rest,
  });

const azureHead = {
  id: 'chatcmpl-az',
  created: 1_760_000_000,
  model: 'gpt-4o-2024-11-20',
  system_fingerprint: 'fp_az',
};
const azure = chunksOf(azureHead);
const safe = { filtered: false, severity: 'safe' };
const filters = { hate: safe, self_harm: safe };
const promptFilters = [{ prompt_index: 0, content_filter_results: filters }];
const azureUsage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };

const azureChat: Recording = {
  ...base,
  title: 'Azure: chunks of the content filter before, between and after',
  provider: 'openai.azure',
  apiType: 'chat-completions',
  kwargs: { model: 'my-deployment', messages: question },
  events: [
    {
      id: '',
      object: '',
      created: 0,
      model: '',
      choices: [],
      prompt_filter_results: promptFilters,
    },
    azure({ role: 'assistant', content: '', refusal: null }),
    azure({ content: 'Hel' }),
    azure({ content: 'lo' }),
    azure({}, { finish: 'stop' }),
    {
      id: '',
      object: '',
      created: 0,
      model: '',
      choices: [{ index: 0, finish_reason: null, content_filter_results: filters }],
    },
    { ...azureHead, object: 'chat.completion.chunk', choices: [], usage: azureUsage },
  ],
  whole: {
    ...azureHead,
    object: 'chat.completion',
    prompt_filter_results: promptFilters,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', refusal: null },
        content_filter_results: filters,
        finish_reason: 'stop',
      },
    ],
    usage: azureUsage,
  },
  reply: { content: [{ type: 'text', text: 'Hello' }], tool_calls: [] },
};

const mistralHead = {
  id: 'cmpl-m1',
  created: 1_760_000_000,
  model: 'magistral-medium-latest',
};
const mistral = chunksOf(mistralHead);
const mistralUsage = { prompt_tokens: 9, completion_tokens: 21, total_tokens: 30 };
const thinking = (text: string): object => ({
  type: 'thinking',
  thinking: [{ type: 'text', text }],
});

const mistralThinking: Recording = {
  ...base,
  title: 'Mistral: thoughts as parts, then text and a reference',
  provider: 'mistral',
  kwargs: { model: 'magistral-medium-latest', messages: question },
  events: [
    mistral({ role: 'assistant', content: '' }),
    mistral({ content: [thinking('Let me ')] }),
    mistral({ content: [thinking('see.')] }),
    { ...mistral({ content: 'It is ' }), p: 'abcdefgh' },
    mistral({ content: 'a tree.' }),
    mistral({ content: [{ type: 'reference', reference_ids: [1] }] }),
    mistral({ content: '' }, { finish: 'stop', usage: mistralUsage }),
  ],
  whole: {
    ...mistralHead,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: [
            thinking('Let me see.'),
            { type: 'text', text: 'It is a tree.' },
            { type: 'reference', reference_ids: [1] },
          ],
        },
        finish_reason: 'stop',
      },
    ],
    usage: mistralUsage,
  },
  reply: {
    content: [
      { type: 'thinking', thinking: 'Let me see.' },
      { type: 'text', text: 'It is a tree.' },
      { type: 'reference', reference_ids: [1] },
    ],
    tool_calls: [],
  },
};

const mistralCalls = [
  {
    id: 'D681PevKs',
    type: 'function',
    function: { name: 'weather', arguments: '{"city": "Lyon"}' },
    index: 0,
  },
  { id: 'Qk2vV7bXz', type: 'function', function: { name: 'time', arguments: '{}' }, index: 1 },
];

const mistralTools: Recording = {
  ...base,
  title: 'Mistral: whole tool calls in one chunk',
  provider: 'mistral',
  kwargs: { model: 'mistral-large-latest', messages: question },
  events: [
    mistral({ role: 'assistant', content: '' }),
    mistral(
      { content: '', tool_calls: mistralCalls },
      { finish: 'tool_calls', usage: mistralUsage },
    ),
  ],
  whole: {
    ...mistralHead,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: '', tool_calls: mistralCalls },
        finish_reason: 'tool_calls',
      },
    ],
    usage: mistralUsage,
  },
  reply: {
    content: [],
    tool_calls: [
      {
        id: 'D681PevKs',
        type: 'function',
        function: { name: 'weather', arguments: '{"city": "Lyon"}' },
      },
      { id: 'Qk2vV7bXz', type: 'function', function: { name: 'time', arguments: '{}' } },
    ],
  },
};

const routerHead = {
  id: 'gen-1',
  created: 1_760_000_000,
  model: 'anthropic/claude-sonnet-4.5',
  provider: 'Anthropic',
  system_fingerprint: 'fp_or',
};
const router = chunksOf(routerHead);
const detail = (rest: object): object => ({
  type: 'reasoning.text',
  format: 'anthropic-claude-v1',
  index: 0,
  ...rest,
});
const sealed = {
  type: 'reasoning.encrypted',
  data: 'c2VhbGVk',
  id: 'rs_9',
  format: 'openai-responses-v1',
  index: 1,
};
const routerUsage = {
  prompt_tokens: 8,
  completion_tokens: 16,
  total_tokens: 24,
  cost: 0.000_12,
  is_byok: false,
  cost_details: {
    upstream_inference_completions_cost: 0.000_1,
    upstream_inference_prompt_cost: 0.000_02,
  },
};
const picture = {
  type: 'image_url',
  image_url: { url: 'data:image/jpeg;base64,aGk=' },
  index: 0,
};
const page = {
  type: 'url_citation',
  url_citation: {
    url: 'https://a.example',
    title: 'A',
    start_index: 0,
    end_index: 2,
    content: '…',
  },
};

const openRouter: Recording = {
  ...base,
  title: 'OpenRouter: details of reasoning, a picture, a citation and the cost',
  provider: 'openrouter',
  apiType: 'chat',
  kwargs: { model: 'anthropic/claude-sonnet-4.5', messages: question },
  events: [
    router({
      role: 'assistant',
      content: '',
      reasoning: 'First ',
      reasoning_details: [detail({ text: 'First ' })],
    }),
    router({ content: '', reasoning: 'look.', reasoning_details: [detail({ text: 'look.' })] }),
    router({ content: '', reasoning: null, reasoning_details: [detail({ signature: 'c2ln' })] }),
    router({ content: '', reasoning: null, reasoning_details: [sealed] }),
    router({ content: 'A ' }),
    router({ content: 'cat', images: [picture] }),
    router({ content: '', annotations: [page] }),
    router({ content: '' }, { finish: 'stop', choice: { native_finish_reason: 'end_turn' } }),
    { ...router({ role: 'assistant', content: '' }), usage: routerUsage },
  ],
  whole: {
    ...routerHead,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        native_finish_reason: 'end_turn',
        message: {
          role: 'assistant',
          content: 'A cat',
          reasoning: 'First look.',
          reasoning_details: [detail({ text: 'First look.', signature: 'c2ln' }), sealed],
          images: [picture],
          annotations: [page],
        },
        finish_reason: 'stop',
      },
    ],
    usage: routerUsage,
  },
  reply: {
    content: [
      { type: 'thinking', thinking: 'First look.', signature: 'c2ln' },
      {
        type: 'text',
        text: 'A cat',
        annotations: [
          {
            type: 'url_citation',
            url: 'https://a.example',
            title: 'A',
            start_index: 0,
            end_index: 2,
            content: '…',
          },
        ],
      },
      { type: 'output_media', url: 'aGk=', mime_type: 'image/jpeg', media_type: 'image' },
    ],
    tool_calls: [],
  },
};

const deepHead = {
  id: 'ds-1',
  created: 1_760_000_000,
  model: 'deepseek-reasoner',
  system_fingerprint: 'fp_ds',
};
const deep = chunksOf(deepHead);
const deepUsage = {
  prompt_tokens: 9,
  completion_tokens: 12,
  total_tokens: 21,
  prompt_cache_hit_tokens: 0,
  prompt_cache_miss_tokens: 9,
};

const deepSeek: Recording = {
  ...base,
  title: 'DeepSeek: reasoning_content, then content',
  provider: 'deepseek',
  kwargs: { model: 'deepseek-reasoner', messages: question },
  events: [
    deep({ role: 'assistant', content: null, reasoning_content: '' }),
    deep({ content: null, reasoning_content: 'One, ' }),
    deep({ content: null, reasoning_content: 'two.' }),
    deep({ content: 'Three', reasoning_content: null }),
    deep({ content: '.', reasoning_content: null }),
    deep({ content: '', reasoning_content: null }, { finish: 'stop', usage: deepUsage }),
  ],
  whole: {
    ...deepHead,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Three.', reasoning_content: 'One, two.' },
        finish_reason: 'stop',
      },
    ],
    usage: deepUsage,
  },
  reply: {
    content: [
      { type: 'thinking', thinking: 'One, two.' },
      { type: 'text', text: 'Three.' },
    ],
    tool_calls: [],
  },
};

const groqHead = {
  id: 'chatcmpl-g1',
  created: 1_760_000_000,
  model: 'openai/gpt-oss-120b',
  system_fingerprint: 'fp_groq',
};
const groqChunk = chunksOf(groqHead);
const groqUsage = {
  queue_time: 0.01,
  prompt_tokens: 9,
  prompt_time: 0.001,
  completion_tokens: 4,
  completion_time: 0.01,
  total_tokens: 13,
  total_time: 0.011,
};
const executed = { index: 0, type: 'search', arguments: '{"query":"x"}', output: 'y' };

const groq: Recording = {
  ...base,
  title: 'Groq: tokens inside x_groq, tools of its own',
  provider: 'groq',
  kwargs: { model: 'openai/gpt-oss-120b', messages: question },
  events: [
    groqChunk({ role: 'assistant', content: '' }, { x_groq: { id: 'req_1' } }),
    groqChunk({ reasoning: 'Think.' }),
    groqChunk({ executed_tools: [executed] }),
    groqChunk({ content: 'Done.' }),
    groqChunk({}, { finish: 'stop', x_groq: { id: 'req_1', usage: groqUsage } }),
  ],
  whole: {
    ...groqHead,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Done.',
          reasoning: 'Think.',
          executed_tools: [executed],
        },
        finish_reason: 'stop',
      },
    ],
    usage: groqUsage,
    x_groq: { id: 'req_1' },
  },
  reply: {
    content: [
      { type: 'thinking', thinking: 'Think.' },
      { type: 'text', text: 'Done.' },
    ],
    tool_calls: [],
  },
};

const xaiHead = {
  id: 'xai-1',
  created: 1_760_000_000,
  model: 'grok-4-0709',
  system_fingerprint: 'fp_xai',
};
const xaiChunk = chunksOf(xaiHead);
const tokens = (count: number): object => ({
  prompt_tokens: 7,
  completion_tokens: count,
  total_tokens: 7 + count,
});

const xai: Recording = {
  ...base,
  title: 'xAI: tokens in every chunk, sources in the last',
  provider: 'xai',
  kwargs: { model: 'grok-4', messages: question },
  events: [
    xaiChunk({ role: 'assistant', content: 'It ' }, { usage: tokens(1) }),
    xaiChunk({ content: 'rains.' }, { usage: tokens(2) }),
    xaiChunk(
      { content: '' },
      { finish: 'stop', usage: tokens(3), citations: ['https://w.example'] },
    ),
  ],
  whole: {
    ...xaiHead,
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'It rains.' }, finish_reason: 'stop' },
    ],
    usage: tokens(3),
    citations: ['https://w.example'],
  },
  reply: { content: [{ type: 'text', text: 'It rains.' }], tool_calls: [] },
};

const ollamaHead = { id: 'chatcmpl-7', created: 1_760_000_000, model: 'qwen3' };
const ollamaChunk = chunksOf({ ...ollamaHead, system_fingerprint: 'fp_ollama' });
const ollamaCall = (index: number, name: string): object => ({
  id: `call_${name}`,
  index,
  type: 'function',
  function: { name, arguments: '{}' },
});

const ollama: Recording = {
  ...base,
  title: 'Ollama: whole tool calls, one a chunk',
  provider: 'ollama',
  kwargs: { model: 'qwen3', messages: question },
  events: [
    ollamaChunk({ role: 'assistant', content: '', tool_calls: [ollamaCall(0, 'a')] }),
    ollamaChunk({ role: 'assistant', content: '', tool_calls: [ollamaCall(1, 'b')] }),
    ollamaChunk({ role: 'assistant', content: '' }, { finish: 'tool_calls' }),
  ],
  whole: {
    ...ollamaHead,
    system_fingerprint: 'fp_ollama',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'call_a', type: 'function', function: { name: 'a', arguments: '{}' } },
            { id: 'call_b', type: 'function', function: { name: 'b', arguments: '{}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
  },
  reply: {
    content: [],
    tool_calls: [
      { id: 'call_a', type: 'function', function: { name: 'a', arguments: '{}' } },
      { id: 'call_b', type: 'function', function: { name: 'b', arguments: '{}' } },
    ],
  },
};

const vllmHead = { id: 'chatcmpl-v1', created: 1_760_000_000, model: 'Qwen/Qwen3-8B' };
const vllmChunk = chunksOf(vllmHead);
const counted = (count: number) => ({ usage: tokens(count) });

const vllm: Recording = {
  ...base,
  title: 'vLLM: thoughts under both their names, tokens in every chunk, the token that stopped it',
  provider: 'vllm',
  kwargs: { model: 'Qwen/Qwen3-8B', messages: question },
  events: [
    vllmChunk({ role: 'assistant', content: '', reasoning_content: null }, counted(0)),
    vllmChunk({ reasoning: 'So', reasoning_content: 'So' }, counted(1)),
    vllmChunk({ reasoning: '.', reasoning_content: '.' }, counted(2)),
    vllmChunk({ content: 'Yes' }, counted(3)),
    vllmChunk(
      { content: '.' },
      { finish: 'stop', choice: { stop_reason: 151_645 }, ...counted(4) },
    ),
    { ...vllmHead, object: 'chat.completion.chunk', choices: [], ...counted(4) },
  ],
  whole: {
    ...vllmHead,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Yes.',
          reasoning: 'So.',
          reasoning_content: 'So.',
        },
        finish_reason: 'stop',
        stop_reason: 151_645,
      },
    ],
    ...counted(4),
  },
  reply: {
    content: [
      { type: 'thinking', thinking: 'So.' },
      { type: 'text', text: 'Yes.' },
    ],
    tool_calls: [],
  },
};

const studioHead = {
  id: 'chatcmpl-ls',
  created: 1_760_000_000,
  model: 'gemma-3',
  system_fingerprint: 'gemma-3',
};
const studio = chunksOf(studioHead);

const lmStudio: Recording = {
  ...base,
  title: 'LM Studio: the arguments of a call letter by letter',
  provider: 'lmstudio',
  kwargs: { model: 'gemma-3', messages: question },
  events: [
    studio({ role: 'assistant', content: 'Wait. ' }, { choice: { logprobs: null } }),
    studio(
      { tool_calls: [{ index: 0, ...ollamaCall(0, 'a'), function: { name: 'a', arguments: '' } }] },
      { choice: { logprobs: null } },
    ),
    ...Array.from('{"k":1}').map((letter) =>
      studio(
        { tool_calls: [{ index: 0, function: { arguments: letter } }] },
        { choice: { logprobs: null } },
      ),
    ),
    studio({}, { finish: 'tool_calls', choice: { logprobs: null } }),
  ],
  whole: {
    ...studioHead,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        logprobs: null,
        message: {
          role: 'assistant',
          content: 'Wait. ',
          tool_calls: [
            { id: 'call_a', type: 'function', function: { name: 'a', arguments: '{"k":1}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
  },
  reply: {
    content: [{ type: 'text', text: 'Wait. ' }],
    tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'a', arguments: '{"k":1}' } }],
  },
};

export const relatives: readonly Recording[] = [
  azureChat,
  mistralThinking,
  mistralTools,
  openRouter,
  deepSeek,
  groq,
  xai,
  ollama,
  vllm,
  lmStudio,
];
