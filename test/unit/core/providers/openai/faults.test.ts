import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { ProviderError } from '../../../../../src/core/providers/provider-error.ts';
import { callOf, play, providerOf, wireOf } from '../../../../support/providers/playback.ts';
import { recordings } from '../../../../support/providers/recordings/all.ts';
import type { Recording } from '../../../../support/providers/recordings/recording.ts';
import type { Stage } from '../../../../support/providers/stage.ts';
import { setStage, streamed } from '../../../../support/providers/stage.ts';

function recorded(title: string): Recording {
  const found = recordings.find((recording) => recording.title.startsWith(title));
  assert.ok(found, title);
  return found;
}

const chat = recorded('OpenAI chat: a refusal');
const responses = recorded('OpenAI responses: thoughts');
const cohere = recorded('Cohere: thoughts');
const images = recorded('OpenAI images');

describe('core: providers of the family that fail', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  /** What a stream throws that sends these events after the first of the recording. */
  async function failure(recording: Recording, ...after: object[]): Promise<ProviderError> {
    const reported = { ...recording, events: [recording.events[0] ?? {}, ...after], done: false };
    stage = await setStage(recording, { script: () => ({ pieces: [wireOf(reported)] }) });
    const thrown: unknown = await streamed(stage.client).then(
      () => assert.fail('it ended well'),
      (error: unknown) => error,
    );
    assert.equal((thrown as ProviderError).code, 'provider');
    return thrown as ProviderError;
  }

  const wordings: readonly (readonly [string, Recording, object, string])[] = [
    ['an error object', chat, { error: { message: 'Overloaded', code: 'boom' } }, 'PROVIDER_ERROR'],
    ['a mere text', chat, { error: 'model requires more memory' }, 'PROVIDER_ERROR'],
    [
      "vLLM's",
      chat,
      { object: 'error', message: 'too long', type: 'BadRequestError', code: 400 },
      'PROVIDER_ERROR',
    ],
    [
      "OpenRouter's, with the status of its source",
      chat,
      { id: 'g', choices: [], error: { code: 429, message: 'slow down' } },
      'PROVIDER_RATE_LIMIT',
    ],
    [
      "Groq's, in a field of its own",
      recorded('Groq'),
      { id: 'g', choices: [], x_groq: { id: 'r', error: 'over capacity' } },
      'PROVIDER_ERROR',
    ],
    [
      'of a response',
      responses,
      { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down', param: null },
      'PROVIDER_RATE_LIMIT',
    ],
    [
      'of an image',
      images,
      { type: 'error', error: { message: 'No such cat', code: 'moderation_blocked' } },
      'PROVIDER_ERROR',
    ],
    [
      "at Cohere's end",
      cohere,
      { type: 'message-end', delta: { finish_reason: 'ERROR', error: 'out of paper' } },
      'PROVIDER_ERROR',
    ],
    [
      "at Cohere's end without words",
      cohere,
      { type: 'message-end', delta: { finish_reason: 'ERROR' } },
      'PROVIDER_ERROR',
    ],
  ];
  for (const [title, recording, event, errorType] of wordings) {
    it(`throws when a stream reports an error: ${title}`, async () => {
      const error = await failure(recording, event);
      assert.equal(error.errorType, errorType);
      assert.ok(error.partial);
      assert.equal(stage.service.tracked[0]?.['status'], 'WARNING');
    });
  }

  it('throws when a response fails, and keeps what had come of it', async () => {
    const [, first = {}] = responses.events;
    const failed = {
      ...responses.whole,
      status: 'failed',
      error: { code: 'server_error', message: 'The model stumbled' },
    };
    const error = await failure(responses, first, { type: 'response.failed', response: failed });
    assert.match(error.message, /The model stumbled/);
    assert.equal(error.providerCode, 'server_error');
    assert.deepEqual(error.partial?.raw_response, failed);
  });

  it('throws when a response fails that is not streamed', async () => {
    const body = {
      ...responses.whole,
      status: 'failed',
      error: { code: 'server_error', message: 'The model stumbled' },
    };
    stage = await setStage(responses, { script: () => ({ body }) });
    await assert.rejects(stage.client.run({ promptName: 'greeting' }), {
      code: 'provider',
      providerCode: 'server_error',
    });
    assert.equal(stage.service.tracked[0]?.['status'], 'ERROR');
  });

  for (const stream of [false, true]) {
    it(`throws for an error under status 200, ${stream ? 'streamed' : 'whole'}`, async () => {
      stage = await setStage(chat, {
        script: () => ({ body: { error: { message: 'Upstream is down', code: 502 } } }),
      });
      const asked = stream ? streamed(stage.client) : stage.client.run({ promptName: 'greeting' });
      await assert.rejects(asked, { code: 'provider', message: /Upstream is down/ });
    });
  }

  for (const recording of [chat, responses, images, cohere, recorded('OpenAI completions')]) {
    it(`takes the whole answer of a server that does not stream: ${recording.title}`, async () => {
      stage = await setStage(recording, { script: () => ({ body: recording.whole }) });
      const chunks = await streamed(stage.client);
      assert.deepEqual(chunks.at(-1)?.raw_response, recording.whole);
    });
  }

  it('says nothing of what a stranger said, if it holds the key', async () => {
    stage = await setStage(chat, {
      script: () => ({ pieces: ['data: not JSON, test-provider-key\n\n'] }),
    });
    await assert.rejects(streamed(stage.client), (error: ProviderError) => {
      assert.equal(error.code, 'provider');
      assert.doesNotMatch(inspect(error, { depth: 9 }), /test-provider-key/);
      return true;
    });
  });

  it('does not wait for the tokens of a stream that breaks off after its reason', async () => {
    const events = chat.events.slice(0, -1);
    const reported = { ...chat, events, done: false };
    stage = await setStage(chat, { script: () => ({ pieces: [wireOf(reported)] }) });
    const chunks = await streamed(stage.client);
    assert.equal(chunks.length, events.length + 1);
  });
});

