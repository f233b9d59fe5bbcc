/** The programs behind a window: which they are, and what they hold. Linux only, like /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../support/until.ts';

export interface ProcessSample {
  /** What the system counts as the process's own. */
  readonly rssMb: number;
  /** What its JavaScript holds after everything that can be freed was freed. */
  readonly heapMb: number;
}

const inspectorPort = 9229;
const patienceMs = 20_000;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // It has ended meanwhile.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}

const parentOf = (pid: number): number =>
  Number(/^PPid:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);

function isBelow(pid: number, root: number): boolean {
  for (let at = pid; at > 1; at = parentOf(at)) if (at === root) return true;
  return false;
}

/** The newest extension host of a server; one before it may still be ending after a reload. */
export function extensionHosts(dataDir: string): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const lines = new Map(all.map((pid) => [Number(pid), textOf(`/proc/${pid}/cmdline`)]));
  const servers = [...lines].filter(
    ([, line]) => line.includes('server-main') && line.includes(dataDir),
  );
  return [...lines]
    .filter(([, line]) => line.includes('--type=extensionHost'))
    .map(([pid]) => pid)
    .filter((pid) => servers.some(([server]) => isBelow(pid, server)))
    .toSorted((a, b) => a - b);
}

export const serviceFolder = (dataDir: string): string =>
  path.join(dataDir, 'user-data/User/globalStorage/prompt-tables.prompt-tables/local');

export function announced(dataDir: string): { readonly pid: number; readonly socketPath: string } {
  const file = path.join(serviceFolder(dataDir), 'service.json');
  return JSON.parse(readFileSync(file, 'utf8')) as { pid: number; socketPath: string };
}

export const rssMbOf = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1024;

/** One question and answer after the other over the inspector of a running Node process. */
class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
      if (id === undefined) return;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  static async open(pid: number): Promise<Inspector> {
    process.kill(pid, 'SIGUSR1');
    return until(
      `process ${pid} opens its inspector`,
      async () => {
        const answer = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
        const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
        const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
        await new Promise((resolve, reject) => {
          socket.addEventListener('open', resolve);
          socket.addEventListener('error', () =>
            reject(new Error(`Process ${pid} refused a debugger.`)),
          );
        });
        return new Inspector(socket);
      },
      { limitMs: patienceMs, everyMs: 100 },
    );
  }

  ask(method: string, params: object = {}): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new Error(`${method} was not answered within ${patienceMs / 1000} s.`)),
        patienceMs,
      );
      this.#waiting.set(id, (answer) => {
        clearTimeout(limit);
        resolve(answer);
      });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  async valueOf<Value>(expression: string): Promise<Value> {
    const answer = (await this.ask('Runtime.evaluate', {
      expression,
      returnByValue: true,
    })) as { result: { value: Value }; exceptionDetails?: { text: string } };
    if (answer.exceptionDetails) throw new Error(`${expression}: ${answer.exceptionDetails.text}`);
    return answer.result.value;
  }

  /** Frees the port for the next process. */
  async close(): Promise<void> {
    const inspector = `process.getBuiltinModule('node:inspector')`;
    await this.valueOf(`setTimeout(() => ${inspector}.close(), 50) && true`);
    this.#socket.close();
    await until('the inspector is closed', async () => !(await isListening()), {
      limitMs: patienceMs,
      everyMs: 50,
    });
  }
}

const isListening = (): Promise<boolean> =>
  fetch(`http://127.0.0.1:${inspectorPort}/json/version`).then(
    () => true,
    () => false,
  );

/** Collects garbage in a process, then reads what it holds. */
export async function sampleProcess(pid: number): Promise<ProcessSample> {
  const inspector = await Inspector.open(pid);
  try {
    const answering = await inspector.valueOf<number>('process.pid');
    if (answering !== pid)
      throw new Error(
        `Port ${inspectorPort} belongs to process ${answering}, not to ${pid}: end its debugger.`,
      );
    await inspector.ask('HeapProfiler.collectGarbage');
    const heap = await inspector.valueOf<number>('process.memoryUsage().heapUsed');
    return { rssMb: rssMbOf(pid), heapMb: heap / 2 ** 20 };
  } finally {
    await inspector.close();
  }
}
