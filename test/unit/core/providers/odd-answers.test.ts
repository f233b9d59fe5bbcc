/** Answers as public bug reports show them: the right value or a plain refusal, never a silent success. */
import assert from 'node:assert/strict';
import type { Ending } from '../../../../src/core/providers/ending.ts';
import { describeEnding, endingOf, isAnswer } from '../../../../src/core/providers/ending.ts';
import { streamError } from '../../../../src/core/providers/provider-error.ts';
import type {
  ModelCall,
  Provider,
  ProviderContext,
} from '../../../../src/core/providers/provider.ts';
import { refusalIn } from '../../../../src/core/providers/refusal.ts';
import { findProvider, providerNames } from '../../../../src/core/providers/registry.ts';
import type { Reply } from '../../../../src/core/providers/reply.ts';
import { EventFormatError, NoEventsError } from '../../../../src/core/providers/sse.ts';
import { callOf, wireOf } from '../../../support/providers/playback.ts';
import { recordings } from '../../../support/providers/recordings/all.ts';
import type { Odd, OddDialect, Verdict } from './odd-answers/odd.ts';
import { oddChats } from './odd-answers/of-chat.ts';
import { oddOthers } from './odd-answers/of-others.ts';

interface Judged {
  readonly is: Verdict;
  readonly reply: Reply | undefined;
  /** What a person is told. */
  readonly words: string;
}

const failed = (error: unknown): Judged => {
  assert.ok(error instanceof Error, String(error));
  assert.ok(
    error instanceof EventFormatError || ('code' in error && error.code === 'provider'),
    error.stack,
  );
  // As a run explains it.
  const words =
    error instanceof NoEventsError
      ? 'is not JSON'
      : error instanceof EventFormatError
        ? 'not its own protocol'
        : error.message;
  return { is: 'error', reply: undefined, words };
};

const ended = (ending: Ending, reply: Reply): Judged => ({
  ...{ is: ending.kind, reply },
  words: describeEnding(ending, 'it') ?? '',
});

const call = ({
  provider,
  apiType,
  templateType = 'chat',
  model = 'm',
}: OddDialect): ModelCall => ({
  ...{ provider, apiType, templateType, model, kwargs: { model, messages: [], stream: true } },
  ...{ stream: true, baseURL: 'http://127.0.0.1:1/v1', apiKey: 'k' },
});

/** Gives the answer to whatever is asked. */
const answering = (answer: unknown): ProviderContext => ({
  ...({} as ProviderContext),
  isStranger: false,
  variable: async () => 'http://127.0.0.1:1',
  secret: async () => 'k',
  requireSecret: async () => 'k',
  hide: () => undefined,
  fetchJson: async () => answer,
});

async function judgeWhole(provider: Provider, asked: ModelCall, whole: unknown): Promise<Judged> {
  const bytes = new TextEncoder().encode(typeof whole === 'string' ? whole : JSON.stringify(whole));
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { is: 'error', reply: undefined, words: 'is not JSON' };
  }
  try {
    const answer =
      provider.complete === undefined ? parsed : await provider.complete(asked, answering(parsed));
    const refusal = refusalIn(answer);
    if (refusal !== undefined) throw streamError('it', refusal);
    const reply = provider.replyOf(answer, asked);
    return ended(endingOf(answer, reply), reply);
  } catch (error) {
    return failed(error);
  }
}

function judgeStream(provider: Provider, asked: ModelCall, pieces: readonly Uint8Array[]): Judged {
  const { streaming } = provider;
  assert.ok(streaming !== undefined);
  const [decoder, accumulator] = [streaming.decoder(), streaming.accumulator(asked)];
  try {
    for (const piece of pieces) for (const event of decoder.push(piece)) accumulator.add(event);
    for (const event of decoder.end()) accumulator.add(event);
  } catch (error) {
    return failed(error);
  }
  const reply = accumulator.reply();
  if (!accumulator.isWhole) return { is: 'broken', reply, words: '' };
  return ended(endingOf(accumulator.response(), reply), reply);
}

