// npm test: everything. npm test -- unit service: only those suites. npm test -- test/unit/x.test.ts:
// only that file (--watch: again on change, --grep WORDS: only those tests). npm test -- --all: also
// what passed before and has not changed since. --shuffle SEED: in another order, the same for a seed.
// More than two second tries fail a run. The last line is `N passed, N failed` (`, N skipped`), and
// any failure makes the exit code 1.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { bundles } from '../esbuild.mjs';
import { buildProduct } from './build.mjs';
import { checks } from './checks.mjs';
import { findChromium, presentChromium } from './chromium.mjs';
import { ensure } from './ensure.mjs';
import { hasSuites, mochaStep, suitesOf } from './mocha.mjs';
import { packageExtension } from './package-extension.mjs';
import { inRoot } from './paths.mjs';
import { startPostgres } from './postgres.mjs';
import { processorTable, withProcessorTime } from './processor-time.mjs';
import { installPublicSdk } from './public-sdk.mjs';
import { findRuntime } from './runtime.mjs';
import { onPostgres, partsOf } from './service-steps.mjs';
import { runScript, say, seconds, Trouble } from './say.mjs';
import {
  browserArguments,
  laneEnvironment,
  runFiles,
  serviceEnvironment,
  shuffled,
} from './some-tests.mjs';
import { closingLine, failedTitles, runSteps, withTries } from './steps.mjs';
import { packagedOnce, unlessUnchanged } from './unchanged.mjs';
import { installHost } from './vscode-host.mjs';

const names = /** @type {const} */ ([
  'check',
  'unit',
  'product',
  'contract',
  'service',
  'host',
  'browser',
]);
/** @typedef {typeof names[number]} SuiteName */

/** Window suites that ask for `sharedWorkbench` and get along: in this order, in one process. */
const shareWindow = [
  ['columns', 'grid-work', 'compare', 'scorecard', 'column-form', 'grid-hand', 'requests'],
  ['workflow', 'export', 'prompt-folders', 'prompt-merges', 'prompt-documents'],
  ['run', 'run-kept', 'language-models', 'compare-many', 'code', 'around-sheet', 'keys'],
  ['sample', 'tree', 'themes', 'grid', 'connections'],
];
/** Bundles that tests of the service run. */
const servicePrograms = ['service', 'sandbox', 'sandbox-watchdog', 'mcp-server', 'core'];

await runScript(async () => {
  const began = Date.now();
  const { values, positionals } = parseArgs({
    options: {
      ...{ all: { type: 'boolean' }, watch: { type: 'boolean' } },
      ...{ grep: { type: 'string' }, shuffle: { type: 'string' } },
    },
    allowPositionals: true,
  });
  await ensure();
  if (positionals.some((word) => word.endsWith('.test.ts'))) {
    const { watch = false, grep, shuffle } = values;
    return (await runFiles(positionals, { watch, grep, shuffle })) > 0 ? 1 : 0;
  }
  const chosen = choose(positionals);
  const runtime = findRuntime();
  const needsWindow = chosen.has('host') || chosen.has('browser');
  const isDesktop = process.env['VSCODE_HOST'] === 'desktop';
  /** @type {import('./processor-time.mjs').Row[]} */
  const times = [];
  const prepared = timed(times, 'downloads', () => prepare(chosen, isDesktop));
  // Its failure is met when the steps that need it are due.
  prepared.catch(() => undefined);
  // Comes beside the build. Where that fails, the tests that compare with it try again and say why.
  const comparesClients = chosen.has('contract') || chosen.has('service');
  const publicSdk = comparesClients ? installPublicSdk().catch(() => undefined) : undefined;
  // What is shipped is what is tested, by all suites.
  const { shuffle } = values;
  const isAll = values.all === true || shuffle !== undefined;
  const pack = () => (isAll ? packageExtension() : packagedOnce(packageExtension));
  const vsix = await timed(times, 'build', async () => {
    if (needsWindow) return pack();
    await buildProduct();
    return undefined;
  });
  await publicSdk;

  const needsPostgres = chosen.has('service') || chosen.has('unit');
  const total = await timed(times, 'PostgreSQL of all steps', async () => {
    const postgres = needsPostgres ? await startPostgres() : undefined;
    return withTries(
      await runChosen({
        ...{ chosen, runtime, isDesktop, vsix, prepared, isAll, shuffle, times },
        postgresUrl: postgres?.url,
      }).finally(() => postgres?.stop()),
    );
  });
  say(`\n${processorTable(times)}`);
  say(`\nAll done in ${seconds(began)}.`);
  if (total.known)
    say(
      `${total.known} of them were not run: they passed before, and nothing that they read has changed (npm test -- --all runs them too).`,
    );
  say(`${failedTitles(total)}${closingLine(total)}`);
  return total.failed > 0 ? 1 : 0;
});

