// Builds every bundle of the product.
//   node esbuild.mjs                    all bundles, with source maps
//   node esbuild.mjs --production       minified; a missing entry or a bundle over its size is an error
//   node esbuild.mjs --without-types    no dist/core.d.mts, which only other projects need
//   node esbuild.mjs --watch            all bundles, then those again whose sources change
//   node esbuild.mjs --contributions    writes what src/extension/contributions declares into
//                                       package.json and package.nls.json
//   node esbuild.mjs --contributions --check    fails if that would change it
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { commonJsChunks } from './scripts/common-js-chunks.mjs';
import { lightIcons } from './scripts/light-icons.mjs';
import { cacheDir, inModules, inRoot, root } from './scripts/paths.mjs';
import { runScript, say, seconds, Trouble } from './scripts/say.mjs';
import { buildTypes } from './scripts/types.mjs';
import { vscodeNames } from './scripts/vscode-names.mjs';
import { wasmApart } from './scripts/wasm-apart.mjs';

// Packages written for require() need one inside an ES module.
const requireBanner =
  "import { createRequire as createRequireForBundle } from 'node:module';const require = createRequireForBundle(import.meta.url);";

/**
 * @typedef {object} Bundle
 * @property {string} name
 * @property {string} entry
 * @property {string} outfile
 * @property {import('esbuild').BuildOptions} options
 * @property {number} [limitKb] of the minified bundle
 * @property {RegExp} [refuse] inputs that must not be in it
 * @property {Readonly<Record<string, Loaded>>} [loaded] by source, of one whose chunks are shared
 *
 * @typedef {object} Loaded
 * @property {number} [limitKb] of what is loaded for it, minified
 * @property {RegExp} refuse inputs that must not be there, nor loaded later
 */

/** @type {import('esbuild').BuildOptions} */
const nodeModule = { platform: 'node', format: 'esm', banner: { js: requireBanner } };

/**
 * undici carries its HTTP parser twice, for engines with and without SIMD. Every engine that runs
 * VS Code or the service has it, so the product holds one and stays 70 KB smaller.
 * @type {import('esbuild').Plugin}
 */
const onlySimdParser = {
  name: 'only-simd-parser',
  setup(build) {
    build.onResolve({ filter: /\/llhttp-wasm\.js$/ }, ({ importer, resolveDir }) =>
      build.resolve('../llhttp/llhttp_simd-wasm.js', {
        importer,
        resolveDir,
        kind: 'require-call',
      }),
    );
  },
};

/**
 * OpenTelemetry's packages as ES modules, of which what is not used is left out: half of what traces
 * need. Packages for Node are taken as CommonJS otherwise.
 * @type {import('esbuild').Plugin}
 */
const shakenTelemetry = {
  name: 'shaken-telemetry',
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\/[\w-]+$/ }, ({ path: name }) => {
      const manifest = JSON.parse(fs.readFileSync(inModules(`${name}/package.json`), 'utf8'));
      return manifest.exports === undefined && manifest.module !== undefined
        ? { path: inModules(`${name}/${manifest.module}`) }
        : undefined;
    });
  },
};

/**
 * What Google's library has for Node 16: 60 KB that Node with streams of its own never loads.
 * @type {import('esbuild').Plugin}
 */
const ownStreams = {
  name: 'own-streams',
  setup(build) {
    build.onResolve({ filter: /^web-streams-polyfill\// }, ({ path: name }) => ({
      path: name,
      namespace: 'own-streams',
    }));
    build.onLoad({ filter: /./, namespace: 'own-streams' }, () => ({
      contents: "module.exports = require('node:stream/web');",
    }));
  },
};

/** Beside the chunks, which look there for the threads and processes that they start. */
const parts = 'parts';

/** Entries that wait at their top level, as only ES modules can: programs and threads of their own. */
const modules = {
  'mcp-server': 'src/core/assistant/mcp/main.ts',
  service: 'src/service/main.ts',
  [`${parts}/worker`]: 'src/service/engine/worker/thread-main.ts',
  [`${parts}/service-thread`]: 'src/service/process/service-thread.ts',
  [`${parts}/statements`]: 'src/service/store/statement-main.ts',
  [`${parts}/sandbox`]: 'src/service/sandbox/main.ts',
};

const notOfEditor = /^src\/(service|webview)\//;
const notOfPrograms = /^src\/(webview|extension|protocol)\/|^vscode/;

/**
 * What is loaded for the sources that are named: the chunks that they lead to without import().
 * @type {Readonly<Record<string, Loaded>>}
 */
