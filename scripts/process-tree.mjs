// What a process and all that come of it use of the processors, by the kind of program. Linux tells a
// process only of children that it has waited for, and browsers and editors end before theirs do: so
// all are looked at every second, while they live.
import fs from 'node:fs';

/** USER_HZ, which is the same on every Linux. */
const ticksPerSecond = 100;
const everyMs = 1000;

/**
 * @typedef {object} Stat
 * @property {number} pid
 * @property {number} parent
 * @property {number} session
 * @property {number} own seconds
 * @property {number} waitedFor seconds of the children that it has seen end, with all of theirs
 * @property {string} start with the pid: another process gets another one
 *
 * @typedef {object} Known
 * @property {Stat} stat as last seen
 * @property {number} seen the look that saw it last
 * @property {string} kind
 * @property {Known[]} children
 */

/**
 * @param {string} text of /proc/PID/stat
 * @returns {Stat}
 */
export function readStat(text) {
  // The second field is the program's name in parentheses, which may hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const seconds = (/** @type {number} */ at) =>
    (Number(fields[at] ?? 0) + Number(fields[at + 1] ?? 0)) / ticksPerSecond;
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(fields[1]),
    session: Number(fields[3]),
    own: seconds(11),
    waitedFor: seconds(13),
    start: fields[19] ?? '',
  };
}

/** By its command line: the first that fits. */
const kinds = /** @type {const} */ ([
  ['Chromium', /chrom(e|ium)/i],
  ['VS Code', /code-server.*(server-main|bootstrap-fork|extensionHost)|--type=extensionHost/],
  ['sandboxes', /sandbox(-watchdog)?\.(mjs|ts)|python/],
  ['service', /service\.mjs|src\/service\/main\.ts/],
  ['PostgreSQL', /postgres/],
  ['tests', /mocha|test\/host\/run\.ts/],
]);

/**
 * @param {string} commandLine
 * @returns {string | undefined} of a process that has ended and still is in the list, nothing
 */
export function kindOf(commandLine) {
  if (commandLine === '') return undefined;
  return kinds.find(([, pattern]) => pattern.test(commandLine))?.[0] ?? 'others';
}

export class ProcessTree {
  /** @type {Map<number, Known>} */
  #known = new Map();
  /** @type {Map<number, Known>} by the pid of the process that began the session */
  #sessions = new Map();
  #roots = 0;
  #looks = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #read;

  /** @param {() => readonly { stat: Stat, kind: () => string | undefined }[]} [read] */
  constructor(read = processes) {
    this.#read = read;
  }

  /**
   * @param {number} pid of a child of this process
   * @returns {(told: number) => Readonly<Record<string, number>>} to be called when it has ended, with
   *   the seconds that this process was told of: gives the seconds of each kind
   */
  follow(pid) {
    const root = newlyKnown(pid);
    this.#known.set(pid, root);
    this.#sessions.set(pid, root);
    this.#roots += 1;
    this.#timer ??= setInterval(() => this.look(), everyMs).unref();
    this.look();
    return (told) => {
      this.#forget(root);
      this.#roots -= 1;
      if (this.#roots === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
      const seen = used(root);
      // What it did since it was last seen.
      const rest = Math.max(0, told - sumOf(seen));
      return { ...seen, [root.kind]: (seen[root.kind] ?? 0) + rest };
    };
  }

  look() {
    this.#looks += 1;
    const present = new Map(this.#read().map((process) => [process.stat.pid, process]));
    for (const { stat, kind } of present.values()) {
      const known = this.#find(stat, present);
      if (known === undefined) continue;
      // Asked each time: between fork and exec a process is still what its parent is.
      known.kind = kind() ?? known.kind;
      known.stat = stat;
      known.seen = this.#looks;
    }
  }

  /**
   * @param {Stat} stat
   * @param {ReadonlyMap<number, { stat: Stat, kind: () => string | undefined }>} present
   * @returns {Known | undefined} nothing for processes of others
   */
  #find(stat, present) {
    const known = this.#known.get(stat.pid);
    if (known !== undefined && ['', stat.start].includes(known.stat.start)) return known;
    const parent = present.get(stat.parent);
    // Whose parent has ended before it was ever seen is known by its session.
    const above = (parent && this.#find(parent.stat, present)) ?? this.#sessions.get(stat.session);
    if (above === undefined) return undefined;
    const added = newlyKnown(stat.pid);
    above.children.push(added);
    this.#known.set(stat.pid, added);
    if (stat.session === stat.pid) this.#sessions.set(stat.pid, added);
    return added;
  }

  /** @param {Known} process */
  #forget(process) {
    const { pid } = process.stat;
    if (this.#known.get(pid) === process) this.#known.delete(pid);
    if (this.#sessions.get(pid) === process) this.#sessions.delete(pid);
    for (const child of process.children) this.#forget(child);
  }
}

/**
 * @param {number} pid
 * @returns {Known}
 */
const newlyKnown = (pid) => ({
  stat: { pid, parent: 0, session: 0, own: 0, waitedFor: 0, start: '' },
  ...{ seen: 0, kind: 'others', children: [] },
});

/**
 * Nothing twice: a child that was gone when its parent was last seen is in what that was told of, and
 * all others, which it may never have waited for, are not.
 * @param {Known} process
 * @returns {Readonly<Record<string, number>>}
 */
function used(process) {
  /** @type {Record<string, number>} */
  const total = { [process.kind]: process.stat.own };
  let waitedFor = 0;
  for (const child of process.children) {
    const ofChild = used(child);
    if (child.seen < process.seen) waitedFor += sumOf(ofChild);
    for (const [kind, seconds] of Object.entries(ofChild))
      total[kind] = (total[kind] ?? 0) + seconds;
  }
  const unseen = process.stat.waitedFor - waitedFor;
  if (unseen > 0) total['others'] = (total['others'] ?? 0) + unseen;
  return total;
}

/** @param {Readonly<Record<string, number>>} seconds */
export const sumOf = (seconds) => Object.values(seconds).reduce((sum, one) => sum + one, 0);

function processes() {
  return fs.readdirSync('/proc').flatMap((name) => {
    const text = /^\d+$/.test(name) ? fileOf(name, 'stat') : '';
    if (text === '') return [];
    return [{ stat: readStat(text), kind: () => kindOf(fileOf(name, 'cmdline')) }];
  });
}

/**
 * @param {string} pid
 * @param {string} file
 */
function fileOf(pid, file) {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // it has ended since it was listed
  }
}