/**
 * @template T
 * @param {import('./processor-time.mjs').Row[]} times takes what the programs used that `work` starts
 * @param {string} name
 * @param {() => Promise<T>} work
 */
async function timed(times, name, work) {
  const began = Date.now();
  const { result, used } = await withProcessorTime(work);
  times.push({ name, seconds: (Date.now() - began) / 1000, used });
  return result;
}

/**
 * @param {object} options
 * @param {ReadonlySet<SuiteName>} options.chosen
 * @param {string} options.runtime
 * @param {boolean} options.isDesktop
 * @param {string | undefined} options.vsix
 * @param {Promise<void>} options.prepared
 * @param {boolean} options.isAll
 * @param {string | undefined} options.postgresUrl
 * @param {string | undefined} options.shuffle
 * @param {import('./processor-time.mjs').Row[]} options.times
 */
async function runChosen(options) {
  const { chosen, runtime, isDesktop, vsix, prepared, isAll, postgresUrl, shuffle, times } =
    options;
  const env = { ...serviceEnvironment(postgresUrl), ...shuffled(shuffle) };
  const known = isAll ? onlyRun : await unlessUnchanged();
  const plain = (/** @type {SuiteName} */ name) => {
    if (!chosen.has(name)) return [];
    const readsAll = name === 'unit' || name === 'product';
    const more = readsAll ? ['--require', './test/support/left-open.ts'] : [];
    // Those of units read the sources, the documents and the settings too.
    const ownTests = readsAll ? undefined : new RegExp(`^test/${name}/`);
    const step = mochaStep({
      ...{ name, runtime, folder: name, env, more },
      ...(ownTests && { ownTests }),
    });
    return [known(step, publicDescription())];
  };
  const quick = [
    ...(chosen.has('check') ? checks(runtime).map((check) => known(check)) : []),
    ...plain('unit'),
    ...plain('product'),
    ...plain('contract'),
  ];
  const service = chosen.has('service')
    ? serviceSteps(runtime, env).map((step) => known(step, publicDescription()))
    : [];
  const windows = prepared.then(() =>
    vsix === undefined
      ? []
      : windowSuites({ runtime, chosen, isDesktop, vsix, shuffle }).map((step) =>
          known(step, browser()),
        ),
  );
  // Two at a time, those with a window last, whose downloads come meanwhile; and beside them those
  // of the service, which wait for clocks, leases and processes more than they compute. Whoever is
  // done helps with them.
  const lanes = [
    { env: await laneEnvironment('1') },
    { env: await laneEnvironment('2') },
    { env: {}, only: /^service: / },
  ];
  return runSteps([...quick, ...service], lanes, { later: windows, times });
}

/**
 * @param {string} runtime
 * @param {Record<string, string>} env
 */
function serviceSteps(runtime, env) {
  return partsOf(suitesOf('service')).flatMap(({ name, files, ownTests }) => {
    const step = (/** @type {string} */ on, /** @type {readonly string[]} */ ...which) =>
      mochaStep({
        ...{ name: `service: ${name}, on ${on}`, runtime, folder: 'service', files, env, ownTests },
        programs: servicePrograms,
        more: ['--grep', onPostgres, ...which],
      });
    return [step('SQLite', '--invert'), step('PostgreSQL')];
  });
}

/** @param {import('./steps.mjs').Step} step */
function onlyRun(step) {
  return step;
}

/** What contract tests compare with, which is not in the checkout. */
function publicDescription() {
  const file = process.env['PROMPT_TABLES_OPENAPI'] ?? inRoot('../shared/contract/openapi.json');
  return [fs.existsSync(file) ? String(fs.statSync(file).mtimeMs) : 'none'];
}

function browser() {
  const present = presentChromium();
  return [
    present === undefined ? 'none' : execFileSync(present, ['--version'], { encoding: 'utf8' }),
  ];
}

/**
 * Begins the downloads that the window suites need; they mostly wait for the network.
 * @param {ReadonlySet<SuiteName>} chosen
 * @param {boolean} isDesktop
 */
async function prepare(chosen, isDesktop) {
  const usesServer = chosen.has('browser') || (chosen.has('host') && !isDesktop);
  if (!usesServer) return;
  await findChromium();
  await installHost('latest');
  if (chosen.has('host') && !isDesktop) await installHost('min');
}

