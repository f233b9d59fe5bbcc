import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { saidEnding } from '../../../../src/core/providers/ending.ts';
import type { RunChunk } from '../../../../src/core/index.ts';
import { ConfigurationError, NotLoggedError } from '../../../../src/core/errors.ts';
import { ProviderError } from '../../../../src/core/providers/provider-error.ts';
import type { RunRecord } from '../../../../src/extension/run-panel/records.ts';
import { RunSession } from '../../../../src/extension/run-panel/session.ts';
import type { OutputChange, RunStatus, SchemaVerdict } from '../../../../src/protocol/run.ts';
import { until } from '../../../support/until.ts';

const blueprint = (said: string) => ({
  prompt_template: {
    type: 'chat',
    messages: [{ role: 'assistant', content: [{ type: 'text', text: said }], tool_calls: [] }],
  },
});
const chunk = (said: string, rest: Partial<RunChunk> = {}): RunChunk => ({
  raw_response: { said },
  prompt_blueprint: blueprint(said),
  ...rest,
});
const last: RunChunk = {
  request_id: 17,
  raw_response: { usage: { prompt_tokens: 3, completion_tokens: 10 } },
  prompt_blueprint: {},
};

describe('run panel: session', () => {
  let session: RunSession;
  let reported: { readonly status: RunStatus; readonly changes: readonly OutputChange[] }[];
  let kept: RunRecord[];
  let signals: AbortSignal[];
  let checkOf: (() => ((text: string) => Promise<SchemaVerdict>) | undefined) | undefined;

  const start = (chunks: (signal: AbortSignal) => AsyncIterable<RunChunk>): void => {
    reported = [];
    kept = [];
    signals = [];
    session = new RunSession({
      start: (_, signal) => {
        signals.push(signal);
        return Promise.resolve(chunks(signal));
      },
      emit: (name, payload) => {
        if (name === 'progress' && 'changes' in payload) reported.push(payload);
      },
      problemOf: (error) => ({ message: error instanceof Error ? error.message : String(error) }),
      endingOf: saidEnding,
      checkOf: () => checkOf?.(),
      note: () => undefined,
      onState: () => undefined,
      save: (record) => kept.push(record),
      onProgress: () => undefined,
      onEnd: () => undefined,
    });
  };
  const over = async (): Promise<RunStatus> => {
    await until('the run has ended', () => !session.isRunning);
    return session.record().status;
  };
  afterEach(() => session.dispose());

  it('tells of a fast stream a few times, with every letter once', async () => {
    const whole = Array.from({ length: 3000 }, (_, at) => `${at} `);
    start(async function* () {
      let said = '';
      for (const [at, word] of whole.entries()) {
        said += word;
        if (at % 100 === 0) await delay(1);
        yield chunk(said);
      }
      yield last;
    });
    session.begin([]);
    const status = await over();
    assert.equal(status.state, 'done');
    assert.equal(status.requestId, 17);
    assert.equal(status.inputTokens, 3);
    assert.equal(status.outputTokens, 10);
    assert.ok(status.firstTokenMs !== undefined && status.firstTokenMs <= status.elapsedMs);
    assert.equal(
      reported.flatMap(({ changes }) => changes.map(({ text }) => text)).join(''),
      whole.join(''),
    );
    assert.ok(reported.length < 60, `${reported.length} messages`);
    assert.deepEqual(session.raw, last.raw_response);
    assert.equal(kept.at(-1)?.status.state, 'done');
  });

  it('is stopped at once, and lets nothing more in', async () => {
    let isClosed = false;
    start(async function* (signal) {
      try {
        for (let said = 'a'; !signal.aborted; said += 'a') {
          yield chunk(said);
          await delay(2);
        }
        await delay(50);
        yield chunk('late');
      } finally {
        isClosed = true;
      }
    });
    session.begin([]);
    await until('some of it has come', () => session.text !== '');
    session.stop();
    assert.equal(session.isRunning, false);
    assert.equal(session.record().status.state, 'stopped');
    assert.equal(signals[0]?.aborted, true);
    const text = session.text;
    await until('the stream is closed', () => isClosed);
    assert.equal(session.text, text);
    assert.match(text, /^a+$/);
    assert.ok(JSON.stringify(session.raw).includes('events'));
  });

  it('gives a run that begins while another goes on the whole panel', async () => {
    let count = 0;
    start(async function* () {
      count += 1;
      const own = count;
      for (let at = 0; at < 20; at += 1) {
        yield chunk(`run ${own} `.repeat(at + 1));
        await delay(2);
      }
      yield last;
    });
    session.begin([]);
    await delay(10);
    session.begin([]);
    await over();
    assert.equal(signals[0]?.aborted, true);
    assert.ok(session.text.startsWith('run 2'));
    assert.equal(session.text.includes('run 1'), false);
  });

  it('takes a price until it is closed, and tells nobody of one that comes later', async () => {
    start(async function* () {
      yield await Promise.resolve(last);
    });
    session.begin([]);
    const { runId } = await over();
    session.setPrice(runId, 0.5);
    assert.equal(reported.at(-1)?.status.priceUsd, 0.5);
    session.dispose();
    const counts = [reported.length, kept.length];
    session.setPrice(runId, 0.7);
    assert.deepEqual([reported.length, kept.length], counts);
  });

  it('keeps what had come when the provider fails in the middle', async () => {
    start(async function* () {
      yield chunk('Half an ans');
      await delay(1);
      const error = new ProviderError('openai broke off.', { provider: 'openai' });
      error.partial = { request_id: 5, raw_response: { half: true }, prompt_blueprint: {} };
      throw error;
    });
    session.begin([]);
    const status = await over();
    assert.equal(status.state, 'failed');
    assert.equal(status.requestId, 5);
    assert.equal(status.problem?.message, 'openai broke off.');
    assert.equal(session.text, 'Half an ans');
    assert.deepEqual(session.raw, { half: true });
  });

  it('calls an answer that was not logged an answer, and says so', async () => {
    start(async function* () {
      yield chunk('All of it.');
      await delay(1);
      throw new NotLoggedError('Not logged.', {
        result: { request_id: null, raw_response: { whole: 1 }, prompt_blueprint: {} },
      });
    });
    session.begin([]);
    const status = await over();
    assert.equal(status.state, 'done');
    assert.equal(status.problem?.message, 'Not logged.');
    assert.deepEqual(session.raw, { whole: 1 });
  });

  it('ends when it cannot even begin', async () => {
    start(() => {
      throw new ConfigurationError('There is no key for openai.');
    });
    session.begin([]);
    const status = await over();
    assert.equal(status.state, 'failed');
    assert.equal(session.raw, undefined);
  });

  it('shows what an earlier window has kept, and calls a run that went on interrupted', () => {
    start(async function* () {
      await delay(1);
      yield last;
    });
    const status: RunStatus = { runId: 4, state: 'running', elapsedMs: 900, firstTokenMs: 100 };
    const parts = [{ id: 'c0', kind: 'text', text: 'kept' }] as const;
    session.restore({ status, parts, raw: { events: [] } });
    assert.equal(session.snapshot().status.state, 'interrupted');
    assert.equal(session.snapshot().status.elapsedMs, 900);
    assert.deepEqual(session.snapshot().parts, parts);
    assert.equal(session.text, 'kept');
  });

  it('holds a whole answer against its schema, and nothing that is not whole', async () => {
    const asked: string[] = [];
    checkOf = () => (text) => {
      asked.push(text);
      return Promise.resolve({ kind: 'fits' });
    };
    const answered = (ending: string) =>
      async function* () {
        await Promise.resolve();
        yield chunk('{"a":1}');
        yield { ...last, raw_response: { choices: [{ finish_reason: ending }] } };
      };
    start(answered('stop'));
    session.begin([]);
    assert.deepEqual((await over()).schema, { kind: 'fits' });
    assert.deepEqual(asked, ['{"a":1}']);
    assert.deepEqual(kept.at(-1)?.status.schema, { kind: 'fits' });

    start(answered('length'));
    session.begin([]);
    assert.deepEqual((await over()).schema, { kind: 'incomplete' });

    start(async function* (signal) {
      yield chunk('{"a"');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    session.begin([]);
    await delay(20);
    session.stop();
    assert.deepEqual((await over()).schema, { kind: 'incomplete' });
    assert.equal(asked.length, 1);

    // A check that fails costs no answer.
    checkOf = () => () => Promise.reject(new Error('no'));
    start(answered('stop'));
    session.begin([]);
    const status = await over();
    assert.equal(status.state, 'done');
    checkOf = undefined;
  });
});
