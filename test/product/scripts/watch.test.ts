import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRoot } from '../../../scripts/paths.mjs';
import { timeLimit } from '../../support/time-limit.ts';

/** The sources elsewhere, so that nothing is built beside what other tests use. */
function copyOfSources(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-watch-'));
  for (const name of ['esbuild.mjs', 'package.json', 'scripts', 'src'])
    fs.cpSync(inRoot(name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(inRoot('node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

describe('node esbuild.mjs --watch', function () {
  // The first build makes everything.
  this.timeout(timeLimit(120_000));
  let folder: string;
  let child: ChildProcess;
  let said = '';

  /** What it says until it watches again. */
  async function nextBuild(): Promise<string> {
    while (!said.includes('\nWatching ')) await once(child.stdout!, 'data');
    const [build = '', ...rest] = said.split(/\nWatching .*\n/);
    said = rest.join('');
    return build;
  }

  before(async () => {
    folder = copyOfSources();
    child = spawn(process.execPath, ['esbuild.mjs', '--watch'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (said += text));
    assert.match(
      await nextBuild(),
      /^Building [^]*dist\/extension\.cjs[^]*dist\/webview\/grid\.js/,
    );
  });
  after(async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const source = (file: string): string => path.join(folder, 'src', file);
  const change = (file: string, text: string): void => fs.appendFileSync(source(file), text);

  // Neither links what only the other one needs; as one build it takes four times as long.
  for (const [file, bundle, seconds] of [
    ['webview/run/main.ts', 'dist/webview/run.js', 2],
    ['extension/main.ts', 'dist/extension.cjs', 4],
    ['service/main.ts', 'dist/service.mjs', 6],
  ] as const) {
    it(`builds ${bundle} again, and nothing else, within ${String(seconds)} seconds of a change`, async () => {
      const began = performance.now();
      change(file, '\n// changed\n');
      const build = await nextBuild();
      assert.ok(performance.now() - began < timeLimit(seconds * 1000));
      assert.deepEqual(build.match(/dist\/[\w./-]+/g), [bundle]);
    });
  }

  it('goes on after an error in a source, and builds what is mended', async () => {
    const before = fs.readFileSync(source('webview/compare/main.ts'));
    change('webview/compare/main.ts', "\nthis isn't a code\n");
    assert.match(await nextBuild(), /dist\/webview\/compare\.js FAILED/);
    fs.writeFileSync(source('webview/compare/main.ts'), before);
    assert.match(await nextBuild(), /dist\/webview\/compare\.js \(\d+ KB\)/);
  });
});
