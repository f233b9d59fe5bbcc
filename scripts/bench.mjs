// npm run bench [-- name ...]: runs test/bench/*.bench.ts one after the other, prints a table and
// writes test/bench/results.json.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildProduct } from './build.mjs';
import { findChromium } from './chromium.mjs';
import { run } from './child.mjs';
import { ensure } from './ensure.mjs';
import { cacheDir, inRoot } from './paths.mjs';
import { findRuntime } from './runtime.mjs';
import { runScript, say, seconds, Trouble } from './say.mjs';

/**
 * @typedef {{metric: string, value: number, unit: string, limit?: number, pass?: boolean}} Figure
 * @typedef {{name: string, figures: Figure[]}} Result
 */

const dir = inRoot('test', 'bench');

await runScript(async () => {
  const wanted = process.argv.slice(2);
  await ensure();
  const runtime = findRuntime();
  const files = fs
    .readdirSync(dir)
    .filter((file) => /\.bench\.m?ts$/.test(file))
    .filter((file) => wanted.length === 0 || wanted.some((word) => file.startsWith(word)));
  if (files.length === 0) throw new Trouble('No bench has that name.', `look into ${dir}.`);
  await findChromium();
  await buildProduct({ production: true });
  /** @type {Result[]} */
  const results = [];
  for (const file of files) results.push(await measure(runtime, file));
  keep(results);
  say(`\n${table(results)}`);
  const missed = results.flatMap(({ figures }) => figures).filter(({ pass }) => pass === false);
  say(missed.length === 0 ? '\nEvery limit is kept.' : `\n${missed.length} over their limits.`);
  return missed.length === 0 ? 0 : 1;
});

/**
 * Each in a process of its own, so that none inherits another's heap.
 * @param {string} runtime
 * @param {string} file
 * @returns {Promise<Result>}
 */
async function measure(runtime, file) {
  const began = Date.now();
  say(`> ${file} ...`);
  const out = path.join(cacheDir, 'bench.json');
  fs.rmSync(out, { force: true });
  const { code } = await run(
    runtime,
    ['--expose-gc', inRoot('scripts', 'bench-one.mjs'), path.join(dir, file), out],
    {
      timeoutMs: 1_200_000,
    },
  );
  if (code !== 0) throw new Trouble(`${file} ended with exit code ${code}; its message is above.`);
  say(`< ${file} (${seconds(began)})`);
  return JSON.parse(fs.readFileSync(out, 'utf8'));
}

/**
 * Replaces what was measured now, keeps what was not.
 * @param {readonly Result[]} results
 */
function keep(results) {
  const file = path.join(dir, 'results.json');
  /** @type {{benches: Record<string, unknown>}} */
  const before = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : { benches: {} };
  const machine = {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.cpus().length,
    platform: process.platform,
  };
  const measured = new Date().toISOString().slice(0, 10);
  const fresh = Object.fromEntries(
    results.map(({ name, figures }) => [name, { measured, machine, figures }]),
  );
  fs.writeFileSync(
    file,
    `${JSON.stringify({ benches: { ...before.benches, ...fresh } }, null, 2)}\n`,
  );
}

/** @param {readonly Result[]} results */
function table(results) {
  const rows = results.flatMap(({ name, figures }) =>
    figures.map(({ metric, value, unit, limit, pass }) => [
      name,
      metric,
      `${Number(value.toPrecision(4))} ${unit}`,
      limit === undefined ? '' : `${limit} ${unit}`,
      pass === undefined ? '' : pass ? 'ok' : 'MISSED',
    ]),
  );
  const all = [['bench', 'metric', 'value', 'limit', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
