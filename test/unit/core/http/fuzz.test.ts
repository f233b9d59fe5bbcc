import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isPromptTablesError } from '../../../../src/core/errors.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>('drop', 'reset', 'half-body', 'reset-in-body', 'garbage'),
  fc.record({
    status: fc.integer({ min: 200, max: 599 }).filter((status) => status !== 204 && status !== 304),
    headers: fc.constantFrom<Record<string, string>>(
      {},
      { 'retry-after': '3' },
      { 'retry-after': 'x' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'br' },
      { 'content-type': 'text/html' },
    ),
    body: fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.constant({ data: [{ row_index: 0, cells: {} }], version: 1 }),
      fc.constant({ success: false, message: 'no' }),
    ),
  }),
);

describe('any service whatever', () => {
  it('is answered with a page or a typed error, in at most four attempts, and nothing is left open', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const server = await startScriptedServer(steps);
        const { client, clock } = makeTestClient({ baseURL: server.url });
        try {
          const page = await client.tables.rows.page({ tableId: 't', sheetId: 's' });
          assert.ok(Array.isArray(page.items));
        } catch (error) {
          assert.ok(isPromptTablesError(error), String(error));
          assert.ok(error.message.length < 1_000);
          assert.ok(!error.retryable || server.requests.length === 4, 'given up too early');
        }
        assert.ok(server.requests.length >= 1 && server.requests.length <= 4);
        assert.deepEqual(
          clock.waits.map((ms, index) => (ms === 3_000 && index === 0 ? 2_000 : ms)),
          [2_000, 4_000, 8_000].slice(0, server.requests.length - 1),
        );
        assert.equal(clock.pending, 0);
        await client.close();
        await server.idle();
        await server.close();
      }),
      { numRuns: 150 },
    );
  }).timeout(60_000);
});
