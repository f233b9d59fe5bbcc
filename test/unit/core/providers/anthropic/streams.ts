/** Streams of the Messages API, and the answers that they come to. */

interface Recorded {
  readonly events: readonly object[];
  readonly whole: object;
}

const startUsage = {
  input_tokens: 25,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 12,
  output_tokens: 1,
  service_tier: 'standard',
};

const start = (id: string): object => ({
  type: 'message_start',
  message: {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-test-1',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: startUsage,
  },
});

const blockStart = (index: number, content_block: object): object => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, type: string, fields: object): object => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...fields },
});
const blockStop = (index: number): object => ({ type: 'content_block_stop', index });
const end = (stop_reason: string, usage: object = { output_tokens: 15 }): readonly object[] => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
];

const whole = (
  id: string,
  content: readonly object[],
  stop_reason: string,
  usage: object = {},
): object => ({
  id,
  type: 'message',
  role: 'assistant',
  model: 'claude-test-1',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { ...startUsage, output_tokens: 15, ...usage },
});

export const text: Recorded = {
  events: [
    start('msg_text'),
    blockStart(0, { type: 'text', text: '' }),
    { type: 'ping' },
    delta(0, 'text_delta', { text: 'Grüß' }),
    delta(0, 'text_delta', { text: ' dich 🌍' }),
    delta(0, 'text_delta', { text: '!' }),
    blockStop(0),
    ...end('end_turn'),
  ],
  whole: whole('msg_text', [{ type: 'text', text: 'Grüß dich 🌍!' }], 'end_turn'),
};

/** Thinking, hidden thinking, text and a call of a tool. */
export const thinkingAndTool: Recorded = {
  events: [
    start('msg_think'),
    blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, 'thinking_delta', { thinking: 'The place ' }),
    delta(0, 'thinking_delta', { thinking: 'matters.' }),
    delta(0, 'signature_delta', { signature: 'EqQBCgIYAhIM' }),
    blockStop(0),
    blockStart(1, { type: 'redacted_thinking', data: 'EmwKAhgBEgy3' }),
    blockStop(1),
    blockStart(2, { type: 'text', text: '' }),
    delta(2, 'text_delta', { text: 'I look it up.' }),
    blockStop(2),
    blockStart(3, { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }),
    delta(3, 'input_json_delta', { partial_json: '' }),
    delta(3, 'input_json_delta', { partial_json: '{"place": "Köl' }),
    delta(3, 'input_json_delta', { partial_json: 'n", "days": [1, 2]}' }),
    blockStop(3),
    ...end('tool_use', { output_tokens: 15 }),
  ],
  whole: whole(
    'msg_think',
    [
      { type: 'thinking', thinking: 'The place matters.', signature: 'EqQBCgIYAhIM' },
      { type: 'redacted_thinking', data: 'EmwKAhgBEgy3' },
      { type: 'text', text: 'I look it up.' },
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { place: 'Köln', days: [1, 2] } },
    ],
    'tool_use',
  ),
};

/** Two calls whose pieces mix, and one without arguments. */
export const interleaved: Recorded = {
  events: [
    start('msg_mixed'),
    blockStart(0, { type: 'tool_use', id: 'toolu_a', name: 'add', input: {} }),
    blockStart(1, { type: 'tool_use', id: 'toolu_b', name: 'sub', input: {} }),
    delta(0, 'input_json_delta', { partial_json: '{"x"' }),
    delta(1, 'input_json_delta', { partial_json: '{"y":' }),
    delta(0, 'input_json_delta', { partial_json: ':1}' }),
    delta(1, 'input_json_delta', { partial_json: '2}' }),
    blockStop(1),
    blockStop(0),
    blockStart(2, { type: 'tool_use', id: 'toolu_c', name: 'now', input: {} }),
    blockStop(2),
    ...end('tool_use'),
  ],
  whole: whole(
    'msg_mixed',
    [
      { type: 'tool_use', id: 'toolu_a', name: 'add', input: { x: 1 } },
      { type: 'tool_use', id: 'toolu_b', name: 'sub', input: { y: 2 } },
      { type: 'tool_use', id: 'toolu_c', name: 'now', input: {} },
    ],
    'tool_use',
  ),
};

const results = [
  {
    type: 'web_search_result',
    title: 'Rain',
    url: 'https://example.com/rain',
    encrypted_content: 'EqgfCioIARgB',
    page_age: null,
  },
];
const citations = [
  {
    type: 'web_search_result_location',
    cited_text: 'It rains.',
    url: 'https://example.com/rain',
    title: 'Rain',
    encrypted_index: 'Eo8BCioIAhgB',
  },
  {
    type: 'char_location',
    cited_text: 'Wet.',
    document_index: 0,
    document_title: 'Notes',
    start_char_index: 4,
    end_char_index: 8,
  },
];

/** A search on the server, its results, and text that cites them. */
export const search: Recorded = {
  events: [
    start('msg_search'),
    blockStart(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
    delta(0, 'input_json_delta', { partial_json: '{"query":' }),
    delta(0, 'input_json_delta', { partial_json: '"rain"}' }),
    blockStop(0),
    blockStart(1, {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: results,
    }),
    blockStop(1),
    blockStart(2, { type: 'text', text: '', citations: [] }),
    delta(2, 'citations_delta', { citation: citations[0] }),
    delta(2, 'text_delta', { text: 'It ' }),
    delta(2, 'citations_delta', { citation: citations[1] }),
    delta(2, 'text_delta', { text: 'rains.' }),
    blockStop(2),
    ...end('end_turn', {
      input_tokens: 90,
      cache_creation_input_tokens: null,
      output_tokens: 15,
      server_tool_use: { web_search_requests: 1 },
    }),
  ],
  whole: whole(
    'msg_search',
    [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'rain' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: results },
      { type: 'text', text: 'It rains.', citations },
    ],
    'end_turn',
    { input_tokens: 90, server_tool_use: { web_search_requests: 1 } },
  ),
};

export const searchAnnotations = [
  {
    type: 'url_citation',
    url: 'https://example.com/rain',
    title: 'Rain',
    start_index: 0,
    end_index: 9,
    cited_text: 'It rains.',
    encrypted_index: 'Eo8BCioIAhgB',
  },
  {
    type: 'file_citation',
    index: 0,
    file_id: undefined,
    filename: 'Notes',
    cited_text: 'Wet.',
    start_char_index: 4,
    end_char_index: 8,
  },
];

export const recorded: Readonly<Record<string, Recorded>> = {
  text,
  'thinking and a tool': thinkingAndTool,
  'interleaved tools': interleaved,
  'a search on the server': search,
};
