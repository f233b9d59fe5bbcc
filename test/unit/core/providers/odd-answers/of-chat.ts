import type { Odd, OddDialect } from './odd.ts';
import { call, chat, chunk, done, usage } from './odd.ts';

const hi = chunk({ role: 'assistant', content: 'Hi' });
const stop = chunk({}, 'stop');
const json = (value: unknown): string => `data: ${JSON.stringify(value)}`;

const whole: readonly Odd[] = [
  { title: 'content null', whole: chat('stop', { content: null }), is: 'empty' },
  { title: 'content a list without parts', whole: chat('stop', { content: [] }), is: 'empty' },
  {
    title: 'content in parts',
    whole: chat('stop', {
      content: [
        { type: 'text', text: 'H' },
        { type: 'text', text: 'i' },
      ],
    }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'content in parts of the Responses API',
    whole: chat('stop', { content: [{ type: 'output_text', text: 'Hi' }] }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'content one part, no list',
    whole: chat('stop', { content: { type: 'text', text: 'Hi' } }),
    is: 'complete',
    text: 'Hi',
  },
  { title: 'a number as content', whole: chat('stop', { content: 7 }), is: 'empty' },
  {
    title: 'reasoning_content alone (DeepSeek, all tokens spent)',
    whole: chat('length', { content: '', reasoning_content: 'Hm' }),
    is: 'empty',
    says: /limit of tokens was spent/,
  },
  {
    title: 'reasoning alone (Ollama, OpenRouter)',
    whole: chat('stop', { content: '', reasoning: 'Hm' }),
    is: 'empty',
  },
  {
    title: 'reasoning_details encrypted, no text',
    whole: chat('stop', {
      content: null,
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }],
    }),
    is: 'empty',
  },
  {
    title: 'reasoning beside text',
    whole: chat('stop', { content: 'Hi', reasoning_content: 'Hm', reasoning: null }),
    is: 'complete',
    text: 'Hi',
  },
  { title: 'message null', whole: chat('stop', null), is: 'empty' },
  {
    title: 'choices null, MiniMax words',
    whole: { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
    is: 'empty',
    says: /insufficient balance/,
  },
  { title: 'choices an object', whole: { choices: { message: { content: 'Hi' } } }, is: 'empty' },
  {
    title: 'no finish_reason',
    whole: { choices: [{ message: { role: 'assistant', content: 'Hi' } }] },
    is: 'complete',
    text: 'Hi',
  },
  { title: 'finish_reason empty', whole: chat('', { content: 'Hi' }), is: 'complete', text: 'Hi' },
  {
    title: 'finish_reason the word null (DashScope)',
    whole: chat('null', { content: 'Hi' }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'finish_reason in capitals',
    whole: chat('MAX_TOKENS', { content: 'Half' }),
    is: 'cutOff',
  },
  {
    title: 'finish_reason max_completion_tokens',
    whole: chat('max_completion_tokens', { content: 'Half' }),
    is: 'cutOff',
  },
  {
    title: 'finish_reason end_turn (xAI)',
    whole: chat('end_turn', { content: 'Hi' }),
    is: 'complete',
  },
  { title: 'finish_reason eos (Together)', whole: chat('eos', { content: 'Hi' }), is: 'complete' },
  {
    title: 'finish_reason network_error (z.AI)',
    whole: chat('network_error', { content: 'Half' }),
    is: 'failed',
    says: /network_error/,
  },
  {
    title: 'finish_reason sensitive (z.AI)',
    whole: chat('sensitive', { content: '' }),
    is: 'filtered',
  },
  {
    title: 'finish_reason insufficient_system_resource (DeepSeek)',
    whole: chat('insufficient_system_resource', { content: 'Half' }),
    is: 'failed',
  },
  {
    title: 'finish_reason model_context_window_exceeded',
    whole: chat('model_context_window_exceeded', { content: 'Half' }),
    is: 'cutOff',
  },
  {
    title: 'finish_reason abort (SGLang)',
    whole: chat('abort', { content: 'Half' }),
    is: 'failed',
  },
  {
    title: 'finish_reason load, no text (Ollama)',
    whole: chat('load', { content: '' }),
    is: 'empty',
    says: /load/,
  },
  {
    title: 'an error in the choice',
    whole: chat(null, { content: 'Half' }, { error: { code: 502, message: 'Upstream lost.' } }),
    is: 'failed',
    says: /Upstream lost/,
  },
  {
    title: 'an error in the choice, finish_reason error',
    whole: chat('error', { content: '' }, { error: { code: 502, message: 'Upstream lost.' } }),
    is: 'failed',
    says: /Upstream lost/,
  },
  {
    title: 'an error beside a clean stop',
    whole: chat('stop', { content: 'Hi' }, { error: { message: 'x' } }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'native_finish_reason tells more: filtered',
    whole: chat('stop', { content: 'Some' }, { native_finish_reason: 'SAFETY' }),
    is: 'filtered',
  },
  {
    title: 'native_finish_reason tells more: cut off',
    whole: chat('stop', { content: 'Half' }, { native_finish_reason: 'MAX_TOKENS' }),
    is: 'cutOff',
  },
  {
    title: 'native_finish_reason the same',
    whole: chat('stop', { content: 'Hi' }, { native_finish_reason: 'completed' }),
    is: 'complete',
  },
  {
    title: 'native_finish_reason unknown',
    whole: chat('stop', { content: 'Hi' }, { native_finish_reason: 'eog' }),
    is: 'complete',
  },
  {
    title: 'error an empty text',
    whole: { ...chat('stop', { content: 'Hi' }), error: '' },
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'error false',
    whole: { ...chat('stop', { content: 'Hi' }), error: false },
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'error a text (LM Studio)',
    whole: { error: 'Model unloaded.' },
    is: 'error',
    says: /Model unloaded/,
  },
  {
    title: 'error in a list',
    whole: [{ error: { message: 'Quota.' } }],
    is: 'error',
    says: /Quota/,
  },
  {
    title: 'object error (vLLM)',
    whole: { object: 'error', message: 'Too long.', type: 'BadRequestError', code: 400 },
    is: 'error',
    says: /Too long/,
  },
  {
    title: 'code and msg',
    whole: { code: 500, msg: 'Busy.', data: null },
    is: 'empty',
    says: /Busy/,
  },
  {
    title: 'error_msg (Baidu)',
    whole: { error_code: 336, error_msg: 'Invalid.' },
    is: 'empty',
    says: /Invalid/,
  },
  {
    title: 'errors in a list (Cloudflare)',
    whole: { success: false, errors: [{ code: 7, message: 'No route.' }], result: null },
    is: 'empty',
    says: /No route/,
  },
  { title: 'a web page', whole: '<html><body>Log in</body></html>', is: 'error', says: /not JSON/ },
  { title: 'nothing at all', whole: '', is: 'error', says: /not JSON/ },
  {
    title: 'half of the JSON',
    whole: '{"choices":[{"message":{"content":"Hi"',
    is: 'error',
    says: /not JSON/,
  },
  { title: 'null', whole: null, is: 'empty' },
  {
    title: 'a stream that was not asked for',
    whole: `${json(hi)}\n\n${done}`,
    is: 'error',
    says: /not JSON/,
  },
  {
    title: 'a byte order mark',
    whole: `\ufeff${JSON.stringify(chat('stop', { content: 'Hi' }))}`,
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a refusal beside text',
    whole: chat('stop', { content: 'I', refusal: 'No.' }),
    is: 'refused',
    says: /No\./,
  },
  {
    title: 'an empty refusal',
    whole: chat('stop', { content: 'Hi', refusal: '' }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'filtered with half of a text (Azure)',
    whole: chat(
      'content_filter',
      { content: 'Some' },
      { content_filter_results: { hate: { filtered: true } } },
    ),
    is: 'filtered',
  },
  {
    title: 'tool_calls null',
    whole: chat('stop', { content: 'Hi', tool_calls: null }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'tool_calls empty, no text',
    whole: chat('tool_calls', { content: null, tool_calls: [] }),
    is: 'empty',
  },
  {
    title: 'calls under the reason stop',
    whole: chat('stop', { content: null, tool_calls: [call('f', '{"a":1}', { id: 'x' })] }),
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  {
    title: 'arguments an object (Ollama)',
    whole: chat('tool_calls', { content: '', tool_calls: [call('f', { a: 1 })] }),
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  {
    title: 'parameters in the place of arguments',
    whole: chat('tool_calls', {
      content: null,
      tool_calls: [
        { id: 'x', type: 'function', function: { name: 'f', parameters: { a: 1 } } },
        { id: 'y', type: 'function', function: { name: 'g', parameters: '{"b":2}' } },
        { id: 'z', type: 'function', function: { name: 'h', arguments: '', parameters: { c: 3 } } },
      ],
    }),
    is: 'complete',
    calls: ['f({"a":1})', 'g({"b":2})', 'h({"c":3})'],
  },
  {
    title: 'parameters that are half of an object',
    whole: chat('tool_calls', {
      tool_calls: [{ id: 'x', function: { name: 'f', parameters: '{"a":' } }],
    }),
    is: 'malformed',
  },
  {
    title: 'function_call with an object',
    whole: chat('function_call', {
      content: null,
      function_call: { name: 'f', arguments: { a: 1 } },
    }),
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  {
    title: 'an error in the message, and no text',
    whole: chat(null, { content: '', error: { message: 'Gone.' } }),
    is: 'failed',
    says: /Gone/,
  },
  {
    title: 'nothing, for a reason of tomorrow',
    whole: chat('weird', { content: '' }),
    is: 'empty',
  },
  {
    title: 'a text, for a reason of tomorrow',
    whole: chat('weird', { content: 'Hi' }),
    is: 'unknown',
    text: 'Hi',
  },
  {
    title: 'arguments a list',
    whole: chat('tool_calls', { content: '', tool_calls: [call('f', ['a'])] }),
    is: 'complete',
    calls: ['f(["a"])'],
  },
  {
    title: 'arguments null',
    whole: chat('tool_calls', { content: '', tool_calls: [call('f', null)] }),
    is: 'complete',
    calls: ['f()'],
  },
  {
    title: 'two calls without ids',
    whole: chat('tool_calls', { content: null, tool_calls: [call('f', '{}'), call('f', '{}')] }),
    is: 'complete',
    calls: ['f({})', 'f({})'],
  },
  {
    title: 'a call without a function',
    whole: chat('tool_calls', {
      content: null,
      tool_calls: [{ id: 'x', name: 'f', arguments: '{}' }],
    }),
    is: 'malformed',
  },
  {
    title: 'arguments that are cut',
    whole: chat('tool_calls', { content: null, tool_calls: [call('f', '{"a":')] }),
    is: 'malformed',
  },
  {
    title: 'arguments with two objects',
    whole: chat('tool_calls', { content: null, tool_calls: [call('f', '{"a":1}{"b":2}')] }),
    is: 'malformed',
  },
  {
    title: 'a function_call of old',
    whole: chat('function_call', { content: null, function_call: { name: 'f', arguments: '{}' } }),
    is: 'complete',
    calls: ['f({})'],
  },
  {
    title: 'a picture and no text (OpenRouter)',
    whole: chat('stop', {
      content: '',
      images: [{ image_url: { url: 'data:image/png;base64,iVBORw==' } }],
    }),
    is: 'complete',
    text: '',
  },
  {
    title: 'sound and no text',
    whole: chat('stop', {
      content: null,
      audio: { id: 'a', data: 'AAAA', transcript: 'Hi', expires_at: 1 },
    }),
    is: 'complete',
    text: '',
  },
  {
    title: 'annotations',
    whole: chat('stop', {
      content: 'Hi',
      annotations: [{ type: 'url_citation', url_citation: { url: 'u', title: 't' } }],
    }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'logprobs alone',
    whole: chat('stop', { content: '' }, { logprobs: { content: [{ token: 'Hi' }] } }),
    is: 'empty',
  },
  {
    title: 'the first choice is the second in the list',
    whole: {
      choices: [
        { index: 1, message: { content: 'B' }, finish_reason: 'stop' },
        { index: 0, message: { content: 'A' }, finish_reason: 'stop' },
      ],
    },
    is: 'complete',
    text: 'A',
  },
  {
    title: 'the first choice is cut off and second in the list',
    whole: {
      choices: [
        { index: 1, message: { content: 'B' }, finish_reason: 'stop' },
        { index: 0, message: { content: 'A' }, finish_reason: 'length' },
      ],
    },
    is: 'cutOff',
    text: 'A',
  },
  { title: 'nothing to see', whole: chat('stop', { content: '\u200b\u0000' }), is: 'empty' },
  {
    title: 'content one part without a type',
    whole: chat('stop', { content: { text: 'Hi' } }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'content a list of texts',
    whole: chat('stop', { content: ['H', { text: 'i' }] }),
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a call whose name is a blank',
    whole: chat('tool_calls', { tool_calls: [call(' ', '{}')] }),
    is: 'malformed',
    calls: [' ({})'],
  },
  {
    title: 'error a list without anything',
    whole: { ...chat('stop', { content: 'Hi' }), error: [] },
    is: 'complete',
    text: 'Hi',
  },
  ...(
    [
      ['content_policy_violation', 'filtered'],
      ['unsafe', 'filtered'],
      ['refused', 'refused'],
      ['internal_server_error', 'failed'],
      ['rate_limit_exceeded', 'failed'],
      ['user_cancelled', 'failed'],
      ['not_finished', 'cutOff'],
      ['time_limit', 'cutOff'],
      ['TRUNCATED', 'cutOff'],
      ['of_tomorrow', 'unknown'],
    ] as const
  ).map(([reason, is]): Odd => ({
    title: `finish_reason ${reason}`,
    whole: chat(reason, { content: 'Hi' }),
    is,
  })),
];

const streamed: readonly Odd[] = [
  { title: 'no [DONE]', stream: [hi, stop], is: 'complete', text: 'Hi' },
  { title: 'no finish_reason but [DONE]', stream: [hi, done], is: 'complete', text: 'Hi' },
  { title: 'neither', stream: [hi], is: 'broken' },
  { title: '[DONE] alone', stream: [done], is: 'empty' },
  { title: '[DONE] and a blank', stream: [hi, 'data: [DONE] \n\n'], is: 'complete', text: 'Hi' },
  { title: '[DONE] in quotes', stream: [hi, 'data: ["DONE"]\n\n'], is: 'complete', text: 'Hi' },
  { title: '[DONE] without a line end', stream: [hi, 'data: [DONE]'], is: 'complete', text: 'Hi' },
  {
    title: '[DONE] as text',
    stream: [chunk({ content: '[DONE]' }), stop, done],
    is: 'complete',
    text: '[DONE]',
  },
  {
    title: 'the last event without a blank line',
    stream: [hi, `${json(stop)}\n`],
    is: 'complete',
    text: 'Hi',
  },
  { title: 'the last event cut', stream: [hi, json(stop).slice(0, -3)], is: 'broken' },
  {
    title: 'no blank lines at all',
    stream: [`${json(hi)}\n`, `${json(stop)}\n`, 'data: [DONE]\n'],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'two objects in one event',
    stream: [`${json(hi)}${JSON.stringify(stop)}\n\n`, done],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'an object that spans lines of data',
    stream: [`data: ${JSON.stringify(hi, undefined, 1).replaceAll('\n', '\ndata: ')}\n\n`, stop],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'carriage returns',
    stream: [`${json(hi)}\r\n\r\n`, `${json(stop)}\r\r`],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'comments and pings',
    stream: [
      ': OPENROUTER PROCESSING\n\n',
      'event: ping\ndata:\n\n',
      'event: ping\n\n',
      hi,
      ': x\n',
      stop,
    ],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'no blank after the colon',
    stream: [`data:${JSON.stringify(hi)}\n\n`, `data:${JSON.stringify(stop)}\n\n`],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'ids and waits',
    stream: [`id: 1\nretry: 5\nevent: message\n${json(hi)}\n\n`, stop],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'no JSON in the middle',
    stream: [hi, 'data: {"choices":[{"delta"\n\n', stop],
    is: 'error',
    says: /not its own protocol/,
  },
  {
    title: 'finish_reason empty in every chunk (Ollama)',
    stream: [chunk({ content: 'Hi' }, ''), chunk({ content: ' you' }, '')],
    is: 'broken',
  },
  {
    title: 'finish_reason the word null in every chunk (DashScope)',
    stream: [chunk({ content: 'Hi' }, 'null'), chunk({ content: ' you' }, 'null')],
    is: 'broken',
  },
  {
    title: 'the word null, then stop',
    stream: [chunk({ content: 'Hi' }, 'null'), chunk({ content: '' }, 'stop')],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'stop on a thought, then the text (Open WebUI)',
    stream: [chunk({ reasoning_content: 'Hm' }, 'stop'), chunk({ content: 'Hi' }), stop, done],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'thoughts alone, then the end',
    stream: [chunk({ reasoning: 'Hm' }), chunk({}, 'length'), done],
    is: 'empty',
  },
  { title: 'delta null', stream: [hi, chunk(null, 'stop'), done], is: 'complete', text: 'Hi' },
  {
    title: 'delta absent',
    stream: [hi, { choices: [{ index: 0, finish_reason: 'stop' }] }, done],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'content null in deltas',
    stream: [hi, chunk({ content: null }), stop],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'content in parts',
    stream: [
      chunk({ content: [{ type: 'text', text: 'H' }] }),
      chunk({ content: [{ type: 'text', text: 'i' }] }),
      stop,
    ],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'choices empty first (Azure)',
    stream: [{ choices: [], prompt_filter_results: [] }, hi, stop, done],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'usage last',
    stream: [hi, stop, usage({ prompt_tokens: 1, completion_tokens: 2 }), done],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'usage last with choices null',
    stream: [hi, stop, usage({ prompt_tokens: 1 }, null), done],
    is: 'complete',
    text: 'Hi',
  },
  { title: 'usage null', stream: [hi, { ...stop, usage: null }, done], is: 'complete', text: 'Hi' },
  {
    title: 'filtered after the stop (Azure, asynchronously)',
    stream: [hi, stop, chunk({}, 'content_filter'), done],
    is: 'filtered',
  },
  { title: 'cut off', stream: [hi, chunk({}, 'length'), done], is: 'cutOff', text: 'Hi' },
  {
    title: 'an error in the middle',
    stream: [hi, { error: { message: 'Overloaded.', code: 529 } }, done],
    is: 'error',
    says: /Overloaded/,
  },
  {
    title: 'an error in the middle, as a text',
    stream: [hi, { error: 'Overloaded.' }],
    is: 'error',
    says: /Overloaded/,
  },
  {
    title: 'an error named by its event, in words',
    stream: [hi, 'event: error\ndata: Model crashed\n\n'],
    is: 'error',
    says: /Model crashed/,
  },
  {
    title: 'an error in a line of its own (llama.cpp)',
    stream: [hi, 'error: {"code":500,"message":"Slot lost."}\n\n'],
    is: 'error',
    says: /Slot lost/,
  },
  {
    title: 'an error beside the choice (OpenRouter)',
    stream: [
      hi,
      { ...chunk({ content: '' }, 'error'), error: { code: 502, message: 'Gone.' } },
      done,
    ],
    is: 'error',
    says: /Gone/,
  },
  { title: 'finish_reason error', stream: [hi, chunk({}, 'error'), done], is: 'failed' },
  {
    title: 'an error inside of the choice',
    stream: [hi, chunk({}, 'error', { error: { message: 'Gone.' } }), done],
    is: 'failed',
    says: /Gone/,
  },
  {
    title: 'x_groq error',
    stream: [hi, { choices: [], x_groq: { error: 'over capacity' } }],
    is: 'error',
    says: /over capacity/,
  },
  {
    title: 'a web page',
    stream: ['<html><body>Log in</body></html>'],
    is: 'error',
    says: /not JSON/,
  },
  { title: 'a sentence', stream: ['Too many requests\n'], is: 'error', says: /not JSON/ },
  { title: 'no bytes', stream: [], is: 'broken' },
  {
    title: 'a whole answer',
    stream: [JSON.stringify(chat('stop', { role: 'assistant', content: 'Hi' }))],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a whole error',
    stream: ['{"error":{"message":"Bad key."}}'],
    is: 'error',
    says: /Bad key/,
  },
  {
    title: 'the message so far beside deltas',
    stream: [
      chunk({ content: 'H' }, null, { message: { content: 'H' } }),
      chunk({ content: 'i' }, 'stop', { message: { content: 'Hi' } }),
    ],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a refusal in pieces',
    stream: [chunk({ refusal: 'No' }), chunk({ refusal: '.' }), stop, done],
    is: 'refused',
    says: /No\./,
  },
  {
    title: 'a call in pieces',
    stream: [
      chunk({ tool_calls: [call('f', '', { index: 0, id: 'x' })] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
      chunk({}, 'tool_calls'),
      done,
    ],
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  {
    title: 'a call cut',
    stream: [
      chunk({ tool_calls: [call('f', '{"a', { index: 0, id: 'x' })] }),
      chunk({}, 'tool_calls'),
      done,
    ],
    is: 'malformed',
  },
  {
    title: 'whole calls, all with the index 0 (Ollama)',
    stream: [
      chunk({ tool_calls: [call('f', '{"a":1}', { index: 0, id: 'x' })] }),
      chunk({ tool_calls: [call('g', '{"b":2}', { index: 0, id: 'y' })] }),
      chunk({}, 'stop'),
      done,
    ],
    is: 'complete',
    calls: ['f({"a":1})', 'g({"b":2})'],
  },
  {
    title: 'calls without index and id',
    stream: [
      chunk({ tool_calls: [call('f', '{"a":1}'), call('g', '{"b":2}')] }),
      chunk({}, 'tool_calls'),
      done,
    ],
    is: 'complete',
    calls: ['f({"a":1})', 'g({"b":2})'],
  },
  {
    title: 'calls whose index is a text',
    stream: [
      chunk({ tool_calls: [call('f', '{"a"', { index: '0' }), call('g', '{"b"', { index: '1' })] }),
      chunk({
        tool_calls: [
          call(undefined, ':1}', { index: '0' }),
          call(undefined, ':2}', { index: '1' }),
        ],
      }),
      chunk({}, 'tool_calls'),
      done,
    ],
    is: 'complete',
    calls: ['f({"a":1})', 'g({"b":2})'],
  },
  {
    title: 'calls that go on in turns, by their ids alone',
    stream: [
      chunk({ tool_calls: [call('f', '{"a"', { id: 'x' })] }),
      chunk({ tool_calls: [call('g', '{"b"', { id: 'y' })] }),
      chunk({ tool_calls: [call(undefined, ':1}', { id: 'x' })] }),
      chunk({ tool_calls: [call(undefined, ':2}', { id: 'y' })] }),
      chunk({}, 'tool_calls'),
      done,
    ],
    is: 'complete',
    calls: ['f({"a":1})', 'g({"b":2})'],
  },
  ...(['length', 'content_filter', 'error'] as const).map((reason): Odd => ({
    title: `${reason}, then stop`,
    stream: [hi, chunk({}, reason), stop, done],
    is: reason === 'length' ? 'cutOff' : reason === 'error' ? 'failed' : 'filtered',
  })),
  ...[
    { code: 429, message: 'slow down' },
    { status: 'error', message: 'slow down' },
    { success: false, msg: 'slow down' },
    { detail: 'slow down' },
  ].map((event): Odd => ({
    title: `words in the place of a chunk: ${Object.keys(event).join(', ')}`,
    stream: [hi, event, done],
    is: 'error',
    says: /slow down/,
  })),
  {
    title: 'words of a gateway that works',
    stream: [{ status: 'ok', code: 200, message: 'queued' }, hi, stop, done],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'something after [DONE]',
    stream: [hi, stop, done, chunk({ content: ' more' })],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'the same tool twice, without index and id',
    stream: [
      chunk({ tool_calls: [call('f', '{"a":1}')] }),
      chunk({ tool_calls: [call('f', '{"a":2}')] }),
      chunk({}, 'tool_calls'),
    ],
    is: 'complete',
    calls: ['f({"a":1})', 'f({"a":2})'],
  },
  {
    title: 'the name again in every piece',
    stream: [
      chunk({ tool_calls: [call('f', '{"a"', { index: 0, id: 'x' })] }),
      chunk({ tool_calls: [call('f', ':1}', { index: 0, id: 'x' })] }),
      chunk({}, 'tool_calls'),
    ],
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  {
    title: 'arguments an object',
    stream: [chunk({ tool_calls: [call('f', { a: 1 }, { index: 0 })] }), chunk({}, 'tool_calls')],
    is: 'complete',
    calls: ['f({"a":1})'],
  },
  {
    title: 'arguments empty',
    stream: [
      chunk({ tool_calls: [call('f', '', { index: 0, id: 'x' })] }),
      chunk({}, 'tool_calls'),
    ],
    is: 'complete',
    calls: ['f()'],
  },
  {
    title: 'name null after the first piece',
    stream: [
      chunk({ tool_calls: [call('f', '', { index: 0, id: 'x' })] }),
      chunk({ tool_calls: [{ index: 0, id: null, function: { name: null, arguments: '{}' } }] }),
      chunk({}, 'tool_calls'),
    ],
    is: 'complete',
    calls: ['f({})'],
  },
  {
    title: 'parameters in the place of arguments',
    stream: [
      chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'f', parameters: { a: 1 } } }] }),
      chunk({
        tool_calls: [{ index: 1, id: 'y', function: { name: 'g', parameters: '{"b":2}' } }],
      }),
      chunk({}, 'tool_calls'),
    ],
    is: 'complete',
    calls: ['f({"a":1})', 'g({"b":2})'],
  },
  {
    title: 'an error inside of a delta, and a plain end',
    stream: [hi, chunk({ error: { message: 'Gone.' } }), stop, done],
    is: 'error',
    says: /Gone/,
  },
  {
    title: 'an error inside of a choice, and a plain end',
    stream: [hi, chunk({}, null, { error: { message: 'Gone.' } }), stop, done],
    is: 'failed',
    says: /Gone/,
  },
  { title: 'nothing, for a reason of tomorrow', stream: [chunk({}, 'weird'), done], is: 'empty' },
  {
    title: 'something after [DONE] in words of no event',
    stream: [hi, stop, done, '<html></html>\n\n', 'OK\n\n'],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a field that is not known',
    stream: [hi, 'x-trace: 7\n\n', 'X-Region:eu\n', 'keep-alive\n\n', stop, done],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'a second choice that goes on',
    stream: [hi, stop, { choices: [{ index: 1, delta: { content: 'B' }, finish_reason: null }] }],
    is: 'broken',
  },
];

const text = (reason: unknown, said: string): object => ({
  ...{
    id: 't',
    object: 'text_completion',
    choices: [{ index: 0, text: said, finish_reason: reason }],
  },
});
const completions: readonly Odd[] = [
  { title: 'a text', whole: text('stop', 'Hi'), is: 'complete', text: 'Hi' },
  { title: 'no text', whole: text('stop', ''), is: 'empty' },
  { title: 'nothing, for a reason of tomorrow', whole: text('weird', ''), is: 'empty' },
  { title: 'nothing, for a reason of tomorrow', stream: [text('weird', ''), done], is: 'empty' },
  { title: 'a stream', stream: [text(null, 'H'), text('stop', 'i'), done], is: 'complete' },
  { title: 'cut off', whole: text('length', 'Half'), is: 'cutOff' },
  {
    title: 'finish_reason empty in every chunk',
    stream: [text('', 'Hi'), text('', ' you')],
    is: 'broken',
  },
  {
    title: 'finish_reason empty, then stop',
    stream: [text('', 'Hi'), text('stop', '')],
    is: 'complete',
    text: 'Hi',
  },
  {
    title: 'an error in the middle',
    stream: [text(null, 'Hi'), { error: { message: 'Gone.' } }],
    is: 'error',
    says: /Gone/,
  },
];

export const oddChats: readonly OddDialect[] = [
  ...['openai', 'mistral', 'openrouter'].map((provider) => ({
    ...{ provider, odd: [...whole, ...streamed] },
  })),
  { provider: 'openai', templateType: 'completion', apiType: 'completions', odd: completions },
];
