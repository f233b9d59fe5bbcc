// Gathers the licences of the packages whose code is in the bundles into dist/THIRD_PARTY_NOTICES.txt.
import fs from 'node:fs';
import path from 'node:path';
import { cacheDir, distDir, inRoot } from './paths.mjs';
import { Trouble } from './say.mjs';

/** A line that says whose a package is: not every text of a licence has one. */
const copyrightLine =
  /^(?!.*yyyy).*(?:copyright\b.*\d{4}|\(c\) *\d{4}|©)|^\s*copyright (?!(?:owner|license|notice|law|holder|statement)\b|[[{])\S|public domain/im;

export function writeNotices() {
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  const head = 'Prompt Tables contains code of the packages below, each under its own licence.';
  const parts = notices().map(({ title, text }) => `${title}\n\n${text}`);
  fs.writeFileSync(
    path.join(distDir, 'THIRD_PARTY_NOTICES.txt'),
    `${[head, ...parts].join(line)}\n`,
  );
}

/**
 * One for each package of the last build; throws for one without a licence or a copyright line.
 * @returns {{ title: string, text: string }[]}
 */
export function notices() {
  return bundledPackages().map((dir) => {
    const { name, version, license, author } = JSON.parse(
      fs.readFileSync(inRoot(dir, 'package.json'), 'utf8'),
    );
    const title = `${name} ${version} (${license})`;
    const texts = [ownNotice(name), ...licenseFiles(dir)].filter((text) => text !== '');
    const owner = typeof author === 'string' ? author : author?.name;
    if (owner && !texts.some((text) => copyrightLine.test(text))) {
      texts.unshift(`Copyright (c) ${owner} (the author that its package.json names)`);
    }
    const text = texts.join('\n\n');
    if (
      !license ||
      !/permission|redistribut|conditions|public domain/i.test(text) ||
      !copyrightLine.test(text)
    ) {
      throw new Trouble(
        `${title} is bundled without the text of its licence or a copyright line: add scripts/notices/${flat(name)}.txt, with its source.`,
      );
    }
    return { title, text };
  });
}

/** @param {string} name */
const flat = (name) => name.replace('/', '+');

/**
 * What the package itself leaves out, kept here with its source.
 * @param {string} name
 */
function ownNotice(name) {
  const file = inRoot('scripts', 'notices', `${flat(name)}.txt`);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
}

/** @param {string} dir */
const licenseFiles = (dir) =>
  fs
    .readdirSync(inRoot(dir))
    .filter((entry) => /^(licen[cs]e|copying|notice)/i.test(entry))
    .map((entry) => fs.readFileSync(inRoot(dir, entry), 'utf8').trim());

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
