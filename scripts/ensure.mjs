// Makes sure of the right Node and of installed dependencies; costs nothing when all is there.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { run } from './child.mjs';
import { inModules, inRoot } from './paths.mjs';
import { isAtLeast, oldestForScripts } from './runtime.mjs';
import { say, seconds, Trouble } from './say.mjs';

const lock = inRoot('package-lock.json');
const stamp = inModules('.stamp');

export async function ensure() {
  if (!isAtLeast(process.versions.node, oldestForScripts)) {
    throw new Trouble(
      `Prompt Tables needs Node ${oldestForScripts} or newer; this is ${process.versions.node}.`,
      'install a current Node (20, 22 or 24) and run the command again.',
    );
  }
  const text = fs.readFileSync(lock, 'utf8');
  const wanted = createHash('sha256').update(text).digest('hex');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return;
  if (!isInstalled(text)) {
    say('Installing dependencies (npm ci) ...');
    const began = Date.now();
    await npmCi(inRoot());
    say(`Dependencies installed in ${seconds(began)}.`);
  }
  fs.writeFileSync(stamp, wanted);
}

/**
 * Whether npm has already put exactly the locked versions there (`npm install` by hand does).
 * @param {string} lockText
 */
function isInstalled(lockText) {
  const record = inModules('.package-lock.json');
  if (!fs.existsSync(record)) return false;
  /** @typedef {Record<string, {integrity?: string, version?: string, optional?: boolean}>} Packages */
  const { packages: locked } = /** @type {{packages: Packages}} */ (JSON.parse(lockText));
  const { packages: present } = /** @type {{packages: Packages}} */ (
    JSON.parse(fs.readFileSync(record, 'utf8'))
  );
  return Object.entries(locked).every(([place, entry]) => {
    const found = present[place];
    if (place === '') return true;
    return found ? found.integrity === entry.integrity : entry.optional === true;
  });
}

/**
 * Installs what a lockfile names; no package's own scripts run.
 * @param {string} cwd
 * @param {readonly string[]} [more] options of npm ci
 */
export async function npmCi(cwd, more = []) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...more];
  const ownCli = process.env['npm_execpath'];
  const result = ownCli?.endsWith('.js')
    ? await run(process.execPath, [ownCli, ...args], { cwd })
    : await run('npm', args, { cwd });
  if (result.code !== 0) {
    throw new Trouble(
      `npm ci failed in ${cwd} (exit code ${result.code}; npm's own message is above).`,
      'check the connection to the npm registry (npm ping) and run the command again.',
    );
  }
}
