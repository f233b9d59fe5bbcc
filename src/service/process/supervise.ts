import { setTimeout as pause } from 'node:timers/promises';
import { SHARE_ENV, Worker as Thread } from 'node:worker_threads';
import { createLog, errorText } from '../log.ts';
import { keepCompiled } from './compiled.ts';
import type { ServiceMessage, ServiceThreadData } from './service-messages.ts';
import type { Settings } from './settings.ts';

/** A service that says nothing for so long hangs, unless its settings say something else. */
const SILENCE_MS = 30_000;
const RESTART_MS = 500;
/** From the signal to the end, whatever the service does: 5 s, and a little for the machine. */
const DEADLINE_MS = 4500;
const TERMINATE_MS = 300;
/** Nothing waits for the end of one that is started anew, and a busy machine takes a while over it. */
const REPLACE_MS = 10_000;

/**
 * Runs the service in a thread and watches over it. This thread does nothing else, so it hears
 * signals and the clock whatever the service is busy with. Answers the code to exit with.
 */
export function supervise(settings: Settings, environment: Environment): Promise<number> {
  const supervisor = new Supervisor(settings);
  supervisor.keepCompiled(environment);
  return supervisor.run();
}

/** Of the process, which its threads share. */
type Environment = Record<string, string | undefined>;

class Supervisor {
  readonly #log: ReturnType<typeof createLog>;
  readonly #exit = Promise.withResolvers<number>();
  readonly #silenceMs: number;
  #settings: Settings;
  #thread: Thread | undefined;
  #heardAt = performance.now();
  #isReady = false;
  #stopReason: string | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#silenceMs = settings.hangAfterMs ?? SILENCE_MS;
    this.#log = createLog(settings.logLevel, (line) => process.stderr.write(line));
  }

  async run(): Promise<number> {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => void this.#stop(signal));
    }
    // Whoever started the service may close its end of the pipe: no reason to die.
    process.stdout.on('error', () => undefined);
    process.stderr.on('error', () => undefined);
    const watch = setInterval(() => void this.#checkSilence(), this.#silenceMs / 10);
    this.#start();
    const code = await this.#exit.promise;
    clearInterval(watch);
    return code;
  }

  keepCompiled(environment: Environment): void {
    try {
      keepCompiled(this.#settings.dataFolder, environment);
    } catch (error) {
      this.#log.warn('Compiled code is not kept', { error: errorText(error) });
    }
  }

  #start(): void {
    const data: ServiceThreadData = { settings: this.#settings };
    const thread = new Thread(threadEntry(), { workerData: data, env: SHARE_ENV });
    this.#thread = thread;
    this.#heardAt = performance.now();
    thread.on('message', (message: ServiceMessage) => this.#hear(message));
    thread.on('error', (error) => {
      process.stderr.write(`The service failed. ${error.stack ?? String(error)}\n`);
      this.#exit.resolve(1);
    });
    thread.on('exit', () => {
      if (this.#thread === thread) this.#exit.resolve(0);
    });
  }

  #hear(message: ServiceMessage): void {
    this.#heardAt = performance.now();
    switch (message.kind) {
      case 'alive':
        return;
      case 'log':
        process.stderr.write(message.line);
        return;
      case 'failed':
        process.stderr.write(`${message.text}\n`);
        this.#exit.resolve(message.code);
        return;
      case 'ready':
        if (!this.#isReady) process.stdout.write(`${JSON.stringify(message.ready)}\n`);
        this.#isReady = true;
        this.#settings = atSameAddress(this.#settings, message.ready);
    }
  }

  async #stop(reason: string): Promise<void> {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.#thread?.postMessage(reason);
    await pause(DEADLINE_MS);
    this.#log.error('The service did not end in time and is ended.', { reason });
    await this.#terminate(TERMINATE_MS);
    this.#exit.resolve(0);
  }

  /** Ends the thread. One that is in the middle of a long call of the system takes the process along. */
  async #terminate(limitMs: number): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    const isEnded = thread?.terminate().then(() => true);
    if ((await Promise.race([isEnded, pause(limitMs, false)])) === true) return;
    process.kill(process.pid, 'SIGKILL');
  }

  #isStopping(): boolean {
    return this.#stopReason !== undefined;
  }

  async #checkSilence(): Promise<void> {
    if (!this.#thread || this.#isStopping()) return;
    if (performance.now() - this.#heardAt < this.#silenceMs) return;
    this.#log.error('The service hangs and is restarted.');
    await this.#terminate(REPLACE_MS);
    await pause(RESTART_MS);
    if (this.#isStopping()) this.#exit.resolve(0);
    else this.#start();
  }
}

/** Whoever knows the address finds the service there again. */
function atSameAddress(
  settings: Settings,
  { url, metricsUrl }: { readonly url?: string; readonly metricsUrl?: string },
): Settings {
  const portOf = (address: string): number => Number(new URL(address).port);
  return {
    ...settings,
    ...(url !== undefined && { listen: { kind: 'port', port: portOf(url) } }),
    ...(metricsUrl !== undefined && {
      observe: { ...settings.observe, metricsPort: portOf(metricsUrl) },
    }),
  };
}

/** From the sources or from the bundles, which lie side by side. */
const threadEntry = (): URL =>
  new URL(
    import.meta.url.endsWith('.ts') ? './service-thread.ts' : './service-thread.mjs',
    import.meta.url,
  );
