// npm run release -- 0.2.0 [--dry-run] [--publish]: tests, sets version and changelog, packages the
// extension (one .vsix for all platforms) and the SDK, commits and tags. --publish also pushes, and
// publishes to the Visual Studio Marketplace (VSCE_PAT), to Open VSX (OVSX_PAT) and to npm.
// --dry-run says what each step would do, and changes nothing.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { run } from './child.mjs';
import { inRoot, root } from './paths.mjs';
import { follows, placeholders, released } from './release-notes.mjs';
import { runScript, say, Trouble } from './say.mjs';

const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (/** @type {string} */ file) => fs.readFileSync(inRoot(file), 'utf8');

/** @typedef {readonly [what: string, command: readonly string[]]} Step */

/**
 * @param {string} version
 * @param {boolean} isPublished
 * @returns {readonly Step[]} each with its command
 */
function stepsOf(version, isPublished) {
  const vsix = `prompt-tables-${version}.vsix`;
  /** @type {readonly Step[]} */
  const local = [
    ['Everything is tested', ['npm', 'test', '--', '--all']],
    ['The extension is packaged', ['npm', 'run', 'package']],
    ['The SDK is packaged', ['npm', 'run', 'sdk']],
    ['The release is committed', ['git', 'commit', '--all', '--message', `Release ${version}`]],
    ['The release is tagged', ['git', 'tag', '--annotate', `v${version}`, '--message', version]],
  ];
  /** @type {readonly Step[]} */
  const published = [
    ['Commit and tag are pushed', ['git', 'push', '--follow-tags']],
    ['Visual Studio Marketplace', ['npx', 'vsce', 'publish', '--packagePath', vsix]],
    ['Open VSX', ['npx', '--yes', 'ovsx', 'publish', vsix]],
    ['npm', ['npm', 'publish', `prompt-tables-sdk-${version}.tgz`]],
  ];
  return isPublished ? [...local, ...published] : local;
}

/** @param {readonly string[]} missing */
const mustHave = (missing) =>
  missing
    .map((name) => `${name} is not set`)
    .filter((_, index) => process.env[missing[index] ?? ''] === undefined);

/**
 * What keeps a release from being made.
 * @param {{version: string, manifest: Record<string, unknown>, isPublished: boolean}} wanted
 */
function obstacles({ version, manifest, isPublished }) {
  const current = String(manifest['version']);
  // Of the version that package.json was begun with there is no release yet.
  const isFirst = version === current && git('tag', '--list') === '';
  return [
    ...(follows(version, current) || isFirst
      ? []
      : [`${version} is not a version that follows ${current}`]),
    ...(git('status', '--porcelain') === '' ? [] : ['there are changes that are not committed']),
    ...(git('branch', '--show-current') === 'main' ? [] : ['the branch is not main']),
    ...(isPublished ? mustHave(['VSCE_PAT', 'OVSX_PAT']) : []),
    ...(isPublished
      ? placeholders(manifest).map((field) => `"${field}" in package.json is a placeholder`)
      : []),
  ];
}

/**
 * @param {string} version
 * @param {string} changelog
 */
function setVersion(version, changelog) {
  for (const file of ['package.json', 'package-lock.json']) {
    const manifest = JSON.parse(read(file));
    manifest.version = version;
    if (manifest.packages?.['']) manifest.packages[''].version = version;
    fs.writeFileSync(inRoot(file), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  fs.writeFileSync(inRoot('CHANGELOG.md'), changelog);
}

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      publish: { type: 'boolean', default: false },
    },
  });
  const [version] = positionals;
  if (version === undefined || positionals.length > 1) {
    throw new Trouble('Which version?', 'npm run release -- 0.2.0 [--dry-run] [--publish]');
  }
  const manifest = JSON.parse(read('package.json'));
  const found = obstacles({ version, manifest, isPublished: values.publish });
  const release = released(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10));
  if (release === undefined) found.push('CHANGELOG.md has nothing under "Unreleased"');
  for (const obstacle of found) say(`! ${obstacle}`);
  if (release === undefined || (found.length > 0 && !values['dry-run'])) {
    throw new Trouble('Nothing was changed.', 'mend what is named above.');
  }
  say(`Release ${version} with these notes:\n\n${release.notes}\n`);
  say(`> package.json, package-lock.json, CHANGELOG.md: ${version}`);
  if (!values['dry-run']) setVersion(version, release.changelog);
  for (const [what, command] of stepsOf(version, values.publish)) {
    say(`> ${what}: ${command.join(' ')}`);
    if (values['dry-run']) continue;
    const [program = '', ...args] = command;
    const { code } = await run(program, args);
    if (code !== 0) {
      throw new Trouble(
        `${command.join(' ')} ended with ${code}.`,
        'mend it, and run what is left by hand; before the commit, "git checkout ." takes everything back.',
      );
    }
  }
  if (values['dry-run']) say('Nothing was changed.');
});
