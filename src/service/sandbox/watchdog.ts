import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { WATCH_FD, Watched, type WatchdogData } from './watched.ts';

/**
 * A thread of the sandbox process that nothing can hold up: the one that computes hears of nothing
 * while it does. It tells the service of work that has used up its time of the processor, and ends
 * the process when the service is gone, which nobody else would.
 */
const { memory, servicePid } = workerData as WatchdogData;
const watched = new Watched(memory);

/** A process without its parent is given to another one, but not on Windows. */
function isOrphan(): boolean {
  if (process.platform !== 'win32') return process.ppid !== servicePid;
  try {
    process.kill(servicePid, 0);
    return false;
  } catch {
    return true;
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

for (;;) {
  const job = watched.waitForWork();
  const before = processorMs();
  let isReported = false;
  while (watched.isAt(job)) {
    if (isOrphan()) process.kill(process.pid, 'SIGKILL');
    if (!isReported && processorMs() - before > watched.timeMs) {
      isReported = true;
      writeSync(WATCH_FD, `${String(job)}\n`);
    }
    watched.waitTick();
  }
}
