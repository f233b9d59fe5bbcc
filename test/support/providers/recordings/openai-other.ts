import type { Recording } from './recording.ts';

const head = {
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1_760_000_000,
  model: 'gpt-3.5-turbo-instruct',
};

const piece = (text: string, index = 0, finish: string | null = null, tokens?: object): object => ({
  ...head,
  choices: [{ text, index, logprobs: tokens ?? null, finish_reason: finish }],
});

const tokens = (token: string, offset: number): object => ({
  tokens: [token],
  token_logprobs: [-0.25],
  top_logprobs: [{ [token]: -0.25 }],
  text_offset: [offset],
});

const textUsage = { prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 };

const completions: Recording = {
  title: 'OpenAI completions: two choices with logprobs',
  provider: 'openai',
  apiType: 'chat-completions',
  templateType: 'completion',
  path: '/completions',
  kwargs: { model: 'gpt-3.5-turbo-instruct', prompt: 'Once', n: 2, logprobs: 1 },
  done: true,
  events: [
    piece(' upon', 0, null, tokens(' upon', 4)),
    piece(' more', 1, null, tokens(' more', 4)),
    piece(' a time', 0, null, tokens(' a time', 9)),
    piece('', 1, 'length'),
    piece('', 0, 'stop'),
    { ...head, choices: [], usage: textUsage },
  ],
  whole: {
    ...head,
    choices: [
      {
        text: ' upon a time',
        index: 0,
        logprobs: {
          tokens: [' upon', ' a time'],
          token_logprobs: [-0.25, -0.25],
          top_logprobs: [{ ' upon': -0.25 }, { ' a time': -0.25 }],
          text_offset: [4, 9],
        },
        finish_reason: 'stop',
      },
      { text: ' more', index: 1, logprobs: tokens(' more', 4), finish_reason: 'length' },
    ],
    usage: textUsage,
  },
  reply: { content: [{ type: 'text', text: ' upon a time' }], tool_calls: [] },
};

const about = { background: 'opaque', output_format: 'webp', quality: 'high', size: '1024x1024' };
const imageUsage = {
  input_tokens: 10,
  input_tokens_details: { image_tokens: 0, text_tokens: 10 },
  output_tokens: 100,
  total_tokens: 110,
};
const drawn = (type: string, picture: string, extra: object): object => ({
  type: `image_generation.${type}`,
  b64_json: Buffer.from(picture).toString('base64'),
  created_at: 1_760_000_000,
  ...about,
  ...extra,
});

const images: Recording = {
  title: 'OpenAI images: two sketches, then the image',
  provider: 'openai',
  apiType: 'images',
  templateType: 'completion',
  path: '/images/generations',
  kwargs: { model: 'gpt-image-1', prompt: 'A cat', partial_images: 2 },
  named: true,
  events: [
    drawn('partial_image', 'sketch', { partial_image_index: 0 }),
    drawn('partial_image', 'better', { partial_image_index: 1 }),
    drawn('completed', 'a cat', { usage: imageUsage }),
  ],
  whole: {
    created: 1_760_000_000,
    ...about,
    data: [{ b64_json: Buffer.from('a cat').toString('base64') }],
    usage: imageUsage,
  },
  reply: {
    content: [
      {
        type: 'output_media',
        url: Buffer.from('a cat').toString('base64'),
        mime_type: 'image/webp',
        media_type: 'image',
        provider_metadata: about,
      },
    ],
    tool_calls: [],
  },
};

export const openAiOther: readonly Recording[] = [completions, images];
