/** The prompt service and a provider in a process of their own, so that they cost no client time. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatTemplate } from '../../support/providers/fake-service.ts';

const word = 'twelve chars';

const chunkOf = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'gpt-bench',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })}\n\n`;

function streamOf(chunks: number): Buffer {
  const usage = `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-bench', choices: [], usage: { prompt_tokens: 1, completion_tokens: chunks, total_tokens: chunks + 1 } })}\n\n`;
  return Buffer.from(
    chunkOf({ role: 'assistant', content: '' }) +
      chunkOf({ content: word }).repeat(chunks) +
      chunkOf({}, 'stop') +
      usage +
      'data: [DONE]\n\n',
  );
}

const streams = new Map<number, Buffer>();
const whole = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-bench',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: word, refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
});

/** 40 messages of f-string text with variables, as a real template has. */
const text = 'You are {role}. Answer {question} for {user} in {language}, briefly. ';
const template = JSON.stringify(
  chatTemplate({
    prompt_template: {
      type: 'chat',
      messages: Array.from({ length: 8 }, (_, at) => ({
        role: at === 0 ? 'system' : 'user',
        input_variables: ['role', 'question', 'user', 'language'],
        template_format: 'f-string',
        content: [{ type: 'text', text: text.repeat(5) }],
      })),
      input_variables: [],
    },
    kwargs: {
      model: 'gpt-bench',
      messages: Array.from({ length: 8 }, (_, at) => ({
        role: at === 0 ? 'system' : 'user',
        content: [{ type: 'text', text: text.repeat(5) }],
      })),
    },
  }),
);

const server = http.createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const json = { 'content-type': 'application/json' };
    const url = request.url ?? '';
    if (url.startsWith('/prompt-templates')) response.writeHead(200, json).end(template);
    else if (url.startsWith('/track-request')) {
      response
        .writeHead(200, json)
        .end('{"request_id":1,"prompt_blueprint":{"prompt_template":{}}}');
    } else if (Buffer.concat(pieces).includes('"stream":true')) {
      // The model's name says how long the answer is.
      const chunks = Number(/\/chunks\/(\d+)\//.exec(url)?.[1] ?? 100);
      let bytes = streams.get(chunks);
      if (bytes === undefined) streams.set(chunks, (bytes = streamOf(chunks)));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bytes);
    } else response.writeHead(200, json).end(whole);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