/**
 * @param {object} options
 * @param {string} options.runtime
 * @param {ReadonlySet<SuiteName>} options.chosen
 * @param {boolean} options.isDesktop
 * @param {string} options.vsix
 * @param {string | undefined} options.shuffle
 */
function windowSuites({ runtime, chosen, isDesktop, vsix, shuffle }) {
  const entry = inRoot('test', 'host', 'run.ts');
  const hostRun = (/** @type {string} */ title, /** @type {string[]} */ ...args) =>
    mochaStep({
      name: `host: ${title}`,
      runtime,
      command: [entry, ...args],
      ownTests: /^test\/host\//,
    });
  // As it is shipped only: from source the same suites would pass or fail for the same reasons.
  const hostSteps = isDesktop
    ? [hostRun('desktop, packaged', '--vsix', vsix)]
    : [
        hostRun('newest VS Code, packaged', '--vsix', vsix),
        hostRun('oldest VS Code, packaged', '--host', 'min', '--vsix', vsix),
      ];
  // A slow machine can lose a key or a click on its way into a window: once more, and said aloud.
  const more = [...browserArguments, '--retries', '1'];
  const env = { ...serviceEnvironment(undefined), ...shuffled(shuffle), PROMPT_TABLES_VSIX: vsix };
  const browserStep = (
    /** @type {string} */ title,
    /** @type {readonly string[]} */ files,
    /** @type {RegExp} */ ownTests,
    /** @type {readonly string[] | undefined} */ programs = undefined,
  ) =>
    mochaStep({
      ...(programs && { programs }),
      name: `browser: ${title}`,
      runtime,
      folder: 'browser',
      files,
      more,
      env,
      setUpAgain: true,
      ownTests,
    });
  // Small steps, so that both lanes end at about the same time: the longest first.
  const windows = windowSteps().map((files) => {
    const titles = files.map((file) => file.replace(/^vscode-|\.test\.ts$/g, ''));
    const ownTests = new RegExp(`^test/browser/(${files.join('|')})$`);
    return browserStep(`vscode-${titles.join(', ')}`, files, ownTests);
  });
  return [
    ...(chosen.has('browser') ? [...windows, ...pageSteps(browserStep)] : []),
    ...(chosen.has('host') ? hostSteps : []),
  ];
}

/**
 * Pages of the grid, and the others.
 * @param {(title: string, files: readonly string[], ownTests: RegExp, programs: readonly string[]) => import('./steps.mjs').Step} step
 */
function pageSteps(step) {
  const files = suitesOf('browser', /^(?!vscode-).*\.test\.ts$/);
  const ofGrid = files.filter((file) => file.startsWith('grid-'));
  const others = files.filter((file) => !file.startsWith('grid-'));
  const pages = bundles
    .filter(({ outfile }) => outfile.startsWith('dist/webview/'))
    .map(({ name }) => name);
  return [
    step('pages of the grid', ofGrid, /^test\/browser\/grid-/, pages),
    step('pages', others, /^test\/browser\/(?!vscode-|grid-)/, [
      ...pages,
      ...servicePrograms,
      'edge',
    ]),
  ];
}

/**
 * The files of each step: of a window that is shared, those of `shareWindow`, otherwise one.
 * @returns {readonly (readonly string[])[]}
 */
function windowSteps() {
  const bySize = suitesOf('browser', /^vscode-.*\.test\.ts$/);
  const shared = shareWindow.map((names) => names.map((name) => `vscode-${name}.test.ts`));
  const isShared = new Set(shared.flat());
  const missing = [...isShared].find((file) => !bySize.includes(file));
  if (missing) throw new Trouble(`test/browser/${missing} is to share a window and is not there.`);
  return [...shared, ...bySize.filter((file) => !isShared.has(file)).map((file) => [file])];
}

/**
 * @param {readonly string[]} words
 * @returns {ReadonlySet<SuiteName>}
 */
function choose(words) {
  const unknown = words.find((word) => !names.some((name) => name === word));
  if (unknown)
    throw new Trouble(`There is no suite "${unknown}".`, `choose among ${names.join(', ')}.`);
  const wanted = names.filter((name) => words.length === 0 || words.includes(name));
  const missing = wanted.find((name) => name !== 'check' && !hasSuites(name));
  if (missing)
    throw new Trouble(`test/${missing} holds no *.test.ts, so the suite would check nothing.`);
  return new Set(wanted);
}
