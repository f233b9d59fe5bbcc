// Makes the .vsix: a production build, and of the checkout only what the extension needs.
import fs from 'node:fs';
import path from 'node:path';
import { buildProduct } from './build.mjs';
import { run } from './child.mjs';
import { cacheDir, inModules, inRoot, root } from './paths.mjs';
import { placeholders } from './release-notes.mjs';
import { say, seconds, Trouble } from './say.mjs';
import { writeNotices } from './third-party-notices.mjs';

/**
 * What each is made of: the details page of an extension is for users, the README for people with
 * the checkout.
 * @type {Readonly<Record<string, string>>}
 */
export const documents = {
  'README.md': 'docs/details.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
};
const folders = ['dist', 'media', 'l10n'];
const translations = /^package\.nls(\.[\w-]+)?\.json$/;
// Source maps, the client core as a library of its own and the pictures of README and docs/ are for
// people with the checkout: VS Code shows none that lie in an extension. The English texts are in the
// code, and VS Code reads no file of them; translators do.
const leftOut =
  /\.map$|\.d\.mts$|^dist\/core\/|^dist\/(core|core\.edge|run|run-workflow|plan|channel|evals|mcp|types)\.mjs$|^l10n\/bundle\.l10n\.json$|^media\/(pictures|readme)\//;
const allowed = /\.(cjs|mjs|js|css|json|txt|md|svg|png|csv|br)$|(^|\/)LICENSE[^/]*$/;

/** What everybody downloads: a new package, or one that is in it twice, is to be noticed. */
const limitKb = 2700;

/** @returns {Promise<string>} path of the .vsix */
export async function packageExtension() {
  const began = Date.now();
  say('Packaging ...');
  fs.rmSync(inRoot('dist'), { recursive: true, force: true });
  await buildProduct({ production: true });
  writeNotices();
  const { version, name } = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
  const file = inRoot(`${name}-${version}.vsix`);
  // From a folder that holds nothing else: vsce would walk all of the checkout, and what it is to
  // leave out would be a list of everything that might ever lie there.
  const stage = path.join(cacheDir, 'package');
  fs.rmSync(stage, { recursive: true, force: true });
  for (const entry of wanted()) {
    fs.mkdirSync(path.dirname(path.join(stage, entry)), { recursive: true });
    fs.copyFileSync(inRoot(documents[entry] ?? entry), path.join(stage, entry));
  }
  fs.writeFileSync(path.join(stage, 'package.json'), manifestForUsers());
  const options = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
  ];
  const packed = await run(
    process.execPath,
    [inModules('@vscode/vsce/vsce'), 'package', ...options, '--out', file],
    {
      cwd: stage,
      quiet: true,
    },
  );
  if (packed.code !== 0)
    throw new Trouble(`vsce could not package the extension:\n${packed.output}`);
  const kb = fs.statSync(file).size / 1024;
  if (kb >= limitKb)
    throw new Trouble(`${file} has ${kb.toFixed(0)} KB; it must stay under ${limitKb} KB.`);
  say(`Packaged ${path.relative(root, file)} (${kb.toFixed(0)} KB) in ${seconds(began)}.`);
  return file;
}

/** The manifest without what only the checkout can use. */
function manifestForUsers() {
  const manifest = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
  const ofCheckout = ['scripts', 'devDependencies', 'optionalDependencies', 'prettier', 'private'];
  for (const key of [...ofCheckout, 'exports', 'imports']) delete manifest[key];
  // A link of the details page that leads nowhere is worse than none.
  for (const field of placeholders(manifest)) delete manifest[field];
  return JSON.stringify(manifest, null, 2);
}

/** @returns {string[]} paths below the root */
function wanted() {
  const missing = Object.values(documents).filter((name) => !fs.existsSync(inRoot(name)));
  if (missing.length > 0)
    throw new Trouble(`The package needs ${missing.join(' and ')}, not there yet.`);
  const texts = fs.readdirSync(root).filter((name) => translations.test(name));
  const below = folders.filter((folder) => fs.existsSync(inRoot(folder))).flatMap(filesBelow);
  const files = below.filter((file) => !leftOut.test(file));
  const strangers = files.filter((file) => !allowed.test(file));
  if (strangers.length > 0)
    throw new Trouble(`These do not belong into the package: ${strangers.join(', ')}.`);
  return ['package.json', ...texts, ...Object.keys(documents), ...files];
}

/** @param {string} folder */
function filesBelow(folder) {
  return fs
    .readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
    );
}