const loaded = {
  'src/extension/main.ts': { limitKb: 360, refuse: notOfEditor },
  'src/extension/panel-parts.ts': { limitKb: 430, refuse: notOfEditor },
  'src/extension/form-parts.ts': { limitKb: 240, refuse: notOfEditor },
  'src/extension/import-parts.ts': { limitKb: 240, refuse: notOfEditor },
  'src/extension/grid-parts.ts': { limitKb: 360, refuse: notOfEditor },
  'src/extension/sheet-parts.ts': { limitKb: 360, refuse: notOfEditor },
  'src/extension/assistant-parts.ts': { limitKb: 260, refuse: notOfEditor },
  'src/extension/prompt-parts.ts': { limitKb: 580, refuse: notOfEditor },
  'src/extension/matrix-parts.ts': { limitKb: 700, refuse: notOfEditor },
  'src/extension/code-parts.ts': { limitKb: 420, refuse: notOfEditor },
  'src/extension/links/link.ts': { limitKb: 60, refuse: notOfEditor },
  // A thread: it has no editor.
  'src/extension/import/worker.ts': {
    limitKb: 500,
    refuse: /^src\/(service|webview|protocol)\/|^vscode/,
  },
  'src/service/main.ts': { limitKb: 200, refuse: notOfPrograms },
  // The rest comes with import(), as CommonJS whose chunks are loaded when they are used.
  'src/service/process/service-thread.ts': { limitKb: 200, refuse: notOfPrograms },
  'src/service/engine/worker/thread-main.ts': { refuse: notOfPrograms },
  'src/service/sandbox/main.ts': {
    refuse: /^src\/(webview|extension|protocol|service\/store)\/|^vscode/,
  },
  'src/core/assistant/mcp/main.ts': {
    refuse: /^src\/(service|webview|extension|protocol)\/|^vscode/,
  },
};

/** Parsers of SQL and the prices of models: half a megabyte that few sheets need. */
const packed = /^node_modules\/(node-sql-parser|@pydantic\/genai-prices)\//;

const editorEntries = {
  extension: 'src/extension/main.ts',
  'import-worker': 'src/extension/import/worker.ts',
};

/**
 * The extension, its thread, the local service with its own, and the MCP server: all of them share
 * their chunks. What one of them rarely needs is loaded when it is needed.
 * @param {string} name
 * @param {string} outfile
 * @param {Readonly<Record<string, string>>} entryPoints
 * @param {string} [prefix] of the names of its chunks
 * @returns {Bundle}
 */
const sharingChunks = (name, outfile, entryPoints, prefix = '') => {
  const sources = Object.values(entryPoints);
  const isOfEditor = sources.includes(editorEntries.extension);
  const isOfPrograms = sources.includes(modules.service);
  return {
    name,
    entry: sources[0] ?? '',
    outfile,
    options: {
      platform: 'node',
      format: 'esm',
      target: 'node22',
      external: ['pg-native'],
      entryPoints,
      outdir: 'dist',
      splitting: true,
      outExtension: { '.js': '.cjs' },
      chunkNames: `${parts}/${prefix}[name]-[hash]`,
      plugins: [
        onlySimdParser,
        shakenTelemetry,
        ownStreams,
        wasmApart(parts),
        vscodeNames,
        commonJsChunks(Object.keys(modules), packed),
      ],
    },
    loaded: Object.fromEntries(
      Object.entries(loaded).filter(([source]) =>
        source.startsWith('src/extension/') ? isOfEditor : isOfPrograms,
      ),
    ),
  };
};

const product = sharingChunks('product', 'dist/extension.cjs', { ...editorEntries, ...modules });

/**
 * The same as two builds that share nothing, for --watch: each change links all of its build anew,
 * and most changes are of one of them.
 */
const halves = [
  sharingChunks('editor', 'dist/extension.cjs', editorEntries),
  sharingChunks('programs', 'dist/service.mjs', modules, 'program-'),
];

