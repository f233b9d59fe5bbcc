/** The disk of the data folder gets full, and has room again. Needs root and Linux (a small tmpfs). */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { RunningService } from '../service/support/running-service.ts';
import type { Campaign } from './load.ts';
import { CountingProvider, PaidSheet, within, Writer } from './load.ts';
import { SmallDisk } from './small-disk.ts';

const SIZE_MB = 48;
const ROWS = 60;

export const disk: Campaign = {
  name: 'disk full',
  async run(untilMs) {
    if (!SmallDisk.isPossible) return SmallDisk.leftOut;
    const small = SmallDisk.mount(SIZE_MB);
    const data = path.join(small.folder, 'data');
    mkdirSync(data);
    const provider = await CountingProvider.start(20);
    let service: RunningService | undefined;
    let [fills, refusals, cells] = [0, 0, 0];
    let back = 0;
    const statuses = new Set<number>();
    try {
      service = await RunningService.start({ folder: data, environment: provider.environment });
      const { api } = service;
      const writer = await Writer.create(api);
      for (let round = 0; Date.now() < untilMs && round < 40; round += 1) {
        const sheet = await PaidSheet.create(api, `disk-${String(round)}`, ROWS);
        const operation = await sheet.start(api);
        small.fill();
        fills += 1;
        for (let tries = 0; tries < 200; tries += 1) {
          const answer = await api.call('POST', `${sheet.place.path}/columns`, {
            title: `x${String(tries)}`,
            type: 'TEXT',
          });
          statuses.add(answer.status);
          if (answer.status < 300) continue;
          refusals += 1;
          assert.equal(answer.body.success, false, answer.text);
          assert.equal(answer.status, 507, answer.text);
          assert.equal(answer.body.error, 'storage_full');
        }
        // What is there can be read while nothing can be written.
        await api.get(`${sheet.place.path}/rows`);
        small.makeRoom();
        back = Math.max(
          back,
          await within('writes are taken again', 20_000, () => writer.write(api)),
        );
        await writer.verify(api);
        await within(
          'the operation ends',
          60_000,
          async () => (await sheet.pending(api, operation)) === 0,
        );
        await sheet.verify(api, provider);
        cells += ROWS * 2;
      }
    } finally {
      await service?.stop();
      await provider.close();
      small.unmount();
    }
    return [
      { metric: 'times full', value: fills, unit: '' },
      {
        metric: `requests refused (statuses seen: ${[...statuses].join(', ')})`,
        value: refusals,
        unit: '',
      },
      { metric: 'cells computed and compared', value: cells, unit: '' },
      { metric: 'longest until writes were taken again', value: back, unit: 'ms' },
    ];
  },
};