describe('core: responses that break off', () => {
  for (const recording of recordings.filter(({ apiType }) => apiType === 'responses')) {
    const withoutEnd = recording.events.slice(0, -1);
    const { output } = recording.whole as { readonly output: readonly object[] };

    it(`${recording.title}: all items are there before the last event`, async () => {
      const provider = await providerOf(recording);
      const reported = { ...recording, events: withoutEnd };
      const { response, isWhole } = play(provider, reported, [wireOf(reported)]);
      assert.equal(isWhole, false);
      assert.deepEqual((response as { output: unknown }).output, output);
    });

    it(`${recording.title}: all texts are there without the events that repeat them`, async () => {
      const provider = await providerOf(recording);
      const events = withoutEnd.filter((event) => {
        const { type } = event as { readonly type: string };
        return !/\.(?:delta\.)?done$/.test(type) || type === 'response.output_item.done';
      });
      const reported = { ...recording, events };
      const { replies } = play(provider, reported, [wireOf(reported)]);
      assert.deepEqual(JSON.parse(JSON.stringify(replies.at(-1))), recording.reply);
    });

    it(`${recording.title}: items that nobody announced are made up`, async () => {
      const provider = await providerOf(recording);
      const events = recording.events.filter(
        (event) => !/(?:added|created|in_progress)$/.test((event as { type: string }).type),
      );
      const reported = { ...recording, events };
      const { response, replies } = play(provider, reported, [wireOf(reported)]);
      assert.deepEqual(response, recording.whole);
      const { content, tool_calls: calls } = recording.reply;
      assert.deepEqual(JSON.parse(JSON.stringify(replies.at(-1))), { content, tool_calls: calls });
    });
  }

  it('shell and patch: what came in pieces is there when nothing tells it again', async () => {
    const recording = recorded('OpenAI responses: a patch, a shell and its output, in pieces');
    const provider = await providerOf(recording);
    const events = recording.events
      .slice(0, -1)
      .filter((event) => !(event as { type: string }).type.endsWith('output_item.done'));
    const reported = { ...recording, events };
    const { response, replies } = play(provider, reported, [wireOf(reported)]);
    const { output } = response as { output: readonly Record<string, unknown>[] };
    const whole = recording.whole as { output: readonly Record<string, unknown>[] };
    for (const [type, field] of [
      ['apply_patch_call', 'operation'],
      ['shell_call', 'action'],
      ['shell_call_output', 'output'],
    ] as const) {
      const find = (items: readonly Record<string, unknown>[]) =>
        items.find((item) => item['type'] === type)?.[field];
      assert.deepEqual(find(output), find(whole.output), type);
      assert.deepEqual(find(replies.at(-1)?.content ?? []), find(whole.output), type);
    }
    // The texts alone, without the events that end them.
    const deltas = {
      ...reported,
      events: events.filter((event) => !/\.done$/.test((event as { type: string }).type)),
    };
    const partial = play(provider, deltas, [wireOf(deltas)]).response as typeof whole;
    const find = (type: string) => partial.output.find((item) => item['type'] === type);
    assert.deepEqual(
      (find('shell_call')?.['action'] as { commands: unknown } | undefined)?.commands,
      ['ls', 'cat b'],
    );
    assert.deepEqual(find('shell_call_output')?.['output'], [
      { stdout: 'a.txt\n', stderr: '' },
      { stdout: '', stderr: 'no such file' },
    ]);
  });

  it('keeps sound and kinds of parts that it does not know', async () => {
    const provider = await providerOf(recorded('OpenAI responses: a refusal'));
    const content = [
      { type: 'output_audio', data: 'AAAA', transcript: 'Hi' },
      { type: 'output_smell', smell: 'rain' },
    ];
    const response = { output: [{ id: 'm', type: 'message', content }] };
    assert.deepEqual(
      provider.replyOf(response, callOf(recorded('OpenAI responses: a refusal'))).content,
      [
        {
          type: 'output_media',
          url: 'AAAA',
          mime_type: 'audio/wav',
          media_type: 'audio',
          id: 'm',
          provider_metadata: { transcript: 'Hi' },
        },
        { type: 'output_smell', smell: 'rain' },
      ],
    );
  });

  it('keeps the items when the last event forgets them', async () => {
    const recording = recorded('OpenAI responses: thoughts');
    const provider = await providerOf(recording);
    const last = { type: 'response.completed', response: { ...recording.whole, output: [] } };
    const reported = { ...recording, events: [...recording.events.slice(0, -1), last] };
    const { response } = play(provider, reported, [wireOf(reported)]);
    assert.deepEqual(response, recording.whole);
    assert.ok(provider.replyOf(response, callOf(recording)).content.length > 0);
  });
});
