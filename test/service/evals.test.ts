import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { evalsEntry } from '../support/service-entry.ts';
import type { Api, SheetPlace } from './support/api.ts';
import { firstKey, newFolder, RunningService } from './support/running-service.ts';

const built = path.resolve(import.meta.dirname, '../../dist/evals.mjs');

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('Evaluations from the command line', () => {
  let service: RunningService;
  let api: Api;
  let sheet: SheetPlace;
  let folder: string;
  const answers = ['Paris', 'paris', 'Lyon', 'Paris'];

  before(async () => {
    folder = newFolder();
    service = await RunningService.start();
    ({ api } = service);
    sheet = await comparedSheet();
  });
  after(async () => {
    await service.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const run = (...args: string[]): Promise<Ended> => start(process.execPath, evalsEntry, args);

  async function start(runtime: string, file: string, args: readonly string[]): Promise<Ended> {
    const child = spawn(runtime, [file, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PROMPTLAYER_API_KEY: firstKey,
        PROMPTLAYER_BASE_URL: service.ready.url,
      },
    });
    const ended = new Promise<number>((resolve) => {
      child.once('exit', (code) => resolve(code ?? -1));
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, out, err };
  }

  const named = (of = sheet): string[] => ['--table', of.tableId, '--sheet', of.sheetId];

  /** A sheet with a column that compares two others, of which nothing has run. */
  async function comparedSheet(): Promise<SheetPlace> {
    const place = await api.newSheet();
    const column = { title: 'Wanted', type: 'TEXT' };
    const wanted = (await api.expect(201, 'POST', `${place.path}/columns`, column)).column;
    await api.expect(201, 'POST', `${place.path}/rows`, {
      count: answers.length,
      values: answers.map((answer) => ({ [place.columnId]: answer, [wanted.id]: 'Paris' })),
    });
    await api.expect(201, 'POST', `${place.path}/columns`, {
      title: 'Same',
      type: 'COMPARE',
      config: { sources: ['Column A', 'Wanted'], comparison_type: { type: 'STRING' } },
    });
    return place;
  }

  /** A sheet whose first column holds the texts, with a column of code that judges them. */
  async function judgedSheet(texts: readonly string[], code: string): Promise<SheetPlace> {
    const place = await api.newSheet();
    await api.expect(201, 'POST', `${place.path}/rows`, {
      count: texts.length,
      values: texts.map((said) => ({ [place.columnId]: said })),
    });
    await api.expect(201, 'POST', `${place.path}/columns`, {
      title: 'Judge',
      type: 'CODE_EXECUTION',
      config: { language: 'JAVASCRIPT', code },
    });
    return place;
  }

  it('judge nothing before anything has run', async () => {
    const { code, out } = await run(...named(await comparedSheet()), '--run', 'none');
    assert.equal(code, 1);
    assert.match(out, /0 of 0 rows pass, 5 skipped/);
  });

  it('run what is stale, tell which rows fail and why, and write a JUnit report', async () => {
    const file = path.join(folder, 'report.xml');
    const { code, out, err } = await run(...named(), '--junit', file);
    assert.equal(err, '');
    assert.equal(code, 1);
    assert.match(out, /Evaluated by: Same/);
    assert.match(out, /fail row 4 Lyon\n {2}Same is false/);
    const report = fs.readFileSync(file, 'utf8');
    assert.match(report, /tests="5" failures="\d" errors="0"/);
    assert.match(report, /name="row 4: Lyon"><failure/);
  });

  it('are content with a share of the rows', async () => {
    const { code } = await run(...named(), '--min-pass-rate', '0.3');
    assert.equal(code, 0);
  });

  it('count rows whose cells have failed as errors, never as rows that were left out', async () => {
    const code = `if (data['Column A'] !== 'good') throw new Error('no answer'); return true;`;
    const failing = await judgedSheet(['good', 'bad', 'bad'], code);
    const file = path.join(folder, 'errors.xml');
    const first = await run(...named(failing), '--junit', file);
    // The row that every sheet begins with fails as well.
    assert.match(first.out, /1 of 4 rows pass, 0 skipped/);
    assert.match(first.out, /error row 3 bad\n {2}Judge .*no answer/);
    assert.equal(first.code, 1);
    assert.match(fs.readFileSync(file, 'utf8'), /tests="4" failures="0" errors="3" skipped="0"/);
    const again = await run(...named(failing), '--run', 'none', '--min-pass-rate', '0.5');
    assert.equal(again.code, 1, again.out);
  });

  it('judge by a column of numbers when it is chosen, against the threshold', async () => {
    const scored = await judgedSheet(['a', 'abc', 'abcde'], `return data['Column A'].length;`);
    const unchosen = await run(...named(scored));
    assert.match(unchosen.err, /No column of the sheet evaluates its rows/);
    assert.equal(unchosen.code, 2);
    const chosen = [...named(scored), '--check', 'Judge'];
    const { code, out } = await run(...chosen, '--threshold', '3', '--min-pass-rate', '0.5');
    assert.match(out, /Evaluated by: Judge\n/);
    assert.match(out, /fail row 2 a\n {2}Judge 1 of 3/);
    assert.match(out, /2 of [34] rows pass/);
    assert.equal(code, 0);
    assert.equal((await run(...chosen, '--threshold', '6')).code, 1);
  });

  it('run as they are built, on any Node that is there', async () => {
    if (!fs.existsSync(built)) throw new Error(`${built} is missing: run node esbuild.mjs first.`);
    const file = path.join(folder, 'built.xml');
    for (const runtime of ['node', process.execPath]) {
      const help = await start(runtime, built, ['--help']);
      assert.deepEqual([help.code, help.err], [0, '']);
      assert.match(help.out, /^Usage: node dist\/evals\.mjs --table/);
      const judged = await start(runtime, built, [...named(), '--junit', file]);
      assert.deepEqual([judged.code, judged.err], [1, '']);
      assert.match(judged.out, /Evaluated by: Same[^]*fail row 4 Lyon\n {2}Same is false/);
      assert.match(fs.readFileSync(file, 'utf8'), /name="row 4: Lyon"><failure/);
    }
  });

  it('say what is wrong and end with 2', async () => {
    const nobody = await run('--table', 'Nobody', '--sheet', 'x');
    assert.deepEqual([nobody.code, nobody.out], [2, '']);
    assert.match(nobody.err, /There is no table "Nobody"/);
    const unknown = await run(...named(), '--check', 'Other');
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /no column "Other".*"Column A"/);
    const usage = await run('--sheet', 'x');
    assert.equal(usage.code, 2);
    assert.match(usage.err, /Name the table and the sheet[^]*Usage:/);
  });
});
