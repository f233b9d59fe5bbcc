// npm test: everything. npm test -- unit service: only those suites. The last line is
// `N passed, N failed` (`, N skipped`), and any failure makes the exit code 1.
import path from 'node:path';
import { buildProduct } from './build.mjs';
import { checks } from './checks.mjs';
import { findChromium } from './chromium.mjs';
import { ensure } from './ensure.mjs';
import { hasSuites, mochaStep, suitesOf } from './mocha.mjs';
import { packageExtension } from './package-extension.mjs';
import { cacheDir, inRoot } from './paths.mjs';
import { startPostgres } from './postgres.mjs';
import { findRuntime } from './runtime.mjs';
import { runScript, say, seconds, Trouble } from './say.mjs';
import { closingLine, failedTitles, runSteps, sum } from './steps.mjs';
import { installHost } from './vscode-host.mjs';

const names = /** @type {const} */ (['check', 'unit', 'contract', 'service', 'host', 'browser']);
/** @typedef {typeof names[number]} SuiteName */

await runScript(async () => {
  const began = Date.now();
  const chosen = choose(process.argv.slice(2));
  await ensure();
  const runtime = findRuntime();
  const needsWindow = chosen.has('host') || chosen.has('browser');
  const isDesktop = process.env['VSCODE_HOST'] === 'desktop';
  const prepared = prepare(chosen, isDesktop);
  await buildProduct();

  // Those without a window first, then those with one: two at a time, the longest first.
  const postgres = chosen.has('service') || chosen.has('unit') ? await startPostgres() : undefined;
  const env = {
    PROMPT_TABLES_TEST_SERVICE: inRoot('dist', 'service.mjs'),
    // Also for what the tests start: a source is stripped of its types once, not at every start.
    NODE_COMPILE_CACHE: path.join(cacheDir, 'compiled'),
    ...(postgres && { PROMPT_TABLES_TEST_POSTGRES: postgres.url }),
  };
  const plain = (/** @type {SuiteName} */ name) => {
    const more = name === 'unit' ? ['--require', './test/support/left-open.ts'] : [];
    return chosen.has(name) ? [mochaStep({ name, runtime, folder: name, env, more })] : [];
  };
  const quick = await runSteps(
    [
      ...plain('service'),
      ...(chosen.has('check') ? checks(runtime) : []),
      ...plain('contract'),
      ...plain('unit'),
    ],
    2,
  ).finally(() => postgres?.stop());
  await prepared.done;
  const windows = needsWindow ? [await windowSuites(runtime, chosen, isDesktop)] : [];

  const total = sum([quick, ...windows]);
  say(`\nAll done in ${seconds(began)}.`);
  say(`${failedTitles(total)}${closingLine(total)}`);
  return total.failed > 0 ? 1 : 0;
});

/**
 * Begins the downloads that the window suites need; they mostly wait for the network, so the quick
 * suites run meanwhile. In an object, since a failure is to be met only when `done` is awaited.
 * @param {ReadonlySet<SuiteName>} chosen
 * @param {boolean} isDesktop
 */
function prepare(chosen, isDesktop) {
  const usesServer = chosen.has('browser') || (chosen.has('host') && !isDesktop);
  const work = async () => {
    if (!usesServer) return;
    await findChromium();
    await installHost('latest');
    if (chosen.has('host') && !isDesktop) await installHost('min');
  };
  const done = work();
  done.catch(() => undefined);
  return { done };
}

/**
 * @param {string} runtime
 * @param {ReadonlySet<SuiteName>} chosen
 * @param {boolean} isDesktop
 */
async function windowSuites(runtime, chosen, isDesktop) {
  const vsix = await packageExtension();
  const entry = inRoot('test', 'host', 'run.ts');
  const hostRun = (/** @type {string} */ title, /** @type {string[]} */ ...args) =>
    mochaStep({ name: `host: ${title}`, runtime, command: [entry, ...args] });
  const hostSteps = isDesktop
    ? [hostRun('desktop, from source'), hostRun('desktop, packaged', '--vsix', vsix)]
    : [
        hostRun('newest VS Code, from source'),
        hostRun('newest VS Code, packaged', '--vsix', vsix),
        hostRun('oldest VS Code, packaged', '--host', 'min', '--vsix', vsix),
      ];
  // A slow machine can lose a key or a click on its way into a window: once more, and said aloud.
  const more = [
    ...['--require', './test/support/host/shared.ts', '--timeout', '60000'],
    ...['--retries', '1'],
  ];
  const env = { PROMPT_TABLES_VSIX: vsix };
  const browserStep = (/** @type {string} */ title, /** @type {string} */ files) =>
    mochaStep({ name: `browser: ${title}`, runtime, folder: 'browser', files, more, env });
  // A step a file, so that both lanes end at about the same time: the longest first.
  const windows = suitesOf('browser', /^vscode-.*\.test\.ts$/).map((file) =>
    browserStep(file.replace(/\.test\.ts$/, ''), file),
  );
  const steps = [
    ...(chosen.has('browser') ? [browserStep('pages', '!(vscode-)*.test.ts'), ...windows] : []),
    ...(chosen.has('host') ? hostSteps : []),
  ];
  return runSteps(steps, 2);
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
