import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import { Client } from '../../../src/core/client.ts';
import type { ConfigurationError } from '../../../src/core/errors.ts';
import {
  CancelledError,
  describeError,
  hasErrorCode,
  isCancellation,
  ValidationError,
  isPromptTablesError,
} from '../../../src/core/errors.ts';
import { redactingLogger } from '../../../src/core/logger.ts';
import type { ClientOptions } from '../../../src/core/options.ts';
import { settleOptions } from '../../../src/core/options.ts';
import { FakeClock } from '../../support/http/fake-clock.ts';
import { RecordingLogger } from '../../support/http/recording-logger.ts';
import type { ScriptedServer, Step } from '../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../support/http/scripted-server.ts';

const ref = { tableId: 't1', sheetId: 's1' };

const settle = (options: ClientOptions) =>
  settleOptions({ apiKey: 'key', environment: {}, logger: new RecordingLogger(), ...options });

describe('options', () => {
  it('takes key and base URL from options, then the environment, then the default', () => {
    const environment = {
      PROMPTLAYER_API_KEY: ' env-key ',
      PROMPTLAYER_BASE_URL: ' http://127.0.0.1:1/x ',
    };
    const fromEnvironment = settle({ apiKey: undefined, environment });
    assert.equal(fromEnvironment.apiKey, 'env-key');
    assert.equal(fromEnvironment.baseURL.href, 'http://127.0.0.1:1/x');
    const given = settle({ apiKey: 'mine', baseURL: 'https://a.test', environment });
    assert.equal(given.apiKey, 'mine');
    assert.equal(given.baseURL.href, 'https://a.test/');
    const empty = settle({ baseURL: '', environment: { PROMPTLAYER_BASE_URL: '' } });
    assert.equal(empty.baseURL.href, 'https://api.promptlayer.com/');
  });

  it('throws at once for a missing or impossible setting, whatever throwOnError says', () => {
    const wrong: readonly (readonly [ClientOptions, RegExp])[] = [
      [{ apiKey: '' }, /no API key.*PROMPTLAYER_API_KEY/],
      [{ apiKey: 'with space' }, /character/],
      [{ apiKey: 'line\nbreak' }, /character/],
      [{ apiKey: 'schlüssel' }, /character/],
      [{ baseURL: 'api.test' }, /not a URL/],
      [{ baseURL: 'ftp://api.test' }, /neither http nor https/],
      [{ baseURL: 'https://user:hunter22@api.test' }, /more than a host/],
      [{ environment: { PROMPTLAYER_BASE_URL: 'nonsense' } }, /PROMPTLAYER_BASE_URL/],
      [{ timeoutMs: 0 }, /timeoutMs/],
      [{ timeoutMs: Number.NaN }, /timeoutMs/],
      [{ maxBodyBytes: -1 }, /maxBodyBytes/],
      [{ dispatcher: { dispatch: () => true }, socketPath: '/tmp/s' }, /dispatcher and socketPath/],
      [{ dispatcher: { dispatch: () => true }, proxy: {} }, /dispatcher and proxy/],
    ];
    for (const [options, expected] of wrong) {
      for (const throwOnError of [true, false]) {
        assert.throws(
          () => new Client({ apiKey: 'key', environment: {}, ...options, throwOnError }),
          (error: ConfigurationError) => {
            assert.equal(error.code, 'configuration');
            assert.match(describeError(error), expected);
            assert.doesNotMatch(inspect(error), /hunter22|with space|schlüssel/);
            return true;
          },
        );
      }
    }
  });

  it('warns when the key would travel unencrypted', () => {
    const logger = new RecordingLogger();
    settle({ baseURL: 'http://tables.test', logger });
    assert.match(logger.messages('warn').join(), /unencrypted/);
    const quiet = new RecordingLogger();
    settle({ baseURL: 'http://127.0.0.1:80', logger: quiet });
    settle({ socketPath: '/tmp/x.sock', logger: quiet });
    assert.deepEqual(quiet.lines, []);
  });
});

