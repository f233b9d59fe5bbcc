import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until.ts';

/** For a process whose threads are to be stopped from outside: nothing in the service helps with it. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

const addressIn = (log: string): string | undefined =>
  /ws:\/\/127\.0\.0\.1:\d+\/\S+/.exec(log)?.[0];

/** A thread that waits for ever is as silent as one that loops, and leaves the processor to others. */
const waysToHang = {
  loops: 'for (;;);',
  waits: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
};

/**
 * Has a thread of a process hang, by the inspector. `entry` is a part of the name of the file that the
 * thread runs.
 */
export async function hangThread(
  logOf: () => string,
  entry: RegExp,
  way: keyof typeof waysToHang = 'waits',
): Promise<void> {
  const socket = new WebSocket(await until('the inspector listens', () => addressIn(logOf())));
  await once(socket, 'open');
  let tell: (sessionId: string) => void = () => undefined;
  const found = new Promise<string>((resolve) => (tell = resolve));
  let obey: () => void = () => undefined;
  const obeyed = new Promise<void>((resolve) => (obey = resolve));
  const gone = once(socket, 'close').then(() => {
    throw new Error(`The process has ended: ${logOf()}`);
  });
  gone.catch(() => undefined);
  socket.onmessage = ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as {
      method?: string;
      params?: { sessionId: string; workerInfo: { url: string } };
    };
    if (method === 'NodeWorker.attachedToWorker' && entry.test(params?.workerInfo.url ?? '')) {
      tell(params?.sessionId ?? '');
    }
    if (method === 'NodeWorker.receivedMessageFromWorker') obey();
  };
  const send = (id: number, method: string, params: object): void =>
    socket.send(JSON.stringify({ id, method, params }));
  send(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
  const message = JSON.stringify({
    id: 1,
    method: 'Runtime.evaluate',
    params: { expression: `setTimeout(() => { ${waysToHang[way]} }, 0)` },
  });
  send(2, 'NodeWorker.sendMessageToWorker', {
    sessionId: await Promise.race([found, gone]),
    message,
  });
  await Promise.race([obeyed, gone]);
  await pause(200);
  socket.close();
}

/** The threads of a service, by the files that they run, as sources or as bundles. */
export const serviceThread = /service-thread\.m?[jt]s/;
export const computingThread = /(?:thread-main\.ts|\/worker\.mjs)/;
