import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { hasErrorCode, isPromptTablesError } from '../../../../src/core/errors.ts';
import { BodyError } from '../../../../src/core/http/body.ts';
import { send } from '../../../../src/core/http/send.ts';
import type { Connections, Platform } from '../../../../src/core/platform/connections.ts';
import * as node from '../../../../src/core/platform/node.ts';
import * as web from '../../../../src/core/platform/web.ts';
import { FakeClock } from '../../../support/http/fake-clock.ts';
import type { Fault, ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

const platforms = { node, web } satisfies Readonly<Record<string, Platform>>;
const settings = {
  socketPath: undefined,
  proxy: {
    url: undefined,
    httpsProxy: undefined,
    httpProxy: undefined,
    noProxy: [],
    loopback: false,
  },
  strictSSL: true,
  systemCertificates: false,
  ca: [],
};

const outcome = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof BodyError ? error.message : (error as Error).constructor.name;
  }
};

describe('the two platforms of the core', () => {
  it('export the same', () => {
    assert.deepEqual(Object.keys(web).sort(), Object.keys(node).sort());
  });

  it('read the same text out of any bytes, or refuse it alike', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
      fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(`\ufeff${text}`)),
    );
    fc.assert(
      fc.property(bytes, (given) => {
        const [one, other] = [node, web].map(({ decodeText }) => outcome(() => decodeText(given)));
        assert.equal(one, other);
      }),
    );
  });

  it('parse the same JSON out of any bytes, long numbers included', () => {
    const number = fc.bigInt().map((value) => `{"n":${value}.5,"s":"${value}"}`);
    const text = fc.oneof(fc.json(), number, fc.string());
    fc.assert(
      fc.property(text, (given) => {
        const read = ({ parseBytes }: Platform): unknown =>
          outcome(() => parseBytes(new TextEncoder().encode(given)));
        assert.deepEqual(read(web), read(node));
      }),
    );
  });

  it('write the same base64, of large files too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) =>
        assert.equal(web.toBase64(bytes), node.toBase64(bytes)),
      ),
    );
    const large = randomBytes(300_001);
    assert.equal(web.toBase64(large), node.toBase64(large));
  });
});

for (const [name, platform] of Object.entries(platforms)) {
  describe(`connections on ${name}`, () => {
    let connections: Connections;
    let server: ScriptedServer;
    let clock: FakeClock;

    const ask = async (
      step: Step,
      { maxBodyBytes = 1_000_000, signal = undefined as AbortSignal | undefined } = {},
    ) => {
      server = await startScriptedServer([step]);
      connections = platform.makeConnections(settings);
      clock = new FakeClock();
      return send(
        { method: 'GET', url: new URL(server.url), path: '/x?y=1', headers: {}, body: undefined },
        { connections, clock, timeoutMs: 60_000, maxBodyBytes, signal, what: 'GET /x', facts: {} },
      );
    };
    const codeFrom = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'no error',
        (error: unknown) => (isPromptTablesError(error) ? error.code : error),
      );
    afterEach(async () => {
      await connections.destroy();
      // Elsewhere a connection that has answered is kept for some seconds, and nobody can end it.
      if (name === 'node') await server.idle();
      await server.close();
    });

    it('gives status, headers and bytes, unpacked', async () => {
      const { status, headers, body } = await ask({
        status: 201,
        headers: { 'x-request-id': 'r1', 'content-encoding': 'gzip' },
        body: zlib.gzipSync('Grüße'),
      });
      assert.equal(status, 201);
      assert.equal(headers['x-request-id'], 'r1');
      assert.equal(new TextDecoder().decode(body), 'Grüße');
    });

    it('stops at the limit, also inside a bomb', async () => {
      assert.equal(await codeFrom(ask({ body: 'x'.repeat(2_000_000) })), 'response_format');
      await connections.destroy();
      await server.close();
      const bomb = zlib.gzipSync(Buffer.alloc(20_000_000));
      const bombed = ask({ headers: { 'content-encoding': 'gzip' }, body: bomb });
      assert.equal(await codeFrom(bombed), 'response_format');
    });

    it('keeps to the status of a failure that says too much', async () => {
      const { status, body } = await ask({ status: 500, body: 'x'.repeat(2_000_000) });
      assert.deepEqual([status, body.length], [500, 0]);
    });

    it('does not follow a redirect', async () => {
      const { status } = await ask({ status: 307, headers: { location: '/elsewhere' } });
      assert.equal(status, 307);
      assert.equal(server.requests.length, 1);
    });

    for (const fault of [
      'drop',
      'reset',
      'half-body',
      'reset-in-body',
      'garbage',
    ] satisfies Fault[]) {
      it(`is a network error after "${fault}"`, async () => {
        assert.equal(await codeFrom(ask(fault)), 'network');
      });
    }

    for (const fault of ['hang', 'hang-in-body'] satisfies Fault[]) {
      it(`times out after "${fault}", and closes the connection`, async () => {
        const pending = codeFrom(
          ask(() => {
            setTimeout(() => clock.pass(60_000), 20);
            return fault;
          }),
        );
        assert.equal(await pending, 'timeout');
        await server.idle();
      });

      it(`is cancelled during "${fault}", and closes the connection`, async () => {
        const stop = new AbortController();
        const pending = ask(
          () => {
            setTimeout(() => stop.abort(), 20);
            return fault;
          },
          { signal: stop.signal },
        );
        await assert.rejects(pending, (error) => hasErrorCode(error, 'cancelled'));
        await server.idle();
      });
    }
  });
}
