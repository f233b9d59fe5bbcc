import type { Recording } from './recording.ts';

export type Event = Readonly<Record<string, unknown>> & { readonly type: string };

const started = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_760_000_000,
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  model: 'gpt-5-2026-01-01',
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  usage: null,
  user: null,
  metadata: {},
};

const usage = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 42,
};

export const ended = (output: readonly object[], rest: object = {}): object => ({
  ...started,
  status: 'completed',
  output,
  usage,
  ...rest,
});

/** Numbers the events and puts them between the first and the last. */
export function recorded(
  title: string,
  middle: readonly Event[],
  whole: object,
  reply: Recording['reply'],
  last = 'response.completed',
): Recording {
  const events = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...middle,
    { type: last, response: whole },
  ];
  return {
    title: `OpenAI responses: ${title}`,
    provider: 'openai',
    apiType: 'responses',
    path: '/responses',
    kwargs: { model: 'gpt-5', input: 'What is it?' },
    named: true,
    events: events.map((event, at) => ({ ...event, sequence_number: at })),
    whole,
    reply,
  };
}

/** The events of an item that is only begun and ended. */
export const item = (
  output_index: number,
  begun: object,
  done: object,
  ...middle: Event[]
): Event[] => [
  { type: 'response.output_item.added', output_index, item: begun },
  ...middle,
  { type: 'response.output_item.done', output_index, item: done },
];

const reasoning = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [
    { type: 'summary_text', text: 'First this.' },
    { type: 'summary_text', text: 'Then that.' },
  ],
};
const at = { item_id: 'rs_1', output_index: 0 };
const summary = (summary_index: number, pieces: readonly string[], text: string): Event[] => [
  {
    type: 'response.reasoning_summary_part.added',
    ...at,
    summary_index,
    part: { type: 'summary_text', text: '' },
  },
  ...pieces.map((delta) => ({
    type: 'response.reasoning_summary_text.delta',
    ...at,
    summary_index,
    delta,
  })),
  { type: 'response.reasoning_summary_text.done', ...at, summary_index, text },
  {
    type: 'response.reasoning_summary_part.done',
    ...at,
    summary_index,
    part: { type: 'summary_text', text },
  },
];

const search = {
  id: 'ws_1',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'weather' },
};
const citation = {
  type: 'url_citation',
  start_index: 0,
  end_index: 5,
  url: 'https://weather.example',
  title: 'Weather',
};
const part = (text: string, annotations: readonly object[]): object => ({
  type: 'output_text',
  text,
  annotations,
  logprobs: [],
});
const message = (id: string, content: readonly object[], status = 'completed'): object => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content,
});
const inText = { item_id: 'msg_1', output_index: 2, content_index: 0 };
const callOf = (given: string, status: string): object => ({
  id: 'fc_1',
  type: 'function_call',
  status,
  call_id: 'call_1',
  name: 'weather',
  arguments: given,
});

const searched = recorded(
  'thoughts, a search, a text with a citation and a call',
  [
    ...item(
      0,
      { ...reasoning, summary: [] },
      reasoning,
      ...summary(0, ['First ', 'this.'], 'First this.'),
      ...summary(1, ['Then that.'], 'Then that.'),
    ),
    ...item(
      1,
      { ...search, status: 'in_progress' },
      search,
      { type: 'response.web_search_call.in_progress', item_id: 'ws_1', output_index: 1 },
      { type: 'response.web_search_call.searching', item_id: 'ws_1', output_index: 1 },
      { type: 'response.web_search_call.completed', item_id: 'ws_1', output_index: 1 },
    ),
    ...item(
      2,
      message('msg_1', [], 'in_progress'),
      message('msg_1', [part('Sunny ☀️.', [citation])]),
      { type: 'response.content_part.added', ...inText, part: part('', []) },
      { type: 'response.output_text.delta', ...inText, delta: 'Sunny', logprobs: [] },
      { type: 'response.output_text.delta', ...inText, delta: ' ☀️.', logprobs: [] },
      {
        type: 'response.output_text.annotation.added',
        ...inText,
        annotation_index: 0,
        annotation: citation,
      },
      { type: 'response.output_text.done', ...inText, text: 'Sunny ☀️.', logprobs: [] },
      { type: 'response.content_part.done', ...inText, part: part('Sunny ☀️.', [citation]) },
    ),
    ...item(
      3,
      callOf('', 'in_progress'),
      callOf('{"city":"Bonn"}', 'completed'),
      {
        type: 'response.function_call_arguments.delta',
        item_id: 'fc_1',
        output_index: 3,
        delta: '{"city":',
      },
      {
        type: 'response.function_call_arguments.delta',
        item_id: 'fc_1',
        output_index: 3,
        delta: '"Bonn"}',
      },
      {
        type: 'response.function_call_arguments.done',
        item_id: 'fc_1',
        output_index: 3,
        name: 'weather',
        arguments: '{"city":"Bonn"}',
      },
    ),
  ],
  ended([
    reasoning,
    search,
    message('msg_1', [part('Sunny ☀️.', [citation])]),
    callOf('{"city":"Bonn"}', 'completed'),
  ]),
  {
    content: [
      { type: 'thinking', thinking: 'First this.', id: 'rs_1' },
      { type: 'thinking', thinking: 'Then that.', id: 'rs_1' },
      {
        type: 'server_tool_use',
        id: 'ws_1',
        name: 'web_search',
        input: { type: 'search', query: 'weather' },
      },
      { type: 'text', text: 'Sunny ☀️.', id: 'msg_1', annotations: [citation] },
    ],
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        tool_id: 'fc_1',
        function: { name: 'weather', arguments: '{"city":"Bonn"}' },
      },
    ],
  },
);

