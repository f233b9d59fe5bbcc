/** What a window and the programs behind it hold at one moment. */
import type { CDPSession } from 'playwright-core';
import type { Workbench } from '../support/host/workbench.ts';
import { announced, extensionHosts, sampleProcess } from './processes.ts';

export interface Sample {
  readonly atMs: number;
  readonly pageHeapMb: number;
  readonly nodes: number;
  readonly listeners: number;
  /** Documents that the page holds, shown or forgotten. */
  readonly documents: number;
  readonly hostRssMb: number;
  readonly hostHeapMb: number;
  readonly serviceRssMb: number;
  readonly serviceHeapMb: number;
}

export class Sampler {
  readonly #workbench: Workbench;
  readonly #session: CDPSession;
  readonly #began = Date.now();
  readonly samples: Sample[] = [];

  private constructor(workbench: Workbench, session: CDPSession) {
    this.#workbench = workbench;
    this.#session = session;
  }

  static async start(workbench: Workbench): Promise<Sampler> {
    const session = await workbench.page.context().newCDPSession(workbench.page);
    await session.send('Performance.enable');
    await session.send('HeapProfiler.enable');
    return new Sampler(workbench, session);
  }

  async take(): Promise<Sample> {
    const { dataDir } = this.#workbench.host;
    await this.#session.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const metric = (wanted: string): number =>
      metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
    const hostId = extensionHosts(dataDir).at(-1);
    if (hostId === undefined) throw new Error('The window has no extension host.');
    const host = await sampleProcess(hostId);
    const service = await sampleProcess(announced(dataDir).pid);
    const sample: Sample = {
      atMs: Date.now() - this.#began,
      pageHeapMb: metric('JSHeapUsedSize') / 2 ** 20,
      nodes: metric('Nodes'),
      listeners: metric('JSEventListeners'),
      documents: metric('Documents'),
      hostRssMb: host.rssMb,
      hostHeapMb: host.heapMb,
      serviceRssMb: service.rssMb,
      serviceHeapMb: service.heapMb,
    };
    this.samples.push(sample);
    return sample;
  }
}
