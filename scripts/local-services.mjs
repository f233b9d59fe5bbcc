// The extension starts its local service detached, so that windows can share it. It ends by itself
// a moment after the last window; whoever runs a window for a test or a demo waits for that here.
import path from 'node:path';
import { filesBelow, textOf } from './files.mjs';

const patienceMs = 8000;

/**
 * Waits for the services of a VS Code data folder to end; ends those that do not.
 * @param {string} userDataDir
 */
export async function stopLocalServices(userDataDir) {
  const pids = runningServices(userDataDir);
  const deadline = Date.now() + patienceMs;
  for (const pid of pids) signal(pid, 'SIGTERM');
  while (pids.some(isRunning) && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (const pid of pids.filter(isRunning)) signal(pid, 'SIGKILL');
}

/**
 * @param {string} userDataDir
 * @returns {number[]}
 */
function runningServices(userDataDir) {
  const storage = path.join(userDataDir, 'User', 'globalStorage');
  return filesBelow(storage)
    .filter((file) => path.basename(file) === 'service.json')
    .map((file) => Number(JSON.parse(textOf(file) ?? '{}').pid))
    .filter((pid) => Number.isInteger(pid) && pid > 0 && isRunning(pid) && isService(pid));
}

/**
 * A file left by a crash may name a process that is someone else's by now.
 * @param {number} pid
 */
function isService(pid) {
  const commandLine = textOf(`/proc/${pid}/cmdline`);
  return commandLine === undefined || commandLine.includes('service.mjs');
}

/** @param {number} pid */
const isRunning = (pid) => signal(pid, 0);

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} name
 * @returns {boolean} whether the process is there
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false;
    throw error;
  }
}
