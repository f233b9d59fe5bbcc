import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as prom from 'prom-client';
import type { Observer } from './observer.ts';

/** Seconds; from a cached answer to a model that thinks. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const MODEL_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128];

/** What a thread has counted, in a form that crosses to another thread. */
export type Measured = readonly object[];

type Counting = Omit<Observer, 'inSpan'>;

export interface Meter extends Counting {
  readonly registry: prom.Registry;
  measured(): Promise<Measured>;
  stop(): void;
}

/** Counts what one thread does. Each thread has one, distinguished by the label `thread`. */
export function createMeter(thread: 'service' | 'worker'): Meter {
  const registry = new prom.Registry();
  registry.setDefaultLabels({ thread });
  const registers = [registry];
  const requests = new prom.Histogram({
    name: 'prompt_tables_request_duration_seconds',
    help: 'Requests of this service, by path and status, and how long they took.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const claims = counter(registers, 'claims', 'Claims of rows by this process.');
  const rows = counter(registers, 'claimed_rows', 'Rows that this process has claimed.');
  const lost = counter(registers, 'lost_claims', 'Claims taken away: a cancel or a lost lease.');
  const cells = counter(registers, 'cells', 'Cells computed, by type and outcome.', [
    'type',
    'status',
  ]);
  const calls = new prom.Histogram({
    name: 'prompt_tables_model_request_duration_seconds',
    help: 'Requests to providers of models, and how long they took.',
    labelNames: ['provider', 'model', 'outcome'],
    buckets: MODEL_BUCKETS,
    registers,
  });
  const tokens = counter(registers, 'model_tokens', 'Tokens that providers have counted.', [
    'provider',
    'model',
    'direction',
  ]);
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const lag = new prom.Gauge({
    name: 'prompt_tables_event_loop_delay_seconds',
    help: 'How long the event loop was held up since the last measurement.',
    labelNames: ['quantile'],
    registers,
    collect(): void {
      for (const percent of [50, 99, 100]) {
        const nanoseconds = percent === 100 ? delay.max : delay.percentile(percent);
        // Before the first sample the histogram holds numbers without a meaning.
        lag.set({ quantile: String(percent / 100) }, delay.count > 0 ? nanoseconds / 1e9 : 0);
      }
      delay.reset();
    },
  });
  return {
    registry,
    requestAnswered: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status }, seconds),
    rowsClaimed: (count) => {
      claims.inc();
      rows.inc(count);
    },
    claimLost: () => lost.inc(),
    cellComputed: (type, status) => cells.inc({ type, status }),
    modelAsked: ({ provider, model, outcome, seconds, inputTokens, outputTokens }) => {
      calls.observe({ provider, model, outcome }, seconds);
      if (inputTokens !== null) tokens.inc({ provider, model, direction: 'input' }, inputTokens);
      if (outputTokens !== null) tokens.inc({ provider, model, direction: 'output' }, outputTokens);
    },
    measured: () => registry.getMetricsAsJSON(),
    stop: () => {
      delay.disable();
      registry.clear();
    },
  };
}

function counter<Label extends string>(
  registers: prom.Registry[],
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): prom.Counter<Label> {
  return new prom.Counter({ name: `prompt_tables_${name}_total`, help, labelNames, registers });
}
