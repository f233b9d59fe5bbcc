import type { Log } from '../log.ts';
import type { Meter } from './meter.ts';
import { unobserved, type Observer } from './observer.ts';

/** What is measured. Nothing of what measures is loaded for what is off. */
export interface ObserveSettings {
  /** Port of 127.0.0.1 for metrics and health; 0 chooses a free one. */
  readonly metricsPort: number | undefined;
  readonly traces: boolean;
}

export interface Observing {
  readonly observer: Observer;
  readonly meter: Meter | undefined;
  stop(): Promise<void>;
}

export async function startObserving(
  { metrics, traces }: { readonly metrics: boolean; readonly traces: boolean },
  thread: 'service' | 'worker',
  log: Log,
): Promise<Observing> {
  const meter = metrics ? (await import('./meter.ts')).createMeter(thread) : undefined;
  const tracer = traces ? (await import('./tracer.ts')).createTracer() : undefined;
  return {
    observer: { ...unobserved, ...meter, ...(tracer && { inSpan: tracer.inSpan }) },
    meter,
    stop: async () => {
      meter?.stop();
      await tracer?.stop().catch((error: unknown) => {
        log.warn('The last spans could not be sent.', { error: String(error) });
      });
    },
  };
}
