/** A suite of windows whose preparation fails once is run once more; one whose tests fail is not. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mochaStep } from '../../../scripts/mocha.mjs';
import { inModules, inRoot } from '../../../scripts/paths.mjs';

describe('Steps of npm test', function () {
  this.timeout(30_000);
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-step-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  /** Leaves a line in `runs` for each run; `lines` are those of the suite. */
  async function counted(...lines: readonly string[]) {
    const suite = path.join(folder, 'suite.cjs');
    const runs = path.join(folder, 'runs');
    fs.writeFileSync(
      suite,
      [
        `const fs = require('node:fs');`,
        `fs.appendFileSync(${JSON.stringify(runs)}, '.');`,
        `const run = fs.readFileSync(${JSON.stringify(runs)}, 'utf8').length;`,
        `describe('windows', () => {`,
        ...lines,
        `});`,
      ].join('\n'),
    );
    const reporter = inRoot('test', 'support', 'counts-reporter.cjs');
    const step = mochaStep({
      name: 'a step in a test',
      runtime: process.execPath,
      command: [inModules('mocha/bin/mocha.js'), '--no-config', '--reporter', reporter, suite],
      setUpAgain: true,
    });
    const { counts, output } = await step.work({});
    const { passed, failed } = counts;
    return { passed, failed, output, runs: fs.readFileSync(runs, 'utf8').length };
  }

  it('prepares a suite once more, and says so', async () => {
    const { output, ...rest } = await counted(
      `before(() => { if (run === 1) throw new Error('no window'); });`,
      `it('opens', () => {});`,
    );
    assert.deepEqual(rest, { passed: 1, failed: 0, runs: 2 });
    assert.match(output, /TRIED AGAIN: windows "before all" hook.*\n *Error: no window/);
    assert.doesNotMatch(output, /FAILED: /);
  });

  it('gives up where it fails again', async () => {
    const { output, ...rest } = await counted(
      `before(() => { throw new Error('no window'); });`,
      `it('opens', () => {});`,
    );
    assert.deepEqual(rest, { passed: 0, failed: 1, runs: 2 });
    assert.match(output, /TRIED AGAIN: [^]*FAILED: windows "before all" hook/);
  });

  it('runs neither a failed test again nor one that left something behind', async () => {
    const failing = await counted(
      `before(() => {});`,
      `it('opens', () => { throw new Error('no'); });`,
      `describe('more', () => { before(() => { throw new Error('no window'); }); it('a', () => {}); });`,
    );
    assert.deepEqual([failing.runs, failing.passed, failing.failed], [1, 0, 2]);
    fs.rmSync(path.join(folder, 'runs'));
    const leaving = await counted(
      `it('opens', () => {});`,
      `after(() => { throw new Error('still open'); });`,
    );
    assert.deepEqual([leaving.runs, leaving.passed, leaving.failed], [1, 1, 1]);
  });
});
