// Installs a VS Code server from the npm registry into .vscode-test/host-<name>: code-server's
// tarball holds VS Code itself, and the few modules that it loads are named in
// scripts/hosts/<name>/package.json. Nothing is compiled and no package's script runs.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCi } from './ensure.mjs';
import { hostsDir, inRoot } from './paths.mjs';
import { packagedNode } from './runtime.mjs';
import { say, seconds, Trouble } from './say.mjs';

// Built-in extensions that are large and that neither the demo nor a test meets.
const unwanted =
  /^(copilot|mermaid-.*|ms-vscode\..*|microsoft-authentication|github|git|markdown-math|ipynb|notebook-renderers|terminal-suggest|php-language-features|grunt|gulp|jake|tunnel-forwarding|debug-auto-launch|debug-server-ready|simple-browser)$/;

// Native modules that VS Code would load. The stand-ins keep its log files, which output channels
// read, and its start-up free of errors. spdlog must be ESM: VS Code imports names from it.
const standIns = {
  '@vscode/spdlog': `
import fs from 'node:fs';
import path from 'node:path';
const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
let common = 2;
class Logger {
  constructor(file) { this.file = file; this.level = common; this.raw = false; }
  setPattern() { this.raw = false; }
  clearFormatters() { this.raw = true; }
  setLevel(level) { this.level = level; }
  getLevel() { return this.level; }
  write(level, text) {
    if (level < this.level) return;
    const stamp = new Date().toISOString().replace('T', ' ').slice(0, -1);
    fs.appendFileSync(this.file, this.raw ? text : stamp + ' [' + levels[level] + '] ' + text + '\\n');
  }
  flush() {}
  drop() {}
}
levels.forEach((name, level) => { Logger.prototype[name === 'warning' ? 'warn' : name] = function (text) { this.write(level, text); }; });
const create = async (name, file) => { fs.mkdirSync(path.dirname(file), { recursive: true }); return new Logger(file); };
export const version = 0;
export const setLevel = (level) => { common = level; };
export const setFlushOn = () => {};
export { create as createRotatingLogger, create as createAsyncRotatingLogger };
`,
  '@vscode/native-watchdog': 'exports.start = () => {};\n',
  '@vscode/deviceid': "exports.getDeviceId = async () => 'prompt-tables-host';\n",
  // VS Code up to 1.1xx asks for the package whose binary a postinstall script would download.
  '@vscode/ripgrep': "exports.rgPath = require('@vscode/ripgrep-universal').rgPath;\n",
};

/**
 * @typedef {'latest' | 'min'} HostName
 * @typedef {{name: HostName, version: string, node: string, serverMain: string}} Host
 */

/**
 * @param {HostName} name
 * @returns {Promise<Host>}
 */
export async function installHost(name) {
  const dir = path.join(hostsDir, `host-${name}`);
  const marker = path.join(dir, '.ready');
  const sources = ['package.json', 'package-lock.json'].map((file) =>
    inRoot('scripts', 'hosts', name, file),
  );
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of [...sources, fileURLToPath(import.meta.url)])
    hash.update(fs.readFileSync(file));
  const wanted = hash.digest('hex');
  if (!(fs.existsSync(marker) && fs.readFileSync(marker, 'utf8') === wanted)) {
    say(`Installing the VS Code server "${name}" into .vscode-test (about 300 MB, once) ...`);
    const began = Date.now();
    fs.rmSync(dir, { recursive: true, force: true });
    fs.mkdirSync(dir, { recursive: true });
    for (const file of sources) fs.copyFileSync(file, path.join(dir, path.basename(file)));
    await npmCi(dir);
    finish(path.join(dir, 'node_modules'));
    fs.writeFileSync(marker, wanted);
    say(`VS Code server "${name}" installed in ${seconds(began)}.`);
  }
  return describeHost(name, path.join(dir, 'node_modules'));
}

/** @param {string} modules */
function finish(modules) {
  const vscode = path.join(modules, 'code-server', 'lib', 'vscode');
  const extensions = path.join(vscode, 'extensions');
  for (const name of fs.readdirSync(extensions)) {
    if (unwanted.test(name))
      fs.rmSync(path.join(extensions, name), { recursive: true, force: true });
  }
  for (const part of ['include', 'share']) {
    fs.rmSync(path.join(path.dirname(packagedNode(modules)), '..', part), {
      recursive: true,
      force: true,
    });
  }
  for (const [name, code] of Object.entries(standIns)) {
    const dir = path.join(modules, name);
    if (fs.existsSync(dir)) continue;
    fs.mkdirSync(dir, { recursive: true });
    const type = code.includes('\nexport ') ? 'module' : 'commonjs';
    fs.writeFileSync(
      path.join(dir, 'package.json'),
      JSON.stringify({ name, version: '0.0.0', main: 'index.js', type }),
    );
    fs.writeFileSync(path.join(dir, 'index.js'), code);
  }
  // The workbench page loads some modules from /static/node_modules.
  const target = process.platform === 'win32' ? modules : path.join('..', '..', '..');
  fs.symlinkSync(target, path.join(vscode, 'node_modules'), 'junction');
}

/**
 * @param {HostName} name
 * @param {string} modules
 * @returns {Host}
 */
function describeHost(name, modules) {
  /** @param {string} file */
  const read = (file) => JSON.parse(fs.readFileSync(path.join(modules, file), 'utf8'));
  const version = String(read('code-server/lib/vscode/package.json').version);
  const major = String(read('code-server/package.json').engines.node);
  const packaged = packagedNode(modules);
  const node = fs.existsSync(packaged) ? packaged : process.execPath;
  if (node !== packaged && process.versions.node.split('.')[0] !== major) {
    throw new Trouble(
      `VS Code ${version} runs on Node ${major}; this is ${process.versions.node}, and npm has none to install for ${process.platform}-${process.arch}.`,
      `run the command with Node ${major}, or use VS Code itself: VSCODE_HOST=desktop npm test.`,
    );
  }
  return {
    name,
    version,
    node,
    serverMain: path.join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}
