// The Node that runs the service, the tests and our TypeScript: 22.18 or newer (node:sqlite and
// type stripping without a flag). The machine's own if new enough, otherwise the one from npm.
import fs from 'node:fs';
import path from 'node:path';
import { inModules } from './paths.mjs';
import { Trouble } from './say.mjs';

export const oldestForScripts = '20.18.1';
const oldestRuntime = '22.18.0';

/**
 * @param {string} version
 * @param {string} oldest
 */
export function isAtLeast(version, oldest) {
  const [a, b] = [version, oldest].map((text) => text.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0) - (b?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/**
 * The Node binary that npm put into a node_modules folder for this platform.
 * @param {string} modulesDir
 */
export function packagedNode(modulesDir) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(modulesDir, `node-${platform}-${process.arch}`, 'bin', binary);
}

/** @returns {string} path of a Node that runs the service and TypeScript */
export function findRuntime() {
  if (isAtLeast(process.versions.node, oldestRuntime)) return process.execPath;
  const packaged = packagedNode(inModules(''));
  if (fs.existsSync(packaged)) return packaged;
  throw new Trouble(
    `The service and the tests need Node ${oldestRuntime} or newer; this is ${process.versions.node}, and npm has none to install for ${process.platform}-${process.arch}.`,
    `install Node 24 and run the command again with it.`,
  );
}
