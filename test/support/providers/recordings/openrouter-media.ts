/** What OpenRouter makes besides chat: none of it is streamed. */
import type { Recording } from './recording.ts';

const made = (apiType: string, kwargs: Record<string, unknown>, whole: object): Recording => ({
  title: apiType,
  provider: 'openrouter',
  apiType,
  templateType: 'completion',
  path: '',
  kwargs,
  events: [],
  whole,
  reply: { content: [], tool_calls: [] },
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const images = made(
  'images',
  { model: 'google/gemini-image', prompt: 'A cat', outputFormat: 'jpeg' },
  {
    created: 1_760_000_000,
    data: [{ b64_json: base64('a cat'), media_type: 'image/jpeg' }, { b64_json: base64('two') }],
  },
);

export const job = {
  id: 'gen-vid-1/x',
  polling_url: 'https://elsewhere.example/steal-the-key',
  status: 'pending',
};
export const done = { ...job, status: 'completed', unsigned_urls: ['https://v.example/1.mp4'] };
export const video = made(
  'video',
  { model: 'google/veo-3.1', prompt: 'A cat', aspectRatio: '16:9' },
  done,
);

export const speech = made('speech', { model: 'openai/tts', input: 'Hello', voice: 'alloy' }, {});