/** @type {readonly Bundle[]} */
export const bundles = [
  product,
  {
    name: 'core',
    entry: 'src/core/index.ts',
    outfile: 'dist/core.mjs',
    // What runs prompts, and each provider, are files of their own, loaded when they are needed.
    options: {
      ...nodeModule,
      target: 'node20',
      entryPoints: {
        core: 'src/core/index.ts',
        run: 'src/core/run/run-prompt.ts',
        'run-workflow': 'src/core/workflows/run-workflow.ts',
        plan: 'src/core/templates/plan.ts',
        channel: 'src/core/platform/node/channel.ts',
        evals: 'src/core/evals/main.ts',
        mcp: 'src/core/assistant/mcp/main.ts',
        types: 'src/core/prompt-types/main.ts',
      },
      outdir: 'dist',
      splitting: true,
      outExtension: { '.js': '.mjs' },
      chunkNames: 'core/[name]-[hash]',
    },
    refuse: /^src\/(service|webview|extension|protocol)\//,
  },
  {
    name: 'edge',
    entry: 'src/core/edge.ts',
    outfile: 'dist/core.edge.mjs',
    // For workers of browsers and edge runtimes: nothing of Node may be in it.
    options: {
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      entryPoints: { 'core.edge': 'src/core/edge.ts' },
      outdir: 'dist',
      splitting: true,
      outExtension: { '.js': '.mjs' },
      chunkNames: 'core/edge/[name]-[hash]',
    },
    refuse: /^node:|^src\/(service|webview|extension|protocol|core\/platform\/node)\b/,
  },
  {
    name: 'sandbox-watchdog',
    entry: 'src/service/sandbox/watchdog.ts',
    outfile: `dist/${parts}/sandbox-watchdog.mjs`,
    options: { ...nodeModule, target: 'node22' },
    limitKb: 5,
    refuse: /^node_modules\/|^src\/(?!service\/sandbox\/)/,
  },
  {
    name: 'webview',
    entry: 'src/webview/grid/main.ts',
    outfile: 'dist/webview/grid.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 250,
    refuse: /^node_modules\/zod\/|^src\/(core|service|extension)\/|^node:/,
  },
  {
    name: 'icons',
    entry: 'src/webview/icons/main.ts',
    outfile: 'dist/webview/icons.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 80,
    refuse: /^src\/(core|service|extension)\/|^node:/,
  },
  {
    name: 'run-panel',
    entry: 'src/webview/run/main.ts',
    outfile: 'dist/webview/run.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 250,
    refuse: /^node_modules\/zod\/|^src\/(core|service|extension)\/|^node:/,
  },
  {
    name: 'workflow-panel',
    entry: 'src/webview/workflow/main.ts',
    outfile: 'dist/webview/workflow.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 250,
    refuse: /^node_modules\/zod\/|^src\/(core|service|extension)\/|^node:/,
  },
  {
    name: 'compare',
    entry: 'src/webview/compare/main.ts',
    outfile: 'dist/webview/compare.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 120,
    refuse: /^node_modules\/zod\/|^src\/(core|service|extension)\/|^node:/,
  },
  {
    name: 'charts-panel',
    entry: 'src/webview/charts/main.ts',
    outfile: 'dist/webview/charts.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 300,
    refuse: /^node_modules\/zod\/|^src\/(core|service|extension)\/|^node:/,
  },
  {
    name: 'column-form',
    entry: 'src/webview/column-form/main.ts',
    outfile: 'dist/webview/column-form.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 150,
    refuse: /^node_modules\/zod\/|^src\/(core|service|extension)\/|^node:/,
  },
  {
    name: 'import-form',
    entry: 'src/webview/import/main.ts',
    outfile: 'dist/webview/import.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 100,
    refuse: /^node_modules\/zod\/|^src\/(core|service|extension)\/|^node:/,
  },
  {
    name: 'matrix',
    entry: 'src/webview/matrix/main.ts',
    outfile: 'dist/webview/matrix.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 120,
    refuse: /^node_modules\/zod\/|^src\/(core|service|extension)\/|^node:/,
  },
  {
    name: 'scorecard-form',
    entry: 'src/webview/scorecard/main.ts',
    outfile: 'dist/webview/scorecard.js',
    options: { platform: 'browser', format: 'iife', target: 'chrome138' },
    limitKb: 150,
    refuse: /^node_modules\/zod\/|^src\/(core|service|extension)\/|^node:/,
  },
];

/**
 * @param {Bundle} bundle
 * @param {{production: boolean}} options
 * @returns {import('esbuild').BuildOptions & {metafile: true}}
 */
export function optionsOf(bundle, { production }) {
  const { version } = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
  return {
    absWorkingDir: root,
    entryPoints: [bundle.entry],
    ...(bundle.options.outdir === undefined && { outfile: bundle.outfile }),
    bundle: true,
    minify: production,
    legalComments: 'none',
    sourcemap: production ? 'external' : 'linked',
    loader: { '.ttf': 'file', '.sql': 'text' },
    assetNames: '[name]',
    define: {
      'process.env.NODE_ENV': production ? '"production"' : '"development"',
      PROMPT_TABLES_VERSION: JSON.stringify(version),
    },
    logLevel: 'warning',
    ...bundle.options,
    plugins: [...(bundle.options.plugins ?? []), lightIcons],
    metafile: true,
  };
}

