// Where things lie. Everything that the scripts make is under .cache, .vscode-test or dist.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const cacheDir = path.join(root, '.cache');
export const hostsDir = path.join(root, '.vscode-test');
export const distDir = path.join(root, 'dist');
/** @param {string[]} parts */
export const inRoot = (...parts) => path.join(root, ...parts);
/** @param {string} name a tool of node_modules/.bin, by the path of its script inside node_modules */
export const inModules = (name) => path.join(root, 'node_modules', name);
