import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { jsonAsWritten, jsonToText, type Json } from '../engine/columns/json.ts';
import { CellProblem } from '../engine/problem.ts';
import { ownEnvironment } from '../../core/options.ts';
import { Turns } from '../models/turns.ts';
import { pythonRunner } from './python-runner.ts';
import type { CodeData, RunOptions } from './sandbox.ts';

const ask = promisify(execFile);

const CPU_SECONDS = 5;
const WALL_MS = 10_000;
/** When it ends by itself: whoever would have stopped it is gone. */
const ALARM_SECONDS = 12;
const MEMORY_BYTES = 512 * 2 ** 20;
const OUTPUT_CHARACTERS = 4 * 2 ** 20;
const PROBE_MS = 10_000;
/** Processes at the same time. */
const SLOTS = 2;

/** Namespaces of its own (network, processes), from the most to the least; the first that works. */
const walls: readonly (readonly string[])[] = [
  ['unshare', '-r', '-n', '-p', '-f', '--mount-proc', '--kill-child'],
  ['unshare', '-r', '-n'],
];

const Answer = z.union([
  z.object({ value: z.string() }),
  z.object({ reason: z.enum(['failed', 'too_large']), message: z.string() }),
]);

interface Means {
  readonly python: string;
  /** What the command line begins with. */
  readonly wall: readonly string[];
}

async function works(
  command: readonly string[],
  args: readonly string[],
): Promise<string | undefined> {
  const [program = '', ...rest] = command;
  try {
    // Where python3 is found, and nothing else of ours: what is tried here may be a shim.
    const { PATH, HOME } = ownEnvironment();
    const options = { timeout: PROBE_MS, env: { PATH, HOME } };
    const { stdout } = await ask(program, [...rest, ...args], options);
    return stdout.trim();
  } catch {
    // It is not there, or not allowed here: which is what was asked.
    return undefined;
  }
}

async function findMeans(): Promise<Means> {
  // A shim would look for its versions in the environment, which the code does not get.
  const python = await works(
    ['python3'],
    ['-I', '-c', 'import sys, resource; print(sys.executable)'],
  );
  if (!python) {
    throw new CellProblem(
      'not_supported',
      'There is no python3 on this machine that can limit itself (Linux and macOS have one). Install it and restart the local service, or write the column in JavaScript.',
    );
  }
  if (process.platform !== 'linux') return { python, wall: [] };
  for (const wall of walls) {
    const path = await works(wall, [python, '-I', '-c', 'print(1)']);
    if (path === '1') return { python, wall };
  }
  return { python, wall: [] };
}

/** Runs Python, each piece in a process of its own that limits itself; nothing is kept between two. */
export class Python {
  readonly #turns = new Turns(SLOTS);
  #means: Promise<Means> | undefined;

  /** The value of the last expression, or what the code returns. Throws CellProblems. */
  async run(code: string, data: CodeData, runOptions: RunOptions): Promise<Json> {
    const means = await (this.#means ??= findMeans());
    return this.#turns.take(async () => {
      runOptions.onBegin?.();
      const folder = await mkdtemp(join(tmpdir(), 'prompt-tables-python-'));
      try {
        return await execute(means, folder, jsonToText({ code, data }), runOptions.signal);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }, runOptions.signal);
  }
}

function execute(
  { python, wall }: Means,
  folder: string,
  job: string,
  signal: AbortSignal,
): Promise<Json> {
  const limits = [CPU_SECONDS, MEMORY_BYTES, OUTPUT_CHARACTERS, ALARM_SECONDS].map(String);
  const [program = '', ...args] = [
    ...wall,
    python,
    '-I',
    '-B',
    '-S',
    '-c',
    pythonRunner,
    ...limits,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      // Nothing of ours; only where the system looks for programs.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'ignore'],
      // A group of its own, so that whatever it has started ends with it.
      detached: true,
    });
    let text = '';
    let problem: Error | undefined;
    const startedAt = performance.now();
    const stop = (reason: Error): void => {
      problem ??= reason;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself meanwhile.
      }
    };
    const onAbort = (): void => stop(abortOf(signal));
    const timer = setTimeout(() => stop(tooLong()), WALL_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdin.on('error', () => undefined);
    child.stdin.end(job);
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.length > 3 * OUTPUT_CHARACTERS) {
        stop(new CellProblem('limit_exceeded', 'The code returned more than can be kept.'));
      }
    });
    child.on('error', (error) => {
      problem ??= new CellProblem('internal', `Python could not be started: ${error.message}`);
    });
    child.on('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (problem !== undefined) {
        reject(problem);
        return;
      }
      try {
        resolve(valueOf(text, performance.now() - startedAt));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

const abortOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('The operation was canceled.');

const tooLong = (): CellProblem =>
  new CellProblem(
    'timed_out',
    `The code did not end within ${String(CPU_SECONDS)} s and was stopped.`,
  );

function valueOf(text: string, tookMs: number): Json {
  const [line = ''] = text.split('\n');
  // Killed for its time. Behind a wall of namespaces the signal itself does not come through.
  if (line === '' && tookMs >= CPU_SECONDS * 1000) throw tooLong();
  let sent: unknown;
  try {
    sent = JSON.parse(line);
  } catch {
    sent = undefined;
  }
  const answer = Answer.safeParse(sent);
  if (!answer.success) {
    throw new CellProblem('code_failed', 'The code ended its process.');
  }
  if ('value' in answer.data) return jsonAsWritten(answer.data.value);
  const { reason, message } = answer.data;
  throw new CellProblem(reason === 'failed' ? 'code_failed' : 'limit_exceeded', message);
}
