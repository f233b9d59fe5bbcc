/** A client that waits for an outage once, and not with each of its calls. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { Client } from '../../../../src/core/client.ts';
import { isPromptTablesError } from '../../../../src/core/errors.ts';
import type { ClientOptions } from '../../../../src/core/options.ts';
import { startCable, type Cable } from '../../../support/host/cable.ts';
import { FakeClock } from '../../../support/http/fake-clock.ts';
import { makeTestClient, type TestClient } from '../../../support/http/client.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';
import { until } from '../../../support/until.ts';

const fine = { body: { success: true, table: { id: 't1', title: 'Words' } } };
const fourAttempts = [2_000, 4_000, 8_000];

describe('a service that can not be reached', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function start(options: ClientOptions = {}): Promise<TestClient & { cable: Cable }> {
    const server = await startScriptedServer([fine]);
    const cable = await startCable(server.url);
    const made = makeTestClient({
      baseURL: cable.url,
      retriesWhileUnreachable: false,
      ...options,
    });
    ends.push(
      () => server.close(),
      () => cable.close(),
      () => made.client.close(),
    );
    return { ...made, cable };
  }

  const attemptsOf = (call: Promise<unknown>): Promise<number> =>
    call.then(
      () => 0,
      (error: unknown) => {
        assert.ok(isPromptTablesError(error) && error.code === 'network', String(error));
        return error.attempts;
      },
    );

  const read = (client: Client): Promise<unknown> => client.tables.get('t1');
  const download = async (client: Client): Promise<void> => {
    for await (const _ of client.tables.export({ tableId: 't1', sheetId: 's1' }, { format: 'csv' }))
      break;
  };

  it('is waited for by the first call; those that follow make one attempt each', async () => {
    const { client, cable, clock } = await start();
    await cable.pull();
    assert.equal(await attemptsOf(read(client)), 4);
    assert.deepEqual(clock.waits.splice(0), fourAttempts);
    for (const call of [read, download, read]) assert.equal(await attemptsOf(call(client)), 1);
    assert.deepEqual(clock.waits, []);
  });

  it('gets all attempts again once it has answered, and when a while is over', async () => {
    const { client, cable, clock } = await start();
    await cable.pull();
    assert.equal(await attemptsOf(read(client)), 4);
    await cable.plugIn();
    assert.equal(await attemptsOf(read(client)), 0);
    await cable.pull();
    assert.equal(await attemptsOf(read(client)), 4);
    assert.equal(await attemptsOf(read(client)), 1);
    clock.pass(10_001);
    assert.equal(await attemptsOf(read(client)), 4);
  });

  it('is found again by a call that is between its attempts', async () => {
    let isWaiting = false;
    const clock = new FakeClock({
      isWait(ms) {
        if (ms === fourAttempts[0]) isWaiting = true;
        return ms <= 15_000 && ms !== fourAttempts[0];
      },
    });
    const { client, cable } = await start({ clock });
    await cable.pull();
    const call = attemptsOf(read(client));
    await until('it waits for the next attempt', () => isWaiting);
    await cable.plugIn();
    clock.pass(2_000);
    assert.equal(await call, 0);
  });

  it('is what nobody listens to: broken connections and refusals keep their attempts', async () => {
    const busy = await startScriptedServer(['reset', 'reset', 'reset', 'reset', { status: 503 }]);
    const { client } = makeTestClient({ baseURL: busy.url, retriesWhileUnreachable: false });
    ends.push(
      () => busy.close(),
      () => client.close(),
    );
    assert.equal(await attemptsOf(read(client)), 4);
    await assert.rejects(read(client), { code: 'server', attempts: 4 });
    await assert.rejects(read(client), { code: 'server', attempts: 4 });
  });

  it('may be a socket that is missing', async () => {
    const socketPath = path.join(tmpdir(), `pt-missing-${String(process.pid)}.sock`);
    const { client } = makeTestClient({ socketPath, retriesWhileUnreachable: false });
    ends.push(() => client.close());
    assert.equal(await attemptsOf(read(client)), 4);
    assert.equal(await attemptsOf(read(client)), 1);
    const server = http.createServer((_, response) => response.end(JSON.stringify(fine.body)));
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    try {
      assert.equal(await attemptsOf(read(client)), 0);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('gets four attempts by each call, unless the client says otherwise', async () => {
    const { client, cable } = await start({ retriesWhileUnreachable: undefined });
    await cable.pull();
    for (const call of [read, read]) assert.equal(await attemptsOf(call(client)), 4);
  });
});
