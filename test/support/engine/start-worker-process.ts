import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../service-entry.ts';
import type { DatabaseAddress } from '../../../src/service/store/database.ts';

const entry = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

/** Answers when the worker works. Kill it with `kill('SIGKILL')`. */
export async function startWorkerProcess(
  address: DatabaseAddress,
  leaseMs = 1500,
): Promise<ChildProcess> {
  const place = address.kind === 'sqlite' ? address.path : address.url;
  const child = spawn(
    process.execPath,
    ['--no-warnings', entry, address.kind, place, String(leaseMs)],
    {
      env: { ...process.env, ...compileCache },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  return child;
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