const listed = {
  id: 'mcpl_1',
  type: 'mcp_list_tools',
  server_label: 'docs',
  tools: [{ name: 'find', input_schema: { type: 'object' }, annotations: null, description: null }],
  error: null,
};
const mcp = (given: string, output: string | null, status: string): object => ({
  id: 'mcp_1',
  type: 'mcp_call',
  status,
  approval_request_id: null,
  arguments: given,
  error: null,
  name: 'find',
  output,
  server_label: 'docs',
});
const code = (text: string, outputs: readonly object[] | null, status: string): object => ({
  id: 'ci_1',
  type: 'code_interpreter_call',
  status,
  code: text,
  container_id: 'cntr_1',
  outputs,
});
const custom = (input: string): object => ({
  id: 'ctc_1',
  type: 'custom_tool_call',
  status: 'completed',
  call_id: 'call_2',
  name: 'sql',
  input,
});
const picture = (result: string | null, status: string): object => ({
  id: 'ig_1',
  type: 'image_generation_call',
  status,
  background: 'opaque',
  output_format: 'webp',
  quality: 'high',
  size: '1024x1024',
  revised_prompt: 'A cat',
  result,
});
const drawn = Buffer.from('a cat').toString('base64');
export const patch = (diff: string, status: string): object => ({
  id: 'apc_1',
  type: 'apply_patch_call',
  status,
  call_id: 'call_3',
  operation: { type: 'update_file', path: 'a.txt', diff },
});
export const spot = (output_index: number, item_id: string): object => ({ output_index, item_id });

const tooled = recorded(
  'tools of every kind',
  [
    ...item(
      0,
      { ...listed, tools: [] },
      listed,
      { type: 'response.mcp_list_tools.in_progress', ...spot(0, 'mcpl_1') },
      { type: 'response.mcp_list_tools.completed', ...spot(0, 'mcpl_1') },
    ),
    ...item(
      1,
      mcp('', null, 'in_progress'),
      mcp('{"q":"x"}', 'found', 'completed'),
      { type: 'response.mcp_call.in_progress', ...spot(1, 'mcp_1') },
      { type: 'response.mcp_call_arguments.delta', ...spot(1, 'mcp_1'), delta: '{"q":' },
      { type: 'response.mcp_call_arguments.delta', ...spot(1, 'mcp_1'), delta: '"x"}' },
      { type: 'response.mcp_call_arguments.done', ...spot(1, 'mcp_1'), arguments: '{"q":"x"}' },
      { type: 'response.mcp_call.completed', ...spot(1, 'mcp_1') },
    ),
    ...item(
      2,
      code('', null, 'in_progress'),
      code('1 + 1', [{ type: 'logs', logs: '2' }], 'completed'),
      { type: 'response.code_interpreter_call.in_progress', ...spot(2, 'ci_1') },
      { type: 'response.code_interpreter_call_code.delta', ...spot(2, 'ci_1'), delta: '1 +' },
      { type: 'response.code_interpreter_call_code.delta', ...spot(2, 'ci_1'), delta: ' 1' },
      { type: 'response.code_interpreter_call_code.done', ...spot(2, 'ci_1'), code: '1 + 1' },
      { type: 'response.code_interpreter_call.interpreting', ...spot(2, 'ci_1') },
      { type: 'response.code_interpreter_call.completed', ...spot(2, 'ci_1') },
    ),
    ...item(
      3,
      custom(''),
      custom('select 1'),
      { type: 'response.custom_tool_call_input.delta', ...spot(3, 'ctc_1'), delta: 'select' },
      { type: 'response.custom_tool_call_input.delta', ...spot(3, 'ctc_1'), delta: ' 1' },
      { type: 'response.custom_tool_call_input.done', ...spot(3, 'ctc_1'), input: 'select 1' },
    ),
    ...item(
      4,
      picture(null, 'in_progress'),
      picture(drawn, 'completed'),
      { type: 'response.image_generation_call.in_progress', ...spot(4, 'ig_1') },
      { type: 'response.image_generation_call.generating', ...spot(4, 'ig_1') },
      {
        type: 'response.image_generation_call.partial_image',
        ...spot(4, 'ig_1'),
        partial_image_index: 0,
        partial_image_b64: Buffer.from('sketch').toString('base64'),
        output_format: 'webp',
      },
      { type: 'response.image_generation_call.completed', ...spot(4, 'ig_1') },
    ),
    ...item(5, patch('', 'in_progress'), patch('+a', 'completed')),
  ],
  ended([
    listed,
    mcp('{"q":"x"}', 'found', 'completed'),
    code('1 + 1', [{ type: 'logs', logs: '2' }], 'completed'),
    custom('select 1'),
    picture(drawn, 'completed'),
    patch('+a', 'completed'),
  ]),
  {
    content: [
      listed,
      mcp('{"q":"x"}', 'found', 'completed'),
      { type: 'code', code: '1 + 1', id: 'ci_1', container_id: 'cntr_1' },
      { type: 'code_execution_result', output: '2', outcome: 'OUTCOME_OK' },
      {
        type: 'output_media',
        url: drawn,
        mime_type: 'image/webp',
        media_type: 'image',
        id: 'ig_1',
        provider_metadata: {
          revised_prompt: 'A cat',
          size: '1024x1024',
          quality: 'high',
          background: 'opaque',
          output_format: 'webp',
        },
      },
      patch('+a', 'completed'),
    ],
    tool_calls: [
      {
        id: 'call_2',
        type: 'function',
        tool_id: 'ctc_1',
        function: { name: 'sql', arguments: 'select 1' },
      },
    ],
  },
);

