/** Rows of Anthropic, Amazon and Google, whose streams are not all server-sent events. */
import { awsChunk, awsEvent, awsException, awsStreamHeaders } from './aws-stream.ts';
import type { CanaryRow } from './canary-rows.ts';
import type { ProviderAnswerScript } from './fake-provider.ts';
import { sse } from './fake-provider.ts';
import { chatTemplate } from './fake-service.ts';

type Words = Pick<CanaryRow, 'answer' | 'failure'>;

const message = (text: string): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test-1',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});
const claudeEvents = (text: string): readonly object[] => [
  {
    type: 'message_start',
    message: { ...message(''), content: [], stop_reason: null },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];
const claudeFailure = (text: string): readonly object[] => [
  ...claudeEvents('Hi').slice(0, 3),
  { type: 'error', error: { type: 'overloaded_error', message: text } },
];
const asEvents = (events: readonly object[]): ProviderAnswerScript => ({
  pieces: [sse(events, { named: true })],
});
const asAws = (...messages: readonly Uint8Array[]): ProviderAnswerScript => ({
  headers: awsStreamHeaders,
  pieces: messages,
});

const claude: Words = {
  answer: (isStream, said) => (isStream ? asEvents(claudeEvents(said)) : { body: message(said) }),
  failure: (said) => asEvents(claudeFailure(said)),
};

const claudeOnBedrock: Words = {
  answer: (isStream, said) =>
    isStream ? asAws(...claudeEvents(said).map(awsChunk)) : { body: message(said) },
  failure: (said) => asAws(...claudeFailure(said).map(awsChunk)),
};

const converse: Words = {
  answer: (isStream, said) =>
    isStream
      ? asAws(
          awsEvent('messageStart', { role: 'assistant' }),
          awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: said } }),
          awsEvent('contentBlockStop', { contentBlockIndex: 0 }),
          awsEvent('messageStop', { stopReason: 'end_turn' }),
        )
      : {
          body: {
            output: { message: { role: 'assistant', content: [{ text: said }] } },
            stopReason: 'end_turn',
          },
        },
  failure: (said) =>
    asAws(
      awsEvent('messageStart', { role: 'assistant' }),
      awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }),
      awsException('throttlingException', { message: said }),
    ),
};

const geminiAnswer = (text: string, finishReason?: string): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason, index: 0 }],
});
const gemini: Words = {
  answer: (isStream, said) =>
    isStream
      ? { pieces: [sse([geminiAnswer('Hi '), geminiAnswer(said, 'STOP')])] }
      : { body: geminiAnswer(said, 'STOP') },
  failure: (said) => ({
    pieces: [
      sse([geminiAnswer('Hi'), { error: { code: 503, message: said, status: 'UNAVAILABLE' } }]),
    ],
  }),
};

const claudeArguments = {
  model: 'claude-test-1',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'Hi' }],
};
const converseArguments = {
  modelId: 'amazon.nova-test-v1:0',
  messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
};
const geminiArguments = { model: 'gemini-test-1', contents: 'Hi' };

function row(
  title: string,
  provider: string,
  kwargs: { readonly model?: string; readonly modelId?: string },
  words: Words,
  rest: Pick<CanaryRow, 'at' | 'secrets' | 'missing'> & { readonly takesKeyOfTemplate?: boolean },
): CanaryRow {
  const model = kwargs.model ?? kwargs.modelId ?? '';
  return {
    title,
    provider,
    kwargs,
    template: (own) => chatTemplate({ provider, model, kwargs, ...own }),
    takesKeyOfTemplate: true,
    ...words,
    ...rest,
  };
}

const aws = (...secrets: readonly string[]) => ({
  at: (url: string) => ({ AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url }),
  secrets,
  missing: /AWS_BEARER_TOKEN_BEDROCK.*AWS_ACCESS_KEY_ID.*AWS_SECRET_ACCESS_KEY/,
});
const signing = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
const vertex = (baseVariable: string) => ({
  at: (url: string) => ({ [baseVariable]: url, VERTEX_AI_PROJECT_ID: 'project-1' }),
  secrets: ['CLOUDSDK_AUTH_ACCESS_TOKEN'],
  missing: /VERTEX_AI_PROJECT_ID.*GOOGLE_APPLICATION_CREDENTIALS/,
});

export const cloudRows: readonly CanaryRow[] = [
  row('Anthropic', 'anthropic', claudeArguments, claude, {
    at: (url) => ({ ANTHROPIC_BASE_URL: url }),
    secrets: ['ANTHROPIC_API_KEY'],
    missing: /\bANTHROPIC_API_KEY\b/,
  }),
  row('Claude on Bedrock, signed', 'anthropic.bedrock', claudeArguments, claudeOnBedrock, {
    ...aws(...signing),
    takesKeyOfTemplate: false,
  }),
  row(
    'Claude on Bedrock, with a key',
    'anthropic.bedrock',
    claudeArguments,
    claudeOnBedrock,
    aws('AWS_BEARER_TOKEN_BEDROCK'),
  ),
  row('Bedrock, signed', 'amazon.bedrock', converseArguments, converse, {
    ...aws(...signing),
    takesKeyOfTemplate: false,
  }),
  row(
    'Bedrock, with a key',
    'amazon.bedrock',
    converseArguments,
    converse,
    aws('AWS_BEARER_TOKEN_BEDROCK'),
  ),
  row('Gemini', 'google', geminiArguments, gemini, {
    at: (url) => ({ GOOGLE_GEMINI_BASE_URL: url }),
    secrets: ['GOOGLE_API_KEY'],
    missing: /\bGOOGLE_API_KEY\b.*\bGEMINI_API_KEY\b/,
  }),
  row('Gemini on Vertex AI', 'vertexai', geminiArguments, gemini, vertex('GOOGLE_VERTEX_BASE_URL')),
  row(
    'Claude on Vertex AI',
    'vertexai',
    claudeArguments,
    claude,
    vertex('ANTHROPIC_VERTEX_BASE_URL'),
  ),
];
