// Gathers the licences of the packages whose code is in the bundles into dist/THIRD_PARTY_NOTICES.txt.
import fs from 'node:fs';
import path from 'node:path';
import { cacheDir, distDir, inRoot } from './paths.mjs';
import { Trouble } from './say.mjs';

export function writeNotices() {
  const parts = bundledPackages().map((dir) => {
    const { name, version, license } = JSON.parse(
      fs.readFileSync(inRoot(dir, 'package.json'), 'utf8'),
    );
    const file = fs.readdirSync(inRoot(dir)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (!file && !license) throw new Trouble(`${name} ${version} is bundled but names no licence.`);
    const text = file ? fs.readFileSync(inRoot(dir, file), 'utf8').trim() : `Licence: ${license}`;
    return `${name} ${version} (${license})\n\n${text}`;
  });
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  const head = 'Prompt Tables contains code of the packages below, each under its own licence.';
  fs.writeFileSync(
    path.join(distDir, 'THIRD_PARTY_NOTICES.txt'),
    `${[head, ...parts].join(line)}\n`,
  );
}

/** @returns {string[]} folders below node_modules, as the last build's bundles name them */
function bundledPackages() {
  const meta = path.join(cacheDir, 'meta');
  /** @type {Set<string>} */
  const dirs = new Set();
  for (const file of fs.readdirSync(meta)) {
    const { inputs } = JSON.parse(fs.readFileSync(path.join(meta, file), 'utf8'));
    for (const input of Object.keys(inputs)) {
      const found = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
      if (found) dirs.add(found[0]);
    }
  }
  return [...dirs].sort();
}