const refused = { type: 'refusal', refusal: 'I must not.' };
const inRefusal = { item_id: 'msg_1', output_index: 0, content_index: 0 };

const refusal = recorded(
  'a refusal',
  item(
    0,
    message('msg_1', [], 'in_progress'),
    message('msg_1', [refused]),
    { type: 'response.content_part.added', ...inRefusal, part: { type: 'refusal', refusal: '' } },
    { type: 'response.refusal.delta', ...inRefusal, delta: 'I must' },
    { type: 'response.refusal.delta', ...inRefusal, delta: ' not.' },
    { type: 'response.refusal.done', ...inRefusal, refusal: 'I must not.' },
    { type: 'response.content_part.done', ...inRefusal, part: refused },
  ),
  ended([message('msg_1', [refused])]),
  { content: [{ type: 'text', text: 'I must not.', id: 'msg_1' }], tool_calls: [] },
);

const cutOff = message('msg_1', [part('Once upon', [])], 'incomplete');
const thought = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [],
  content: [{ type: 'reasoning_text', text: 'Hm, well.' }],
};
const inThought = { item_id: 'rs_1', output_index: 0, content_index: 0 };
const inCut = { item_id: 'msg_1', output_index: 1, content_index: 0 };

const incomplete = recorded(
  'an answer that ends at the limit of tokens, after thoughts in full',
  [
    ...item(
      0,
      { ...thought, content: [] },
      thought,
      {
        type: 'response.content_part.added',
        ...inThought,
        part: { type: 'reasoning_text', text: '' },
      },
      { type: 'response.reasoning_text.delta', ...inThought, delta: 'Hm, ' },
      { type: 'response.reasoning_text.delta', ...inThought, delta: 'well.' },
      { type: 'response.reasoning_text.done', ...inThought, text: 'Hm, well.' },
      { type: 'response.content_part.done', ...inThought, part: thought.content[0] },
    ),
    ...item(
      1,
      message('msg_1', [], 'in_progress'),
      cutOff,
      { type: 'response.content_part.added', ...inCut, part: part('', []) },
      { type: 'response.output_text.delta', ...inCut, delta: 'Once upon', logprobs: [] },
      { type: 'response.output_text.done', ...inCut, text: 'Once upon', logprobs: [] },
      { type: 'response.content_part.done', ...inCut, part: part('Once upon', []) },
    ),
  ],
  ended([thought, cutOff], {
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
  }),
  {
    content: [
      { type: 'thinking', thinking: 'Hm, well.', id: 'rs_1' },
      { type: 'text', text: 'Once upon', id: 'msg_1' },
    ],
    tool_calls: [],
  },
  'response.incomplete',
);

export const openAiResponses: readonly Recording[] = [searched, tooled, refusal, incomplete];