/** @param {{production?: boolean, types?: boolean}} [options] */
export async function build({ production = false, types = true } = {}) {
  const esbuild = await import('esbuild');
  const began = Date.now();
  // What an earlier build has left tells of bundles that there are no more.
  fs.rmSync(path.join(cacheDir, 'meta'), { recursive: true, force: true });
  fs.mkdirSync(path.join(cacheDir, 'meta'), { recursive: true });
  // Their names change with their contents.
  for (const chunks of ['core', parts]) {
    fs.rmSync(inRoot('dist', chunks), { recursive: true, force: true });
  }
  const built = await Promise.all([
    ...bundles.map(async (bundle) => {
      if (!fs.existsSync(inRoot(bundle.entry))) {
        if (production)
          throw new Trouble(`${bundle.entry} is missing, so ${bundle.outfile} cannot be built.`);
        say(`  ${bundle.outfile} left out: there is no ${bundle.entry} yet`);
        return undefined;
      }
      const { metafile } = await esbuild.build(optionsOf(bundle, { production }));
      fs.writeFileSync(
        path.join(cacheDir, 'meta', `${bundle.name}.json`),
        JSON.stringify(metafile),
      );
      return examine(bundle, metafile, production);
    }),
    types ? buildTypes() : undefined,
  ]);
  say(`Built ${built.filter(Boolean).join(', ')} in ${seconds(began)}.`);
}

/**
 * @param {Bundle} bundle
 * @param {import('esbuild').Metafile} metafile
 * @param {boolean} production
 */
export function examine(bundle, metafile, production) {
  const inputs = Object.entries(metafile.inputs).flatMap(([file, { imports }]) => [
    file,
    ...imports.filter(({ external }) => external).map(({ path: name }) => name),
  ]);
  const strangers = inputs.filter((file) => bundle.refuse?.test(file));
  if (strangers.length > 0)
    throw new Trouble(`${bundle.outfile} must not hold ${strangers.slice(0, 5).join(', ')}.`);
  const wrong = Object.entries(bundle.loaded ?? {}).flatMap(([source, limits]) =>
    examineLoaded(metafile, source, limits, production),
  );
  if (wrong.length > 0) throw new Trouble(wrong.join('\n'));
  const kb = fs.statSync(inRoot(bundle.outfile)).size / 1024;
  if (production && bundle.limitKb !== undefined && kb >= bundle.limitKb) {
    throw new Trouble(
      `${bundle.outfile} has ${kb.toFixed(0)} KB; it must stay under ${bundle.limitKb} KB.`,
    );
  }
  return `${bundle.outfile} (${kb.toFixed(0)} KB)`;
}

/**
 * @param {import('esbuild').Metafile} metafile
 * @param {string} source
 * @param {Loaded} limits
 * @param {boolean} production
 * @returns {string[]} what is wrong
 */
function examineLoaded({ outputs }, source, { limitKb, refuse }, production) {
  const entry = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === source);
  if (entry === undefined) return [`Nothing is built of ${source}, which is to be loaded apart.`];
  /** @param {(kind: string) => boolean} isFollowed */
  const reached = (isFollowed) => {
    const names = new Set([entry]);
    for (const name of names) {
      for (const { path: next, kind } of outputs[name]?.imports ?? []) {
        if (isFollowed(kind)) names.add(next);
      }
    }
    return [...names];
  };
  const strangers = reached(() => true)
    .flatMap((name) => Object.keys(outputs[name]?.inputs ?? { [name]: true }))
    .filter((file) => refuse.test(file));
  const kb =
    reached((kind) => kind !== 'dynamic-import')
      .map((name) => outputs[name]?.bytes ?? 0)
      .reduce((sum, bytes) => sum + bytes, 0) / 1024;
  return [
    ...(strangers.length > 0
      ? [`What ${source} leads to must not hold ${strangers.slice(0, 5).join(', ')}.`]
      : []),
    ...(production && limitKb !== undefined && kb >= limitKb
      ? [`${source} loads ${kb.toFixed(0)} KB; it must stay under ${limitKb} KB.`]
      : []),
  ];
}

/**
 * @param {typeof import('typescript')} ts
 * @param {import('typescript').ObjectLiteralExpression} object
 * @returns {Record<string, string>} its properties that are plain texts
 */
const literalsOf = (ts, object) =>
  Object.fromEntries(
    object.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) && ts.isStringLiteralLike(property.initializer)
        ? [[property.name.getText(), property.initializer.text]]
        : [],
    ),
  );