describe('redacting logger', () => {
  it('takes secrets out of messages and data, by value, by name and by look', () => {
    const logger = new RecordingLogger();
    const redacting = redactingLogger(logger, ['s3cret-value']);
    redacting.info(
      'key s3cret-value; https://ann:pass@proxy.test/x; Authorization: Bearer abcdefgh12345',
      {
        headers: { 'X-API-KEY': 'anything', cookie: 'a=b', plain: 'kept s3cret-value' },
        list: ['s3cret-value', 1, null],
        error: new Error('failed with s3cret-value'),
        tokens: 5,
      },
    );
    const text = inspect(logger.lines, { depth: Infinity });
    for (const secret of ['s3cret-value', 'ann:pass', 'abcdefgh12345', 'anything', 'a=b']) {
      assert.ok(!text.includes(secret), secret);
    }
    assert.match(text, /tokens: 5/);
    assert.match(text, /proxy\.test/);
  });

  it('hides a value as long as it opens a door, in every form', () => {
    const logger = new RecordingLogger();
    const settled = settle({ apiKey: 'key-of-ours', logger });
    const said = (text: string): string => {
      settled.logger.info(text);
      return logger.messages('info').at(-1) ?? '';
    };
    const forget = settled.hide('to"ken+1');
    const other = settled.hide('key-of-ours');
    const forms = ['to"ken+1', 'to%22ken%2B1', Buffer.from('to"ken+1').toString('base64')];
    for (const form of [...forms, JSON.stringify({ a: 'to"ken+1' })]) {
      assert.match(said(`It was ${form}.`), /\[redacted\]/, form);
    }
    forget();
    forget();
    other();
    assert.equal(said('It was to"ken+1.'), 'It was to"ken+1.');
    assert.match(said('It was key-of-ours.'), /\[redacted\]/);
  });
});

describe('errors', () => {
  it('are recognised by code, also when they come from another copy of the package', () => {
    const foreign = Object.assign(new Error('no such table'), {
      code: 'not_found',
      retryable: false,
    });
    assert.ok(isPromptTablesError(foreign));
    assert.ok(hasErrorCode(foreign, 'not_found', 'validation'));
    assert.ok(!hasErrorCode(foreign, 'server'));
    assert.ok(
      !isPromptTablesError(Object.assign(new Error('x'), { code: 'ENOENT', retryable: true })),
    );
    assert.ok(!isPromptTablesError({ code: 'not_found', retryable: false }));
  });

  it('know a wish to cancel in all its forms', () => {
    assert.ok(isCancellation(new CancelledError('x')));
    assert.ok(isCancellation(AbortSignal.abort().reason));
    assert.ok(isCancellation(Object.assign(new Error('Canceled'), { name: 'Canceled' })));
    assert.ok(!isCancellation(new Error('cancelled')));
    assert.ok(!isCancellation('cancelled'));
  });
});

describe('throwOnError: false', () => {
  let server: ScriptedServer | undefined;

  afterEach(() => server?.close());

  async function start(steps: readonly Step[]) {
    server = await startScriptedServer(steps);
    const logger = new RecordingLogger();
    const client = new Client({
      apiKey: 'key',
      baseURL: server.url,
      environment: {},
      throwOnError: false,
      logger,
      clock: new FakeClock(),
    });
    return { client, logger };
  }

  it('answers null and logs one warning, and false for deletes', async () => {
    const { client, logger } = await start([{ status: 404, body: { message: 'no such thing' } }]);
    assert.equal(await client.tables.get('t1'), null);
    assert.equal(await client.tables.rows.page(ref), null);
    assert.equal(await client.tables.operations.create(ref), null);
    assert.equal(await client.tables.delete('t1'), false);
    assert.equal(await client.tables.sheets.delete(ref), false);
    assert.equal(await client.tables.columns.delete(ref, 'c'), false);
    assert.equal(logger.messages('warn').length, 6);
    assert.match(logger.messages('warn')[0] ?? '', /404: no such thing/);
    await client.close();
  });

  it('ends a list at the failure, with a warning', async () => {
    const { client, logger } = await start([
      { body: { data: [{ id: 'a', title: 'A' }], next_cursor: 'x', has_more: true } },
      { status: 403, body: { message: 'no more' } },
    ]);
    const titles: string[] = [];
    for await (const table of client.tables.list()) titles.push(table.title);
    assert.deepEqual(titles, ['A']);
    assert.match(logger.messages('warn').join(), /no more/);
    await client.close();
  });

  it('still answers what there is to answer, and still throws a cancellation', async () => {
    const { client, logger } = await start([{ body: { table: { id: 't1', title: 'Words' } } }]);
    assert.equal((await client.tables.get('t1'))?.title, 'Words');
    await assert.rejects(client.tables.get('t1', { signal: AbortSignal.abort() }), {
      code: 'cancelled',
    });
    assert.deepEqual(logger.messages('warn'), []);
    await client.close();
  });

  it('does not swallow a fault of the program', async () => {
    const { client } = await start([{ body: {} }]);
    const mine = new RangeError('mine');
    const faulty = {
      get value(): string {
        throw mine;
      },
    };
    await assert.rejects(async () => client.tables.cells.update(ref, 'c', faulty), mine);
    await client.close();
  });

  it('does not swallow what JSON can not hold, and names its field', async () => {
    const { client } = await start([{ body: {} }]);
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    await assert.rejects(
      client.tables.cells.update(ref, 'c', { value: cyclic }),
      (error: unknown) =>
        error instanceof ValidationError &&
        /value\.self is something that holds/.test(error.message),
    );
    await client.close();
  });
});
