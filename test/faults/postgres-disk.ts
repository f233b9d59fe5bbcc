/** The disk of PostgreSQL gets full, and has room again. Needs root and Linux (a small tmpfs). */
import assert from 'node:assert/strict';
import { startPostgres } from '../../scripts/postgres.mjs';
import { RunningService } from '../service/support/running-service.ts';
import type { Campaign } from './load.ts';
import { CountingProvider, PaidSheet, within, Writer } from './load.ts';
import { SmallDisk } from './small-disk.ts';

const SIZE_MB = 220;
const ROWS = 60;
const WRITES = 150;
/** PostgreSQL comes back by itself, unless it met the full disk while it was coming back. */
const COMES_BACK_MS = 15_000;

export const postgresDisk: Campaign = {
  name: 'disk of PostgreSQL full',
  async run(untilMs) {
    if (!SmallDisk.isPossible) return SmallDisk.leftOut;
    const small = SmallDisk.mount(SIZE_MB);
    let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
    const provider = await CountingProvider.start(20);
    let service: RunningService | undefined;
    let [fills, refusals, restarts, cells, back] = [0, 0, 0, 0, 0];
    const statuses = new Set<number>();
    try {
      postgres = await startPostgres({
        durable: true,
        dataIn: small.folder,
        settings: ['max_wal_size=64MB', 'min_wal_size=32MB'],
      });
      service = await RunningService.start({
        databaseUrl: postgres.url,
        environment: provider.environment,
      });
      const { api } = service;
      const writer = await Writer.create(api);
      const filler = 'x'.repeat(50_000);
      for (let round = 0; Date.now() < untilMs && round < 20; round += 1) {
        const sheet = await PaidSheet.create(api, `postgres-disk-${String(round)}`, ROWS);
        const operation = await sheet.start(api);
        small.fill();
        fills += 1;
        for (let tries = 0; tries < WRITES; tries += 1) {
          const answer = await api.call('POST', '/rest/prompt-templates', {
            prompt_template: { prompt_name: `p-${String(round)}-${String(tries)}` },
            prompt_version: {
              prompt_template: { type: 'completion', content: [{ type: 'text', text: filler }] },
            },
          });
          statuses.add(answer.status);
          if (answer.status < 300) continue;
          refusals += 1;
          // Full, or away, since a PostgreSQL that can not write its log ends itself.
          const isExpected = [503, 507].includes(answer.status);
          assert.ok(isExpected, `${answer.text}\n${service.log.slice(-4000)}`);
          assert.equal(answer.body.success, false, answer.text);
        }
        small.makeRoom();
        const writes = () => writer.write(api);
        try {
          back = Math.max(back, await within('writes are taken again', COMES_BACK_MS, writes));
        } catch {
          restarts += 1;
          await postgres.restart();
          await within('writes are taken after a start of PostgreSQL', 30_000, writes);
        }
        await writer.verify(api);
        const ended = async () => (await sheet.pending(api, operation)) === 0;
        await within('the operation ends', 90_000, ended);
        await sheet.verify(api, provider);
        cells += ROWS * 2;
      }
    } finally {
      await service?.stop();
      await provider.close();
      await postgres?.stop();
      small.unmount();
    }
    return [
      { metric: 'times full', value: fills, unit: '' },
      {
        metric: `requests refused (statuses seen: ${[...statuses].join(', ')})`,
        value: refusals,
        unit: '',
      },
      { metric: 'times PostgreSQL had to be started by hand', value: restarts, unit: '' },
      { metric: 'cells computed and compared', value: cells, unit: '' },
      { metric: 'longest until writes were taken again', value: back, unit: 'ms' },
    ];
  },
};
