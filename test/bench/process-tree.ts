import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 50;
const PAGE_KB = 4;
const TICK_MS = 10;

/** Ids of a process and of all that descend from it. */
function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  const memory = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(Number(name));
    if (stat === undefined) continue;
    parents.set(Number(name), stat.parent);
    memory.set(Number(name), stat.memoryMb);
  }
  const isBelow = (id: number): boolean => {
    for (let at: number | undefined = id; at !== undefined && at > 1; at = parents.get(at)) {
      if (at === root) return true;
    }
    return false;
  };
  return [...memory].filter(([id]) => isBelow(id)).map(([, megabytes]) => megabytes);
}

interface Stat {
  readonly parent: number;
  readonly memoryMb: number;
  /** So far. */
  readonly processorMs: number;
}

function statOf(id: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${String(id)}/stat`, 'utf8');
    // The name in brackets may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      parent: Number(fields[1]),
      memoryMb: (Number(fields[21]) * PAGE_KB) / 1024,
      processorMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    };
  } catch (error) {
    // It has ended meanwhile.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

const known = (id: number | undefined): Stat | undefined =>
  process.platform === 'linux' && id !== undefined ? statOf(id) : undefined;

/** Processor time of a process so far, on Linux; elsewhere nothing is known. */
export const processorMs = (id: number | undefined): number => known(id)?.processorMs ?? Number.NaN;

/** What it holds of the memory, in MB; the same. */
export const memoryOf = (id: number | undefined): number => known(id)?.memoryMb ?? Number.NaN;

/**
 * Watches how much memory a process and its descendants hold together. Linux only: elsewhere it sees
 * nothing. `stop` answers the most that was seen, in MB.
 */
export function watchMemory(root: number): { stop: () => number } {
  let most = 0;
  const look = (): void => {
    most = Math.max(
      most,
      treeOf(root).reduce((sum, megabytes) => sum + megabytes, 0),
    );
  };
  if (process.platform !== 'linux') return { stop: () => 0 };
  const timer = setInterval(look, EVERY_MS);
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return Math.round(most);
    },
  };
}
