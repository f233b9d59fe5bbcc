// npm run sdk: the client core as a package of its own, prompt-tables-sdk-<version>.tgz.
//   npm run sdk -- --out FOLDER         where it is put; default: the checkout
//   npm run sdk -- --without-build      of what is in dist
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildProduct } from './build.mjs';
import { run } from './child.mjs';
import { cacheDir, inRoot } from './paths.mjs';
import { runScript, say, Trouble } from './say.mjs';

const name = 'prompt-tables-sdk';
const entries = [
  'core',
  'run',
  'run-workflow',
  'plan',
  'channel',
  'evals',
  'mcp',
  'types',
  'core.edge',
];
const types = ['core.d.mts', 'core.edge.d.mts'];
const commands = ['evals', 'mcp', 'types'];

/** @param {{version: string, license: string, engines: {node: string}}} manifest of the checkout */
function manifestOf({ version, license, engines }) {
  const edge = './dist/core.edge.mjs';
  return {
    ...{ name, version, license },
    description:
      'Client of PromptLayer and of the local service of Prompt Tables: prompts, workflows and Smart Tables.',
    keywords: ['promptlayer', 'prompt', 'llm', 'evaluation', 'table'],
    type: 'module',
    sideEffects: false,
    exports: {
      '.': {
        types: './dist/core.d.mts',
        browser: edge,
        worker: edge,
        node: './dist/core.mjs',
        default: edge,
      },
      './edge': { types: './dist/core.edge.d.mts', default: edge },
      './package.json': './package.json',
    },
    bin: Object.fromEntries(
      commands.map((command) => [`prompt-tables-${command}`, `bin/${command}.mjs`]),
    ),
    engines: { node: engines.node },
  };
}

/** Links to other pages of the documentation lead nowhere in a package. */
const withoutLinks = (/** @type {string} */ text) =>
  text
    .replace(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, '$1')
    .replaceAll('prompt-tables/core', name)
    .replaceAll('./dist/core.mjs', name);

/** @param {string} stage */
function fill(stage) {
  const files = entries.map((entry) => `${entry}.mjs`).concat(types);
  const missing = files.filter((file) => !fs.existsSync(inRoot('dist', file)));
  if (missing.length > 0)
    throw new Trouble(`dist has no ${missing.join(', ')}.`, 'run npm run build.');
  fs.rmSync(stage, { recursive: true, force: true });
  fs.mkdirSync(path.join(stage, 'bin'), { recursive: true });
  for (const file of files) {
    fs.mkdirSync(path.join(stage, 'dist'), { recursive: true });
    fs.copyFileSync(inRoot('dist', file), path.join(stage, 'dist', file));
  }
  fs.cpSync(inRoot('dist', 'core'), path.join(stage, 'dist', 'core'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  });
  for (const command of commands) {
    const text = `#!/usr/bin/env node\nimport '../dist/${command}.mjs';\n`;
    fs.writeFileSync(path.join(stage, 'bin', `${command}.mjs`), text, { mode: 0o755 });
  }
  const manifest = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
  fs.writeFileSync(path.join(stage, 'package.json'), JSON.stringify(manifestOf(manifest), null, 2));
  fs.copyFileSync(inRoot('LICENSE'), path.join(stage, 'LICENSE'));
  const guide = fs.readFileSync(inRoot('docs', 'sdk.md'), 'utf8');
  fs.writeFileSync(path.join(stage, 'README.md'), withoutLinks(guide));
}

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: inRoot() },
      'without-build': { type: 'boolean', default: false },
    },
  });
  if (!values['without-build']) await buildProduct({ production: true });
  const stage = path.join(cacheDir, 'sdk');
  fill(stage);
  const packed = await run(
    'npm',
    ['pack', '--silent', '--pack-destination', path.resolve(values.out)],
    {
      cwd: stage,
      quiet: true,
    },
  );
  if (packed.code !== 0) throw new Trouble(`npm could not pack the SDK:\n${packed.output}`);
  say(path.join(path.resolve(values.out), packed.output.trim()));
});