const wire = (stream: readonly (object | string)[]): Buffer =>
  Buffer.from(
    stream
      .map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`))
      .join(''),
  );

const textOf = ({ content }: Reply): string =>
  content.map((part) => (part['type'] === 'text' ? String(part['text']) : '')).join('');
const callsOf = ({ tool_calls: calls }: Reply): string[] =>
  calls.map(({ function: { name, arguments: given } }) => `${name}(${given})`);

function assertIs({ title, is, text, calls, says }: Odd, judged: Judged): void {
  assert.equal(judged.is, is, `${title}: ${judged.words} ${JSON.stringify(judged.reply)}`);
  if (says !== undefined) assert.match(judged.words, says, title);
  if (judged.reply === undefined) return;
  if (text !== undefined) assert.equal(textOf(judged.reply), text, title);
  if (calls !== undefined || is === 'complete')
    assert.deepEqual(callsOf(judged.reply), calls ?? [], title);
}

const isGood = ({ is }: Judged): boolean =>
  is !== 'error' && is !== 'broken' && isAnswer({ kind: is, reason: undefined, words: undefined });

/** Around each end of a line, and here and there between them. */
const cutsOf = (bytes: Buffer): number[] =>
  Array.from(bytes.keys()).filter(
    (at) =>
      at % 41 === 0 || [-2, -1, 0, 1].some((near) => [10, 13].includes(bytes[at + near] ?? 0)),
  );

/** What is taken for an answer after only a part of the bytes is the whole one. */
function assertNeverHalf(
  provider: Provider,
  asked: ModelCall,
  bytes: Buffer,
  title: string,
): number {
  const all = judgeStream(provider, asked, [bytes]);
  let broken = 0;
  for (const end of cutsOf(bytes)) {
    const cut = judgeStream(provider, asked, [bytes.subarray(0, end)]);
    if (!isGood(cut)) {
      broken += 1;
      continue;
    }
    const what = `${title}, cut after ${String(end)} of ${String(bytes.length)} bytes`;
    assert.deepEqual(
      [cut.is, textOf(cut.reply!), callsOf(cut.reply!)],
      [all.is, textOf(all.reply!), callsOf(all.reply!)],
      what,
    );
  }
  return broken;
}

/** What gateways write amid a stream, which then goes on to its end. */
const intruders = [
  '<html><head><title>502 Bad Gateway</title></head></html>\n\n',
  '<html>\n<body>\nBad Gateway\n</body>\n</html>\n\n',
  'upstream connect error or disconnect/reset before headers\n\n',
  'Unauthorized\n\n',
  'Error: too many requests\n\n',
  '{"error":{"message":"Lost."}}\n\n',
  '{"error":\n',
  'data: {"code":429,"message":"Slow down."}\n\n',
  'data: {"detail":"Not Found"}\n\n',
  'data: {"error":{"message":"Lost."}}\n\n',
  'data: Internal Server Error\n\n',
  'event: error\ndata: {"message":"Lost."}\n\n',
  'event: error\ndata: Lost.\n\n',
];

/** All faults of a table at once. */
function faultsOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof assert.AssertionError)) throw error;
    return [
      `${error.message.split('\n')[0] ?? ''}: ${JSON.stringify(error.actual)} is not ${JSON.stringify(error.expected)}`,
    ];
  }
}

describe('core: odd answers', () => {
  it('are tried for every provider, or recordings of its streams are cut', () => {
    const tried = [...oddChats, ...oddOthers, ...recordings].map(({ provider }) => provider);
    assert.deepEqual(
      providerNames.filter((name) => !tried.includes(name)),
      [],
    );
  });

  for (const dialect of [...oddChats, ...oddOthers]) {
    const { provider: name, apiType = 'its own API', model = '', templateType, odd } = dialect;
    describe(`${name}, ${apiType} ${templateType ?? ''} ${model}`, () => {
      let provider: Provider;
      before(async () => {
        provider = await findProvider(call(dialect));
      });

      it('are judged, whole', async () => {
        const asked = { ...call(dialect), stream: false };
        const wrong: unknown[] = [];
        for (const one of odd) {
          if (!('whole' in one)) continue;
          const judged = await judgeWhole(provider, asked, one.whole);
          wrong.push(...faultsOf(() => assertIs(one, judged)));
        }
        assert.deepEqual(wrong, []);
      });

      it('are judged, streamed, however they are cut', () => {
        const asked = call(dialect);
        const wrong: unknown[] = [];
        for (const one of odd) {
          if (one.stream === undefined) continue;
          const bytes = wire(one.stream);
          const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
          for (const pieces of [[bytes], single])
            wrong.push(...faultsOf(() => assertIs(one, judgeStream(provider, asked, pieces))));
        }
        assert.deepEqual(wrong, []);
      });

      it('are errors where somebody else speaks between their events', () => {
        const wrong: string[] = [];
        for (const { title, is, stream = [] } of odd) {
          if (is !== 'complete') continue;
          const [first, second] = stream;
          if (typeof first !== 'object' || typeof second !== 'object') continue;
          for (const intruder of intruders) {
            const mixed = wire([first, intruder, ...stream.slice(1)]);
            const judged = judgeStream(provider, call(dialect), [mixed]);
            if (judged.is !== 'error') wrong.push(`${title}, ${intruder}: ${judged.is}`);
          }
        }
        assert.deepEqual(wrong, []);
      });

      it('are never taken for answers by half', () => {
        const wrong: unknown[] = [];
        for (const { title, is, stream } of odd) {
          if (stream === undefined || (is !== 'complete' && is !== 'cutOff')) continue;
          const bytes = wire(stream);
          wrong.push(...faultsOf(() => assertNeverHalf(provider, call(dialect), bytes, title)));
        }
        assert.deepEqual(wrong, []);
      });
    });
  }

  for (const recording of recordings) {
    it(`of a broken recording are broken off: ${recording.title}`, async () => {
      const asked = callOf(recording);
      const provider = await findProvider(asked);
      if (provider.streaming === undefined) return;
      assert.ok(assertNeverHalf(provider, asked, wireOf(recording), recording.title) > 0);
    });
  }
});
