// Runs a VS Code server on a loopback port, with folders of its own for everything it writes.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { run, start, stop } from './child.mjs';
import { inRoot } from './paths.mjs';
import { Trouble } from './say.mjs';
import { stopLocalServices } from './local-services.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {string} dataDir
 * @property {number} [port] a free one when absent
 * @property {boolean} [restricted] folders are not trusted until the user says so
 * @property {boolean} [driver] true for mocha runs: reads the test payload, but hides toasts and answers dialogs
 * @property {Record<string, unknown>} [settings] user settings besides scripts/vscode-settings.json
 * @property {Record<string, string>} [env]
 *
 * @typedef {object} Server
 * @property {string} origin
 * @property {string} authority
 * @property {string} dataDir
 * @property {(settings: Record<string, unknown>) => void} writeSettings
 * @property {Promise<number>} ended
 * @property {() => Promise<void>} stop
 */

/** Only ends what hangs: quiet machines need a few seconds. */
const slowMachineMs = 300_000;

/** @returns {Promise<number>} */
export const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = /** @type {net.AddressInfo} */ (probe.address());
      probe.close(() => resolve(address.port));
    });
  });

/** @param {string} dataDir */
const folders = (dataDir) => ({
  user: path.join(dataDir, 'user-data'),
  server: path.join(dataDir, 'server-data'),
  extensions: path.join(dataDir, 'extensions'),
});

/** @param {string} dataDir */
const folderArgs = (dataDir) => {
  const { user, server, extensions } = folders(dataDir);
  return ['--user-data-dir', user, '--server-data-dir', server, '--extensions-dir', extensions];
};

// An extension gallery, another VS Code's variables or npm's own must not reach the server.
const foreign = /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_|PROMPTLAYER_)/;
const serverEnv = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
  EXTENSIONS_GALLERY: '{}',
});

/**
 * Puts an extension folder among a server's extensions. Must be done before the server starts.
 * @param {string} dataDir
 * @param {string} extensionDir
 */
export function linkExtension(dataDir, extensionDir) {
  const { extensions } = folders(dataDir);
  fs.mkdirSync(extensions, { recursive: true });
  const { publisher, name, version } = JSON.parse(
    fs.readFileSync(path.join(extensionDir, 'package.json'), 'utf8'),
  );
  const link = path.join(extensions, `${publisher}.${name}-${version}`);
  fs.rmSync(link, { recursive: true, force: true });
  fs.symlinkSync(extensionDir, link, 'junction');
  // VS Code keeps a list of its own; without it the folder is read afresh.
  fs.rmSync(path.join(extensions, 'extensions.json'), { force: true });
}

/**
 * @param {import('./vscode-host.mjs').Host} host
 * @param {string} dataDir
 * @param {string} vsix
 */
export async function installVsix(host, dataDir, vsix) {
  const result = await run(
    host.node,
    [
      host.serverMain,
      '--accept-server-license-terms',
      ...folderArgs(dataDir),
      '--install-extension',
      vsix,
    ],
    { env: { EXTENSIONS_GALLERY: '{}' }, quiet: true, timeoutMs: slowMachineMs },
  );
  if (result.code !== 0)
    throw new Trouble(`VS Code ${host.version} could not install ${vsix}:\n${result.output}`);
}

/**
 * @param {import('./vscode-host.mjs').Host} host
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function bootServer(
  host,
  { dataDir, port, driver = false, restricted = false, settings = {}, env = {} },
) {
  const { user } = folders(dataDir);
  const common = JSON.parse(fs.readFileSync(inRoot('scripts', 'vscode-settings.json'), 'utf8'));
  /** @param {Record<string, unknown>} more */
  const writeSettings = (more) => {
    // Not also in Machine/settings.json, which would win over the user's and hide later changes.
    fs.mkdirSync(path.join(user, 'User'), { recursive: true });
    fs.writeFileSync(
      path.join(user, 'User', 'settings.json'),
      JSON.stringify({ ...common, ...settings, ...more }, null, 2),
    );
  };
  writeSettings({});
  const chosen = port ?? (await freePort());
  const log = fs.openSync(path.join(dataDir, 'server.log'), 'w');
  const child = start(
    host.node,
    [
      host.serverMain,
      ...['--host', '127.0.0.1', '--port', String(chosen), '--without-connection-token'],
      ...['--accept-server-license-terms', '--telemetry-level', 'off'],
      ...(restricted ? [] : ['--disable-workspace-trust']),
      ...(driver ? ['--enable-smoke-test-driver'] : []),
      ...folderArgs(dataDir),
    ],
    { stdio: ['ignore', log, log], env: { ...serverEnv(), ...env } },
  );
  fs.closeSync(log);
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(signal ? 0 : (code ?? 1))),
  );
  const authority = `127.0.0.1:${chosen}`;
  const shutDown = async () => {
    await stop(child);
    await stopLocalServices(user);
  };
  try {
    await answers(`http://${authority}/version`, child, path.join(dataDir, 'server.log'));
  } catch (error) {
    await shutDown();
    throw error;
  }
  return {
    origin: `http://${authority}`,
    authority,
    dataDir,
    writeSettings,
    ended,
    stop: shutDown,
  };
}

/**
 * @param {string} url
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} log
 */
async function answers(url, child, log) {
  const deadline = Date.now() + slowMachineMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Trouble(
        `The VS Code server ended at once; its last words:\n${fs.readFileSync(log, 'utf8').slice(-1500)}`,
      );
    }
    const ok = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Trouble(
    `The VS Code server did not answer within ${slowMachineMs / 1000} s; see ${log}.`,
  );
}

/**
 * The address that shows a folder in the workbench.
 * @param {Server} server
 * @param {string} folder
 * @param {readonly (readonly [string, string])[]} [payload]
 */
export function workbenchUrl(server, folder, payload = []) {
  const url = new URL(server.origin);
  url.searchParams.set('folder', folder);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}
