import type { Odd, OddDialect } from './odd.ts';

const item = (type: string, more: object): object => ({
  type,
  id: type,
  status: 'completed',
  ...more,
});
const says = (...content: object[]): object => item('message', { role: 'assistant', content });
const output = (text: string): object => ({ type: 'output_text', text, annotations: [] });
const response = (status: unknown, list: unknown, more: object = {}): object => ({
  ...{ id: 'r', object: 'response', status, output: list, ...more },
});
const delta = (text: string): object => ({
  ...{
    type: 'response.output_text.delta',
    output_index: 0,
    content_index: 0,
    item_id: 'm',
    delta: text,
  },
});
const begun = { type: 'response.created', response: response('in_progress', []) };
const ended = (type: string, of: object): object => ({ type: `response.${type}`, response: of });

const responses: readonly Odd[] = [
  {
    title: 'a text',
    whole: response('completed', [says(output('Hi'))]),
    is: 'complete',
    text: 'Hi',
  },
  { title: 'no output', whole: response('completed', []), is: 'empty' },
  { title: 'output null', whole: response('completed', null), is: 'empty' },
  {
    title: 'thoughts alone',
    whole: response('completed', [
      item('reasoning', { summary: [{ type: 'summary_text', text: 'Hm' }] }),
    ]),
    is: 'empty',
  },
  {
    title: 'thoughts alone, cut off',
    whole: response('incomplete', [item('reasoning', { summary: [] })], {
      incomplete_details: { reason: 'max_output_tokens' },
    }),
    is: 'empty',
    says: /limit of tokens was spent/,
  },
  {
    title: 'a search and no text',
    whole: response('completed', [
      item('web_search_call', { action: { type: 'search', query: 'q' } }),
    ]),
    is: 'empty',
  },
  {
    title: 'a search and a text',
    whole: response('completed', [item('web_search_call', {}), says(output('Hi'))]),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a file search and no text',
    whole: response('completed', [item('file_search_call', { queries: ['q'] })]),
    is: 'empty',
  },
  {
    title: 'a list of tools of a server alone',
    whole: response('completed', [item('mcp_list_tools', { tools: [] })]),
    is: 'empty',
  },
  {
    title: 'code and a text',
    whole: response('completed', [
      item('code_interpreter_call', { code: '1', outputs: [{ type: 'logs', logs: '1' }] }),
      says(output('Hi')),
    ]),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'an item of tomorrow',
    whole: response('completed', [item('dream', { said: 'x' }), says(output('Hi'))]),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'an approval that is asked for',
    whole: response('completed', [item('mcp_approval_request', { name: 'f' })]),
    is: 'complete',
  },
  {
    title: 'a refusal',
    whole: response('completed', [says({ type: 'refusal', refusal: 'No.' })]),
    is: 'refused',
    says: /No\./,
  },
  {
    title: 'a part of tomorrow beside text',
    whole: response('completed', [says(output('Hi'), { type: 'smell' })]),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'still in progress (background)',
    whole: response('in_progress', [says(output('Half'))]),
    is: 'failed',
    says: /in_progress/,
  },
  { title: 'queued (background)', whole: response('queued', []), is: 'failed' },
  { title: 'cancelled', whole: response('cancelled', [says(output('Half'))]), is: 'failed' },
  {
    title: 'failed',
    whole: response('failed', [], { error: { code: 'server_error', message: 'Gone.' } }),
    is: 'error',
    says: /Gone/,
  },
  {
    title: 'an unknown status',
    whole: response('done', [says(output('Hi'))]),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'filtered with half of a text',
    whole: response('incomplete', [says(output('Some'))], {
      incomplete_details: { reason: 'content_filter' },
    }),
    is: 'filtered',
  },
  {
    title: 'incomplete without a reason',
    whole: response('incomplete', [says(output('Half'))], { incomplete_details: null }),
    is: 'cutOff',
  },
  {
    title: 'a call that is cut',
    whole: response('completed', [
      item('function_call', { call_id: 'x', name: 'f', arguments: '{"a"' }),
    ]),
    is: 'malformed',
  },
  {
    title: 'a call whose arguments are an object, or parameters',
    whole: response('completed', [
      item('function_call', { call_id: 'x', name: 'f', arguments: { a: 1 } }),
      item('function_call', { call_id: 'y', name: 'g', parameters: { b: 2 } }),
    ]),
    is: 'complete',
    calls: ['f({"a":1})', 'g({"b":2})'],
  },
  { title: 'nothing, for a reason of tomorrow', whole: response('weird', []), is: 'empty' },
  {
    title: 'nothing, for a reason of tomorrow',
    stream: [begun, ended('completed', response('weird', []))],
    is: 'empty',
  },
  {
    title: 'a call without arguments',
    whole: response('completed', [
      item('function_call', { call_id: 'x', name: 'f', arguments: '' }),
    ]),
    is: 'complete',
    calls: ['f()'],
  },
  {
    title: 'a picture',
    whole: response('completed', [item('image_generation_call', { result: 'iVBORw==' })]),
    is: 'complete',
    text: '',
  },
  {
    title: 'a picture that did not come',
    whole: response('completed', [
      item('image_generation_call', { result: null, status: 'failed' }),
    ]),
    is: 'empty',
  },
  {
    title: 'a stream',
    stream: [begun, delta('Hi'), ended('completed', response('completed', [says(output('Hi'))]))],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a stream whose end has no output',
    stream: [begun, delta('Hi'), ended('completed', response('completed', []))],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a stream whose end has no status',
    stream: [begun, delta('Hi'), ended('completed', { id: 'r' })],
    is: 'complete',
    text: 'Hi',
  },
  { title: 'a stream without its end', stream: [begun, delta('Hi')], is: 'broken' },
  {
    title: 'a stream without its end but [DONE]',
    stream: [begun, delta('Hi'), 'data: [DONE]\n\n'],
    is: 'broken',
  },
  {
    title: 'a stream of unknown events',
    stream: [
      begun,
      { type: 'response.dream.delta', delta: 'x' },
      delta('Hi'),
      ended('completed', response('completed', [])),
    ],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a stream that fails',
    stream: [
      begun,
      delta('Hi'),
      ended('failed', response('failed', [], { error: { message: 'Gone.' } })),
    ],
    is: 'error',
    says: /Gone/,
  },
  {
    title: 'an error event',
    stream: [begun, { type: 'error', code: 'server_error', message: 'Gone.' }],
    is: 'error',
    says: /Gone/,
  },
  {
    title: 'an error without a type',
    stream: [begun, { error: { message: 'Gone.' } }],
    is: 'error',
    says: /Gone/,
  },
  {
    title: 'a stream that is cut off',
    stream: [
      begun,
      delta('Half'),
      ended(
        'incomplete',
        response('incomplete', [], { incomplete_details: { reason: 'max_output_tokens' } }),
      ),
    ],
    is: 'cutOff',
    text: 'Half',
  },
];

