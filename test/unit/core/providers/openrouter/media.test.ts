import assert from 'node:assert/strict';
import { OpenRouter } from '@openrouter/sdk';
import type { RunResult } from '../../../../../src/core/run/options.ts';
import type { ProviderScript } from '../../../../support/providers/fake-provider.ts';
import {
  done,
  images,
  job,
  speech,
  video,
} from '../../../../support/providers/recordings/openrouter-media.ts';
import type { Recording } from '../../../../support/providers/recordings/recording.ts';
import type { Stage } from '../../../../support/providers/stage.ts';
import { setStage, streamed } from '../../../../support/providers/stage.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('core: OpenRouter beyond chat', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  const run = async (recording: Recording, script?: ProviderScript): Promise<RunResult> => {
    stage = await setStage(recording, script === undefined ? {} : { script });
    return stage.client.run({ promptName: 'greeting' });
  };

  /** The reply of our own making: what a run gives whose answer can not be logged. */
  async function replyOf(recording: Recording, script?: ProviderScript): Promise<unknown> {
    stage = await setStage(recording, script === undefined ? {} : { script });
    stage.service.trackStatus = 400;
    const error: unknown = await stage.client.run({ promptName: 'greeting' }).then(
      () => assert.fail('it was logged'),
      (thrown: unknown) => thrown,
    );
    const { result } = error as { readonly result: RunResult };
    return (result.prompt_blueprint['prompt_template'] as { readonly content: unknown }).content;
  }

  it('makes images in one piece, streamed or not', async () => {
    const { raw_response: response } = await run(images);
    assert.deepEqual(response, images.whole);
    const theirs = await new OpenRouter({
      apiKey: 'test-provider-key',
      serverURL: `${stage.provider.url}/api/v1`,
    }).images.generate({
      imageGenerationRequest: {
        model: 'google/gemini-image',
        prompt: 'A cat',
        outputFormat: 'jpeg',
      },
    });
    assert.ok(JSON.stringify(theirs).includes(base64('a cat')));
    const [first, second] = stage.provider.requests;
    assert.deepEqual(first?.json, second?.json);
    assert.equal(first?.path, second?.path);
    assert.equal(stage.service.tracked[0]?.['function_name'], 'openrouter.images.generate');
    const chunks = await streamed(stage.client);
    assert.deepEqual(
      chunks.map((chunk) => chunk.raw_response),
      [images.whole],
    );
  });

  it('knows each image by its type', async () => {
    assert.deepEqual(await replyOf(images), [
      {
        type: 'output_media',
        url: base64('a cat'),
        mime_type: 'image/jpeg',
        media_type: 'image',
      },
      {
        type: 'output_media',
        url: base64('two'),
        mime_type: 'image/png',
        media_type: 'image',
      },
    ]);
  });

  it('asks for a video every five seconds until it is there', async () => {
    const script: ProviderScript = (_, count) => ({
      body: count < 4 ? { ...job, status: 'in_progress' } : done,
    });
    const { raw_response: response } = await run(video, script);
    assert.deepEqual(response, done);
    const { requests } = stage.provider;
    assert.deepEqual(
      requests.map(({ method, path }) => `${method} ${path}`),
      ['POST /api/v1/videos', ...Array<string>(3).fill('GET /api/v1/videos/gen-vid-1%2Fx')],
    );
    assert.deepEqual(requests[0]?.json, {
      model: 'google/veo-3.1',
      prompt: 'A cat',
      aspect_ratio: '16:9',
    });
    assert.deepEqual(stage.test.clock.waits, [5000, 5000, 5000]);
    assert.equal(
      stage.service.tracked[0]?.['function_name'],
      'openrouter.video_generation.generate',
    );
  });

  it('hands the addresses of the video on', async () => {
    assert.deepEqual(await replyOf(video), [
      {
        type: 'output_media',
        url: 'https://v.example/1.mp4',
        mime_type: 'video/mp4',
        media_type: 'video',
        provider_metadata: { id: 'gen-vid-1/x' },
      },
    ]);
  });

  for (const status of ['failed', 'cancelled', 'expired']) {
    it(`throws when the video is ${status}`, async () => {
      const body = { ...job, status, ...(status === 'failed' && { error: 'No cats today' }) };
      await assert.rejects(
        run(video, (_, count) => ({ body: count === 1 ? job : body })),
        { code: 'provider', message: status === 'failed' ? /No cats today/ : new RegExp(status) },
      );
    });
  }

  it('gives up after five minutes, and names the job', async () => {
    await assert.rejects(
      run(video, () => ({ body: job })),
      { code: 'timeout', hint: /gen-vid-1/ },
    );
    assert.equal(stage.test.clock.waits.length, 60);
    assert.equal(stage.service.tracked[0]?.['error_type'], 'PROVIDER_TIMEOUT');
  });

  it('stops to ask for a video that nobody wants any more', async () => {
    const stop = new AbortController();
    stage = await setStage(video, {
      script: (_, count) => {
        if (count === 2) stop.abort();
        return { body: job };
      },
    });
    await assert.rejects(stage.client.run({ promptName: 'greeting' }, { signal: stop.signal }), {
      code: 'cancelled',
    });
    assert.ok(stage.provider.requests.length <= 2);
  });

  it('keeps speech as base64', async () => {
    const sound = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
    const script: ProviderScript = () => ({
      body: sound,
      headers: { 'content-type': 'audio/mpeg' },
    });
    const { raw_response: response } = await run(speech, script);
    assert.deepEqual(response, {
      model: 'openai/tts',
      format: 'mp3',
      content_type: 'audio/mpeg',
      data: Buffer.from(sound).toString('base64'),
    });
    const [request] = stage.provider.requests;
    assert.equal(request?.path, '/api/v1/audio/speech');
    assert.deepEqual(request.json, {
      response_format: 'mp3',
      model: 'openai/tts',
      input: 'Hello',
      voice: 'alloy',
    });
    assert.equal(stage.service.tracked[0]?.['function_name'], 'openrouter.tts.create_speech');
  });

  it('says speech as sound', async () => {
    const script: ProviderScript = () => ({
      body: Uint8Array.of(1, 2, 3),
      headers: { 'content-type': 'audio/mpeg' },
    });
    assert.deepEqual(await replyOf(speech, script), [
      { type: 'output_media', url: 'AQID', mime_type: 'audio/mpeg', media_type: 'audio' },
    ]);
  });

  it('throws when speech turns out to be an error', async () => {
    await assert.rejects(
      run(speech, () => ({ body: { error: { message: 'No voice', code: 400 } } })),
      { code: 'provider', message: /No voice/ },
    );
  });
});