/**
 * `{ text: '…', bare: '…' }`: the texts of an error that the editor shows as they are.
 * @param {typeof import('typescript')} ts
 * @param {string} name of a file
 */
function sharedTexts(ts, name) {
  const source = ts.createSourceFile(
    name,
    fs.readFileSync(name, 'utf8'),
    ts.ScriptTarget.ESNext,
    true,
  );
  /** @type {string[]} */
  const found = [];
  /** @param {import('typescript').Node} node */
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) {
      const { text, bare } = literalsOf(ts, node);
      if (text !== undefined) found.push(text, ...(bare === undefined ? [] : [bare]));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Every text that the extension and its pages show through t: what translators start from. */
async function readTexts() {
  const { default: ts } = await import('typescript');
  /** @type {Map<string, string>} */
  const texts = new Map();
  const files = ['extension', 'protocol', 'webview'].flatMap((folder) =>
    fs
      .readdirSync(inRoot('src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => inRoot('src', folder, name)),
  );
  // What the core says to programs and people alike.
  const shared = ['reasons', 'advice'].flatMap((folder) =>
    fs
      .readdirSync(inRoot('src/core/errors', folder))
      .map((name) => inRoot('src/core/errors', folder, name)),
  );
  for (const name of shared) {
    for (const text of sharedTexts(ts, name)) texts.set(text, text);
  }
  for (const name of files) {
    const code = fs.readFileSync(name, 'utf8');
    const source = ts.createSourceFile(name, code, ts.ScriptTarget.ESNext, true);
    /** @param {import('typescript').Node} node */
    const visit = (node) => {
      // Also where `t` is handed over to code that must not know VS Code.
      const isText = ts.isCallExpression(node) && /(^|\.)t$/.test(node.expression.getText());
      const first = isText ? node.arguments[0] : undefined;
      if (first && ts.isStringLiteralLike(first)) texts.set(first.text, first.text);
      if (first && ts.isObjectLiteralExpression(first)) {
        const { message, comment } = literalsOf(ts, first);
        if (message !== undefined) texts.set(`${message}/${comment}`, message);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A step of the walkthrough is shown once its pictures have been taken (npm run pictures -- walkthrough).
 * @param {{walkthroughs: {steps: {media: {image: Record<string, string>}}[]}[]}} contributes
 */
const withPictures = (contributes) => ({
  ...contributes,
  walkthroughs: contributes.walkthroughs.map((walkthrough) => ({
    ...walkthrough,
    steps: walkthrough.steps.filter(({ media }) =>
      Object.values(media.image).every((file) => fs.existsSync(inRoot(file))),
    ),
  })),
});

/** @param {{check: boolean}} options */
async function writeContributions({ check }) {
  const esbuild = await import('esbuild');
  const outfile = path.join(cacheDir, 'contributions.mjs');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/extension/manifest.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: requireBanner },
    logLevel: 'warning',
  });
  const declared = await import(`${pathToFileURL(outfile).href}?${Date.now()}`);
  const { activationEvents, capabilities, nls } = declared;
  const contributes = withPictures(declared.contributes);
  const manifest = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
  /** @type {Record<string, unknown>} */
  const wanted = {
    'package.json': { ...manifest, activationEvents, capabilities, contributes },
    'package.nls.json': nls,
    'l10n/bundle.l10n.json': await readTexts(),
  };
  for (const [file, content] of Object.entries(wanted)) {
    const text = `${JSON.stringify(content, null, 2)}\n`;
    const isSame = fs.existsSync(inRoot(file)) && fs.readFileSync(inRoot(file), 'utf8') === text;
    if (check && !isSame) {
      throw new Trouble(
        `${file} differs from what src/extension/contributions declares.`,
        'run node esbuild.mjs --contributions and commit the result.',
      );
    }
    if (!check && !isSame) {
      fs.mkdirSync(path.dirname(inRoot(file)), { recursive: true });
      fs.writeFileSync(inRoot(file), text);
      say(`${file} written.`);
    }
  }
}

if (process.argv[1] && path.resolve(process.argv[1]) === inRoot('esbuild.mjs')) {
  const flags = new Set(process.argv.slice(2));
  await runScript(async () => {
    if (flags.has('--contributions')) {
      await writeContributions({ check: flags.has('--check') });
    } else if (flags.has('--watch')) {
      const { watch } = await import('./scripts/watch.mjs');
      const watched = [...halves, ...bundles.filter((bundle) => bundle !== product)];
      await watch({ bundles: watched, optionsOf, examine });
    } else {
      await build({
        production: flags.has('--production'),
        types: !flags.has('--without-types'),
      });
    }
  });
}