const claude = (reason: unknown, content: unknown, more: object = {}): object => ({
  ...{
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: reason,
    ...more,
  },
});
const start = {
  type: 'message_start',
  message: claude(null, [], { usage: { input_tokens: 1, output_tokens: 1 } }),
};
const block = (content_block: object, index = 0): object => ({
  type: 'content_block_start',
  index,
  content_block,
});
const piece = (type: string, more: object, index = 0): object => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...more },
});
const shut = (index = 0): object => ({ type: 'content_block_stop', index });
const over = (stop_reason: unknown): object => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage: { output_tokens: 2 },
});
const last = { type: 'message_stop' };
const words = [block({ type: 'text', text: '' }), piece('text_delta', { text: 'Hi' }), shut()];
const tool = { type: 'tool_use', id: 't', name: 'f', input: {} };

const anthropic: readonly Odd[] = [
  { title: 'no content after a tool result', whole: claude('end_turn', []), is: 'empty' },
  { title: 'content null', whole: claude('end_turn', null), is: 'empty' },
  {
    title: 'content a text (gateways)',
    whole: claude('end_turn', 'Hi'),
    is: 'complete',
    text: 'Hi',
  },
  { title: 'an empty text', whole: claude('end_turn', [{ type: 'text', text: '' }]), is: 'empty' },
  {
    title: 'thoughts alone, cut off',
    whole: claude('max_tokens', [{ type: 'thinking', thinking: 'Hm', signature: 's' }]),
    is: 'empty',
  },
  {
    title: 'redacted thoughts alone',
    whole: claude('end_turn', [{ type: 'redacted_thinking', data: 'x' }]),
    is: 'empty',
  },
  {
    title: 'redacted thoughts and text',
    whole: claude('end_turn', [
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'Hi' },
    ]),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'pause_turn with text',
    whole: claude('pause_turn', [
      { type: 'text', text: 'I look' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    ]),
    is: 'cutOff',
    says: /not at its end/,
  },
  {
    title: 'pause_turn without text',
    whole: claude('pause_turn', [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    ]),
    is: 'empty',
  },
  {
    title: 'a search that failed and no text',
    whole: claude('end_turn', [
      {
        type: 'web_search_tool_result',
        tool_use_id: 's',
        content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      },
    ]),
    is: 'empty',
  },
  {
    title: 'a tool of a server that was used, and no text',
    whole: claude('end_turn', [
      { type: 'mcp_tool_use', id: 's', name: 'f', input: {}, server_name: 's' },
      { type: 'mcp_tool_result', tool_use_id: 's', content: [] },
    ]),
    is: 'empty',
  },
  {
    title: 'cut off, then a plain end',
    stream: [start, ...words, over('max_tokens'), over('end_turn'), last],
    is: 'cutOff',
    text: 'Hi',
  },
  {
    title: 'stop_sequence',
    whole: claude('stop_sequence', [{ type: 'text', text: 'Hi' }], { stop_sequence: '###' }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a refusal with half of a text',
    whole: claude('refusal', [{ type: 'text', text: 'I' }]),
    is: 'refused',
  },
  {
    title: 'a refusal that is explained',
    whole: claude('refusal', [], { stop_details: { type: 'refusal', explanation: 'Not this.' } }),
    is: 'refused',
    says: /Not this/,
  },
  {
    title: 'the window of context is full',
    whole: claude('model_context_window_exceeded', [{ type: 'text', text: 'Half' }]),
    is: 'cutOff',
  },
  {
    title: 'a call without a name',
    whole: claude('tool_use', [{ type: 'tool_use', id: 't', input: {} }]),
    is: 'malformed',
  },
  {
    title: 'an error',
    whole: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded.' } },
    is: 'error',
    says: /Overloaded/,
  },
  {
    title: 'a stream',
    stream: [start, ...words, over('end_turn'), last],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a stream named outside alone',
    stream: [start, ...words, over('end_turn'), last].map((event) => {
      const { type, ...rest } = event as { type: string };
      return `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`;
    }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'no message_stop',
    stream: [start, ...words, over('end_turn')],
    is: 'complete',
    text: 'Hi',
  },
  { title: 'no message_delta', stream: [start, ...words, last], is: 'complete', text: 'Hi' },
  { title: 'neither', stream: [start, ...words], is: 'broken' },
  {
    title: 'stop_reason empty from the start',
    stream: [{ type: 'message_start', message: claude('', []) }, ...words.slice(0, 2)],
    is: 'broken',
  },
  {
    title: 'no beginning of a block',
    stream: [start, piece('text_delta', { text: 'Hi' }), over('end_turn'), last],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'no beginning of a call',
    stream: [
      start,
      ...words,
      piece('input_json_delta', { partial_json: '{"a":1}' }, 1),
      over('tool_use'),
      last,
    ],
    is: 'malformed',
  },
  {
    title: 'a call in pieces',
    stream: [
      start,
      block(tool),
      piece('input_json_delta', { partial_json: '' }),
      piece('input_json_delta', { partial_json: '{"a"' }),
      piece('input_json_delta', { partial_json: ':1}' }),
      shut(),
      over('tool_use'),
      last,
    ],
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  {
    title: 'a call without arguments',
    stream: [start, block(tool), shut(), over('tool_use'), last],
    is: 'complete',
    calls: ['f({})'],
  },
  {
    title: 'a call that is cut',
    stream: [
      start,
      block(tool),
      piece('input_json_delta', { partial_json: '{"a' }),
      shut(),
      over('tool_use'),
      last,
    ],
    is: 'malformed',
  },
  {
    title: 'a call that is cut at the limit',
    stream: [
      start,
      block(tool),
      piece('input_json_delta', { partial_json: '{"a' }),
      shut(),
      over('max_tokens'),
      last,
    ],
    is: 'cutOff',
    calls: ['f({"a)'],
  },
  {
    title: 'an error as the first event',
    stream: [
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded."}}\n\n',
    ],
    is: 'error',
    says: /Overloaded/,
  },
  {
    title: 'an error in the middle',
    stream: [start, ...words, { type: 'error', error: { type: 'api_error', message: 'Gone.' } }],
    is: 'error',
    says: /Gone/,
  },
  {
    title: 'an error of a gateway',
    stream: [start, ...words, { error: { message: 'Gone.' } }],
    is: 'error',
    says: /Gone/,
  },
  {
    title: 'pings and events of tomorrow',
    stream: [
      start,
      { type: 'ping' },
      { type: 'dream', index: 0 },
      ...words,
      over('end_turn'),
      last,
    ],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a block of tomorrow',
    stream: [
      start,
      ...words,
      block({ type: 'dream', said: 'x' }, 1),
      shut(1),
      over('end_turn'),
      last,
    ],
    is: 'complete',
    text: 'Hi',
  },
  { title: 'nothing, for a reason of tomorrow', whole: claude('weird', []), is: 'empty' },
  { title: 'nothing, for a reason of tomorrow', stream: [start, over('weird'), last], is: 'empty' },
  {
    title: 'a call whose input is text',
    whole: claude('tool_use', [{ ...tool, input: '{"a":1}' }]),
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  {
    title: 'an error inside of a delta',
    stream: [
      start,
      ...words,
      { ...over('end_turn'), delta: { error: { message: 'Gone.' } } },
      last,
    ],
    is: 'error',
    says: /Gone/,
  },
  {
    title: 'a whole answer',
    stream: [JSON.stringify(claude('end_turn', [{ type: 'text', text: 'Hi' }]))],
    is: 'complete',
    text: 'Hi',
  },
];

const candidate = (finishReason: unknown, parts: unknown, more: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts }, finishReason, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 1 },
});
const saying = (text: string, reason?: string): object => candidate(reason, [{ text }]);

const gemini: readonly Odd[] = [
  { title: 'nothing, for a reason of tomorrow', whole: candidate('WEIRD', []), is: 'empty' },
  { title: 'nothing, for a reason of tomorrow', stream: [candidate('WEIRD', [])], is: 'empty' },
  {
    title: 'a call whose args are text',
    whole: candidate('STOP', [{ functionCall: { name: 'f', args: '{"a":1}' } }]),
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  {
    title: 'code that was run, and no text',
    whole: candidate('STOP', [
      { executableCode: { language: 'PYTHON', code: '1' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    ]),
    is: 'empty',
  },
  {
    title: 'cut off, then a plain end',
    stream: [saying('H', 'MAX_TOKENS'), saying('', 'STOP')],
    is: 'cutOff',
    text: 'H',
  },
  {
    title: 'no parts',
    whole: { candidates: [{ content: { role: 'model' }, finishReason: 'STOP' }] },
    is: 'empty',
  },
  { title: 'an empty part', whole: candidate('STOP', [{ text: '' }]), is: 'empty' },
  { title: 'a part without anything', whole: candidate('STOP', [{}]), is: 'empty' },
  {
    title: 'a signature alone',
    whole: candidate('STOP', [{ thoughtSignature: 'x' }]),
    is: 'empty',
  },
  {
    title: 'a text, then a signature alone',
    whole: candidate('STOP', [{ text: 'Hi' }, { thoughtSignature: 'x' }]),
    is: 'complete',
    text: 'Hi',
  },
  { title: 'content absent', whole: { candidates: [{ finishReason: 'STOP' }] }, is: 'empty' },
  {
    title: 'thoughts alone',
    whole: candidate('MAX_TOKENS', [{ text: 'Hm', thought: true }]),
    is: 'empty',
    says: /limit of tokens/,
  },
  { title: 'blocked', whole: { promptFeedback: { blockReason: 'OTHER' } }, is: 'failed' },
  {
    title: 'blocked for a reason of tomorrow',
    whole: { promptFeedback: { blockReason: 'DREAM' } },
    is: 'filtered',
    says: /DREAM/,
  },
  {
    title: 'feedback without a block',
    whole: { ...saying('Hi', 'STOP'), promptFeedback: { safetyRatings: [] } },
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'no candidates',
    whole: { usageMetadata: { promptTokenCount: 1 }, modelVersion: 'm' },
    is: 'empty',
  },
  { title: 'candidates null', whole: { candidates: null }, is: 'empty' },
  { title: 'safety with half of a text', whole: saying('Some', 'SAFETY'), is: 'filtered' },
  {
    title: 'a call that was malformed',
    whole: candidate('MALFORMED_FUNCTION_CALL', undefined, { finishMessage: 'print(f())' }),
    is: 'malformed',
    says: /print/,
  },
  {
    title: 'a call that nobody offered',
    whole: candidate('UNEXPECTED_TOOL_CALL', []),
    is: 'malformed',
  },
  {
    title: 'a response that was malformed',
    whole: candidate('MALFORMED_RESPONSE', []),
    is: 'malformed',
  },
  {
    title: 'a call without a name',
    whole: candidate('STOP', [{ functionCall: { args: {} } }]),
    is: 'malformed',
  },
  {
    title: 'a call without arguments',
    whole: candidate('STOP', [{ functionCall: { name: 'f' } }]),
    is: 'complete',
    calls: ['f({})'],
  },
  {
    title: 'parallel calls',
    whole: candidate('STOP', [
      { functionCall: { name: 'f', args: { a: 1 } } },
      { functionCall: { name: 'f', args: { a: 2 } } },
    ]),
    is: 'complete',
    calls: ['f({"a":1})', 'f({"a":2})'],
  },
  {
    title: 'a picture',
    whole: candidate('STOP', [{ inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }]),
    is: 'complete',
    text: '',
  },
  { title: 'no picture', whole: candidate('NO_IMAGE', []), is: 'failed' },
  {
    title: 'a part of tomorrow beside text',
    whole: candidate('STOP', [{ text: 'Hi' }, { dream: { x: 1 } }]),
    is: 'complete',
    text: 'Hi',
  },
  { title: 'inside of another object', whole: { response: saying('Hi', 'STOP') }, is: 'empty' },
  {
    title: 'an error in a list',
    whole: [{ error: { code: 503, message: 'Overloaded.' } }],
    is: 'error',
    says: /Overloaded/,
  },
  { title: 'a stream', stream: [saying('H'), saying('i', 'STOP')], is: 'complete', text: 'Hi' },
  { title: 'a stream without its end', stream: [saying('H'), saying('i')], is: 'broken' },
  { title: 'an empty reason', stream: [saying('H', ''), saying('i', '')], is: 'broken' },
  { title: 'no reason is said', stream: [saying('H', 'FINISH_REASON_UNSPECIFIED')], is: 'broken' },
  {
    title: 'an empty text at the end',
    stream: [saying('Hi'), saying('', 'STOP')],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'usage after the end',
    stream: [saying('Hi', 'STOP'), { usageMetadata: { promptTokenCount: 1 } }],
    is: 'complete',
    text: 'Hi',
  },
  { title: 'blocked', stream: [{ promptFeedback: { blockReason: 'SAFETY' } }], is: 'filtered' },
  {
    title: 'an error in the middle',
    stream: [saying('H'), { error: { code: 503, message: 'Overloaded.' } }],
    is: 'error',
    says: /Overloaded/,
  },
  {
    title: 'a list and no events',
    stream: [JSON.stringify([saying('H'), saying('i', 'STOP')])],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'half of a list',
    stream: [JSON.stringify([saying('H'), saying('i', 'STOP')]).slice(0, -9)],
    is: 'error',
  },
  {
    title: 'nothing but thoughts',
    stream: [candidate(undefined, [{ text: 'Hm', thought: true }]), candidate('STOP', [])],
    is: 'empty',
  },
];

const converse = (reason: unknown, content: unknown): object => ({
  ...{ output: { message: { role: 'assistant', content } }, stopReason: reason, usage: {} },
});
const bedrock: readonly Odd[] = [
  { title: 'no content', whole: converse('end_turn', []), is: 'empty' },
  { title: 'nothing, for a reason of tomorrow', whole: converse('weird', []), is: 'empty' },
  {
    title: 'a call whose input is text',
    whole: converse('tool_use', [{ toolUse: { toolUseId: 't', name: 'f', input: '{"a":1}' } }]),
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  { title: 'no message', whole: { output: {}, stopReason: 'end_turn' }, is: 'empty' },
  { title: 'an empty text', whole: converse('end_turn', [{ text: '' }]), is: 'empty' },
  {
    title: 'thoughts alone',
    whole: converse('max_tokens', [{ reasoningContent: { reasoningText: { text: 'Hm' } } }]),
    is: 'empty',
  },
  {
    title: 'redacted thoughts alone',
    whole: converse('end_turn', [{ reasoningContent: { redactedContent: 'eA==' } }]),
    is: 'empty',
  },
  {
    title: 'a guardrail',
    whole: converse('guardrail_intervened', [{ text: 'Blocked.' }]),
    is: 'filtered',
  },
  {
    title: 'a call without input',
    whole: converse('tool_use', [{ toolUse: { toolUseId: 't', name: 'f' } }]),
    is: 'complete',
    calls: ['f({})'],
  },
  {
    title: 'output that is malformed',
    whole: converse('malformed_model_output', []),
    is: 'malformed',
  },
  {
    title: 'a block of tomorrow beside text',
    whole: converse('end_turn', [{ text: 'Hi' }, { dream: { x: 1 } }]),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'words of the gateway',
    whole: { Message: 'x', message: 'Forbidden' },
    is: 'empty',
    says: /Forbidden/,
  },
];

const cohereOf = (reason: unknown, message: unknown): object => ({
  id: 'c',
  finish_reason: reason,
  message,
});
const part = (type: string, content: object): object => ({
  type,
  index: 0,
  delta: { message: { content } },
});
const opened = { type: 'message-start', id: 'c', delta: { message: { role: 'assistant' } } };
const closed = (finish_reason: unknown, more: object = {}): object => ({
  type: 'message-end',
  delta: { finish_reason, ...more },
});
const told = [
  part('content-start', { type: 'text', text: '' }),
  part('content-delta', { text: 'Hi' }),
  { type: 'content-end', index: 0 },
];

const cohere: readonly Odd[] = [
  { title: 'content null', whole: cohereOf('COMPLETE', { content: null }), is: 'empty' },
  { title: 'nothing, for a reason of tomorrow', whole: cohereOf('WEIRD', {}), is: 'empty' },
  { title: 'nothing, for a reason of tomorrow', stream: [opened, closed('WEIRD')], is: 'empty' },
  {
    title: 'a call whose arguments are an object, or parameters',
    whole: cohereOf('TOOL_CALL', {
      tool_calls: [
        { id: 't', function: { name: 'f', arguments: { a: 1 } } },
        { id: 'u', function: { name: 'g', parameters: { b: 2 } } },
      ],
    }),
    is: 'complete',
    calls: ['f({"a":1})', 'g({"b":2})'],
  },
  {
    title: 'an error inside of a delta',
    stream: [
      opened,
      { ...part('content-delta', {}), delta: { error: 'Gone.' } },
      closed('COMPLETE'),
    ],
    is: 'error',
    says: /Gone/,
  },
  { title: 'a plan alone', whole: cohereOf('COMPLETE', { tool_plan: 'I plan' }), is: 'empty' },
  {
    title: 'the first version of the API',
    whole: { text: 'Hi', finish_reason: 'COMPLETE' },
    is: 'empty',
  },
  {
    title: 'toxic',
    whole: cohereOf('ERROR_TOXIC', { content: [{ type: 'text', text: 'x' }] }),
    is: 'filtered',
  },
  {
    title: 'cancelled',
    whole: cohereOf('USER_CANCEL', { content: [{ type: 'text', text: 'x' }] }),
    is: 'failed',
  },
  {
    title: 'a call without arguments',
    whole: cohereOf('TOOL_CALL', {
      tool_calls: [{ id: 't', type: 'function', function: { name: 'f' } }],
    }),
    is: 'complete',
    calls: ['f()'],
  },
  {
    title: 'words alone',
    whole: { id: 'x', message: 'invalid api token' },
    is: 'empty',
    says: /invalid api token/,
  },
  { title: 'a stream', stream: [opened, ...told, closed('COMPLETE')], is: 'complete', text: 'Hi' },
  { title: 'a stream without its end', stream: [opened, ...told], is: 'broken' },
  {
    title: 'a stream that fails at its end',
    stream: [opened, ...told, closed('ERROR', { error: 'Gone.' })],
    is: 'error',
    says: /Gone/,
  },
  { title: 'a stream that times out', stream: [opened, ...told, closed('TIMEOUT')], is: 'failed' },
  {
    title: 'a stream that is cut off',
    stream: [opened, ...told, closed('MAX_TOKENS')],
    is: 'cutOff',
    text: 'Hi',
  },
];

/** Its events come in frames of AWS: cuts of those are a test of its own. */
const wholeOnly = anthropic.flatMap(({ stream: _, ...one }): Odd[] =>
  'whole' in one ? [one] : [],
);

export const oddOthers: readonly OddDialect[] = [
  { provider: 'openai', apiType: 'responses', odd: responses },
  { provider: 'openai.azure', apiType: 'responses', odd: responses },
  { provider: 'anthropic', odd: anthropic },
  { provider: 'vertexai', model: 'claude-sonnet-4', odd: anthropic },
  { provider: 'anthropic.bedrock', odd: wholeOnly },
  { provider: 'google', model: 'gemini-2.5-flash', odd: gemini },
  { provider: 'vertexai', model: 'gemini-2.5-flash', odd: gemini },
  { provider: 'amazon.bedrock', odd: bedrock },
  { provider: 'cohere', odd: cohere },
];
