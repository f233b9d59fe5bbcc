// Installs the public JavaScript client, which tests and a bench compare ours with, once into .cache.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { npmCi } from './ensure.mjs';
import { cacheDir, inRoot } from './paths.mjs';
import { say } from './say.mjs';

const source = inRoot('test', 'support', 'public-sdk');
const files = /** @type {const} */ (['package.json', 'package-lock.json']);

function wantedKey() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(fs.readFileSync(path.join(source, file)));
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} target */
async function install(target) {
  say('Installing the public client into .cache (150 MB, once) ...');
  // Made aside, so that whoever looks finds all of it or nothing.
  const aside = `${target}.${process.pid}`;
  fs.mkdirSync(aside, { recursive: true });
  for (const file of files) fs.copyFileSync(path.join(source, file), path.join(aside, file));
  await npmCi(aside);
  try {
    fs.renameSync(aside, target);
  } catch (error) {
    // Somebody else was faster.
    if (!fs.existsSync(target)) throw error;
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/** @returns {Promise<string>} the folder with its `node_modules` */
export async function installPublicSdk() {
  const target = path.join(cacheDir, `public-sdk-${wantedKey()}`);
  if (!fs.existsSync(target)) await install(target);
  return target;
}
