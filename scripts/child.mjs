// Child processes that never outlive the script which started them.
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';
import { account } from './processor-time.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const alive = new Set();
/** @type {typeof alive} */
const groups = new Set();
const hasGroups = process.platform !== 'win32';

/** @type {Set<() => Promise<void>>} */
const farewells = new Set();
let isEnding = false;

for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])) {
  process.on(signal, () => {
    if (isEnding) return;
    isEnding = true;
    // Children end first; what has to be tidied up after them is in the farewells.
    for (const child of alive) child.kill(signal);
    for (const child of groups) signalGroup(child, signal);
    void Promise.allSettled([...farewells].map((farewell) => farewell())).then(() => {
      process.exit(process.exitCode ?? code);
    });
  });
}
process.on('exit', () => {
  for (const child of alive) child.kill('SIGTERM');
  for (const child of groups) signalGroup(child, 'SIGTERM');
});

/**
 * What is left to do when a signal ends this process. An action for which that is the proper end
 * sets `process.exitCode`.
 * @param {() => Promise<void>} action
 */
export function onSignal(action) {
  farewells.add(action);
}

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] added to this process's environment
 * @property {boolean} [quiet] collect the output instead of showing it
 * @property {number} [timeoutMs]
 *
 * @typedef {{code: number, output: string, ms: number}} RunResult
 */

/**
 * Runs a command to its end. Never rejects because of an exit code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, { cwd = root, env = {}, quiet = false, timeoutMs } = {}) {
  const began = Date.now();
  const inGroup = hasGroups && (quiet || timeoutMs !== undefined);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      detached: inGroup,
      // npm, npx and code are .cmd files on Windows, which only a shell can start
      shell: process.platform === 'win32' && !command.endsWith('.exe'),
    });
    const hasEnded = account(child.pid);
    const kept = inGroup ? groups : alive;
    kept.add(child);
    /** @type {Buffer[]} */
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    /** @type {NodeJS.Timeout[]} */
    const timers = [];
    const endAll = () => {
      signalGroup(child, 'SIGTERM');
      timers.push(setTimeout(() => signalGroup(child, 'SIGKILL'), 5000));
    };
    if (timeoutMs !== undefined) {
      const overdue = () => {
        chunks.push(Buffer.from(`\nstopped: no end within ${timeoutMs / 1000} s\n`));
        endAll();
      };
      timers.push(setTimeout(overdue, timeoutMs));
    }
    child.once('exit', hasEnded);
    // What it left behind would hold its pipes open, and we would wait for ever.
    if (inGroup) child.once('exit', () => timers.push(setTimeout(endAll, 3000)));
    child.once('error', (error) => {
      for (const timer of timers) clearTimeout(timer);
      kept.delete(child);
      reject(error);
    });
    child.once('close', (code) => {
      for (const timer of timers) clearTimeout(timer);
      kept.delete(child);
      resolve({
        code: code ?? 1,
        output: Buffer.concat(chunks).toString('utf8'),
        ms: Date.now() - began,
      });
    });
  });
}

/**
 * Starts a process that goes on in the background until it is stopped. It leads a group, so that
 * what it starts itself can be ended with it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function start(command, args, options) {
  const child = spawn(command, args, { ...options, detached: hasGroups });
  const hasEnded = account(child.pid);
  groups.add(child);
  child.once('exit', hasEnded);
  child.once('close', () => groups.delete(child));
  return child;
}

/**
 * Asks a process and all of its group to end, and makes them when they do not within the time.
 * @param {import('node:child_process').ChildProcess} child
 * @param {{signal?: NodeJS.Signals, graceMs?: number}} [options]
 */
export async function stop(child, { signal = 'SIGTERM', graceMs = 5000 } = {}) {
  const patience = Date.now() + graceMs;
  signalGroup(child, signal);
  while (signalGroup(child, 0)) {
    if (Date.now() > patience) signalGroup(child, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether any of them was there
 */
function signalGroup(child, signal) {
  const { pid } = child;
  if (pid === undefined) return false;
  const isOver = child.exitCode !== null || child.signalCode !== null;
  if (!hasGroups) return !isOver && child.kill(signal);
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false;
    throw error;
  }
}
