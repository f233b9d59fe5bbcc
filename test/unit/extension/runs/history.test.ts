import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Column } from '../../../../src/api/column.ts';
import type { EndedRun, RunEntry } from '../../../../src/extension/kept-runs/run-history.ts';
import { RunHistory } from '../../../../src/extension/kept-runs/run-history.ts';
import { choiceRun } from '../../../../src/extension/runs/again.ts';
import { matched } from '../../../../src/extension/ask/sheet-fields.ts';
import { fieldsOf } from '../../../../src/extension/runs/fields.ts';
import { fits, readCosts, readTimes, sumsOf } from '../../../../src/extension/runs/filter.ts';
import { TextSearch } from '../../../../src/extension/runs/text-search.ts';
import { until } from '../../../support/until.ts';

const run = (rest: Partial<EndedRun> = {}): EndedRun => ({
  ...{ kind: 'prompt', connectionId: 'c', workspace: 'Acme', name: 'answer' },
  ...{ choice: { kind: 'latest' }, state: 'done', startedAt: 1000, elapsedMs: 20 },
  detail: {
    variables: [{ name: 'question', kind: 'text', text: 'why' }],
    output: 'because',
    record: { whole: true },
  },
  ...rest,
});

describe('history of runs', () => {
  let folder: string;
  let most: number;
  let history: RunHistory;
  const list = () => history.list((error) => assert.fail(String(error)));
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-history-'));
    most = 3;
    history = new RunHistory(path.join(folder, 'runs'), () => most);
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('gives runs latest first, with what they were given and have given', async () => {
    const first = await history.add(run());
    await history.add(run({ startedAt: 2000, name: 'later' }));
    const entries = await list();
    assert.deepEqual(
      entries.map(({ name, inputs, output }) => [name, inputs, output]),
      [
        ['later', 'question: why', 'because'],
        ['answer', 'question: why', 'because'],
      ],
    );
    assert.deepEqual(await history.detail(first?.id ?? ''), run().detail);
    const files = fs.readdirSync(path.join(folder, 'runs', 'details'));
    const { mode } = fs.statSync(path.join(folder, 'runs', 'details', files[0] ?? ''));
    assert.equal(mode & 0o077, 0);
  });

  const statesOf = async (window: RunHistory) =>
    (await window.list((error) => assert.fail(String(error)))).map(({ state, output }) => [
      state,
      output,
    ]);

  it('has a run while it goes on, in every window, and once when it has ended', async () => {
    const other = new RunHistory(path.join(folder, 'runs'), () => most);
    const id = 'a-run';
    const partial = { ...run().detail, output: 'bec' };
    await history.update({ ...run({ id, state: 'running' }), id, detail: partial });
    assert.deepEqual(await statesOf(history), [['running', 'bec']]);
    assert.deepEqual(await statesOf(other), [['running', 'bec']]);
    await history.add(run({ id }));
    assert.deepEqual(await statesOf(other), [['done', 'because']]);
  });

  it('calls a run interrupted when its window has crashed, and keeps what had come', async () => {
    const id = 'a-run';
    const partial = { ...run().detail, output: 'bec' };
    await history.update({ ...run({ state: 'running' }), id, detail: partial });
    const entry = path.join(folder, 'runs', 'entries', `${id}.json`);
    const kept = JSON.parse(fs.readFileSync(entry, 'utf8')) as RunEntry;
    // A process that is gone: one that has ended before this one looks.
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    fs.writeFileSync(entry, JSON.stringify({ ...kept, owner: { window: 'another', pid } }));
    const later = new RunHistory(path.join(folder, 'runs'), () => most);
    assert.deepEqual(await statesOf(later), [['interrupted', 'bec']]);
    assert.equal((await later.detail(id))?.output, 'bec');
  });

  it('loses no run of windows that write at the same time, and tells each of the others', async () => {
    most = 100;
    const windows = Array.from(
      { length: 4 },
      () => new RunHistory(path.join(folder, 'runs'), () => most),
    );
    let reported = 0;
    history.onDidChange(() => (reported += 1));
    const following = history.follow((error) => assert.fail(String(error)));
    await Promise.all(
      windows.flatMap((window, at) =>
        Array.from({ length: 10 }, (_, index) =>
          window.add(run({ startedAt: at * 10 + index + 1, name: `${at}-${index}` })),
        ),
      ),
    );
    assert.equal((await list()).length, 40);
    await until('it is told of them', () => reported > 0);
    following.dispose();
  });

  it('keeps the latest ones only, and none when none are wanted', async () => {
    for (let at = 1; at <= 5; at += 1) await history.add(run({ startedAt: at, name: `r${at}` }));
    assert.deepEqual(
      (await list()).map(({ name }) => name),
      ['r5', 'r4', 'r3'],
    );
    assert.equal(fs.readdirSync(path.join(folder, 'runs', 'details')).length, 3);
    most = 0;
    assert.equal(await history.add(run()), undefined);
  });

  it('adds what is learned later, and tells of every change', async () => {
    let reported = 0;
    history.onDidChange(() => (reported += 1));
    const entry = await history.add(run());
    await history.change(entry?.id ?? '', { priceUsd: 0.5, scores: { score: 80 } });
    await history.change('gone', { priceUsd: 1 });
    const [now] = await list();
    assert.deepEqual([now?.priceUsd, now?.scores], [0.5, { score: 80 }]);
    await history.remove([now?.id ?? '']);
    assert.deepEqual(await list(), []);
    assert.equal(reported, 3);
  });

  it('keeps the model that was asked for; earlier runs, which do not tell it, are read too', async () => {
    const askedModel = { provider: 'openai', name: 'gpt-other' };
    const parameters = [{ name: 'top_p', text: '0.5' }];
    const given = { model: 'gpt-other', askedModel, parameters, version: 3 };
    const entry = await history.add(run(given));
    assert.deepEqual((await list())[0]?.askedModel, askedModel);
    assert.deepEqual((await list())[0]?.parameters, parameters);
    const file = path.join(folder, 'runs', 'entries', `${entry?.id ?? ''}.json`);
    const { askedModel: _, ...earlier } = JSON.parse(fs.readFileSync(file, 'utf8')) as RunEntry;
    fs.writeFileSync(file, JSON.stringify(earlier));
    assert.deepEqual(
      (await list()).map(({ model, askedModel: asked }) => [model, asked]),
      [['gpt-other', undefined]],
    );
  });

  it('finds a text anywhere in what is kept, and reads each run once for it', async () => {
    const deep = (word: string) => `${'x'.repeat(5000)} ${word}`;
    const { detail } = run();
    await history.add(run({ startedAt: 3, detail: { ...detail, output: deep('Needle') } }));
    const variables = [{ name: 'q', kind: 'text' as const, text: deep('needle') }];
    await history.add(run({ startedAt: 2, detail: { ...detail, variables } }));
    await history.add(run({ startedAt: 1 }));
    const read: string[] = [];
    const search = new TextSearch(
      (id) => {
        read.push(id);
        return history.detail(id);
      },
      (error) => assert.fail(String(error)),
    );
    const entries = await list();
    const found = async (text: string) =>
      (await search.among(entries, text)).map(({ startedAt }) => startedAt);
    assert.deepEqual(await found('NEEDLE'), [3, 2]);
    assert.deepEqual(await found('needle'), [3, 2]);
    assert.equal(read.length, 3);
    assert.deepEqual(await found('because'), [2, 1]);
  });

  it('looks no further for a text when another is asked for', async () => {
    for (let at = 1; at <= 3; at += 1) await history.add(run({ startedAt: at }));
    const read: string[] = [];
    const search = new TextSearch(
      (id) => {
        read.push(id);
        return history.detail(id);
      },
      (error) => assert.fail(String(error)),
    );
    const entries = await list();
    const first = search.among(entries, 'nowhere');
    assert.equal((await search.among(entries, 'because')).length, 3);
    await first;
    assert.equal(read.length, 1);
  });

  it('leaves out the result that is too large, not the run', async () => {
    const detail = { ...run().detail, record: 'x'.repeat(5 * 1024 * 1024) };
    const entry = await history.add(run({ detail }));
    assert.equal((await history.detail(entry?.id ?? ''))?.record, null);
  });

  it('gives the others when one file is broken', async () => {
    await history.add(run());
    fs.writeFileSync(path.join(folder, 'runs', 'entries', 'broken.json'), '{');
    const faults: unknown[] = [];
    assert.equal((await history.list((error) => faults.push(error))).length, 1);
    assert.equal(faults.length, 1);
  });
});

describe('runs', () => {
  const entry = { ...run(), id: 'a', inputs: 'question: Why', output: 'Because' };

  it('are run again with the version that ran, not with what is latest now', () => {
    assert.deepEqual(choiceRun({ ...entry, version: 3 }), { kind: 'version', version: 3 });
    assert.deepEqual(choiceRun(entry), { kind: 'latest' });
  });

  it('are found by prompt and status', () => {
    assert.equal(fits(entry, { name: 'answer', state: 'done' }), true);
    assert.equal(fits(entry, { state: 'failed' }), false);
  });

  it('are found by model, label, time and cost', () => {
    const at = (text: string): number => new Date(text).getTime();
    const labelled = {
      ...{ ...entry, model: 'm', priceUsd: 0.02 },
      choice: { kind: 'label', label: 'prod' },
      startedAt: at('2026-01-31T12:00'),
    } as const;
    assert.equal(fits(labelled, { model: 'm', label: 'prod' }), true);
    assert.equal(fits(labelled, { model: 'n' }), false);
    assert.equal(fits(labelled, { label: 'next' }), false);
    const now = at('2026-02-01T00:00');
    const isFrom = (text: string): boolean =>
      fits(labelled, { time: readTimes(text, now) ?? assert.fail(text) });
    const times = ['2026-01-31', '2026-01-30..2026-01-31', '24h', '..2026-02-01', '24h..6h'];
    assert.deepEqual(times.map(isFrom), [true, true, true, true, true]);
    const others = ['2026-01-30', '2026-02-01..', '6h', '..2026-01-30', '2026-01-31 13:00..'];
    assert.deepEqual(others.map(isFrom), [false, false, false, false, false]);
    assert.deepEqual(
      ['', '..', 'soon', '2026-01-31..soon'].map((text) => readTimes(text)),
      [undefined, undefined, undefined, undefined],
    );
    const costs = (text: string): boolean =>
      fits(labelled, { cost: readCosts(text) ?? assert.fail(text) });
    assert.deepEqual(['0.02', '$0.01..$0.05', '..1'].map(costs), [true, true, true]);
    assert.deepEqual(['0.03', '..0.01'].map(costs), [false, false]);
    assert.deepEqual([readCosts('much'), readCosts('..')], [undefined, undefined]);
    // What nobody knows is in no range.
    assert.equal(fits(entry, { cost: readCosts('..100') }), false);
  });

  it('are summed up without taking an unknown price for nothing', () => {
    const sums = sumsOf([
      { ...entry, priceUsd: 0.25, inputTokens: 3, outputTokens: 4 },
      { ...entry, elapsedMs: 40 },
      { ...entry, state: 'failed', elapsedMs: 9000 },
    ]);
    assert.deepEqual(sums, {
      ...{ runs: 3, failed: 1, priceUsd: 0.25, priced: 1, medianMs: 20, p95Ms: 40 },
      ...{ inputTokens: 3, outputTokens: 4 },
    });
    assert.equal(sumsOf([]).medianMs, null);
    const hundred = Array.from({ length: 100 }, (_, at) => ({ ...entry, elapsedMs: at + 1 }));
    assert.deepEqual([sumsOf(hundred).medianMs, sumsOf(hundred).p95Ms], [50, 95]);
  });

  it('become a row: text columns by their titles, new ones beside others of that title', () => {
    const column = (id: string, title: string, type: string) => ({ id, title, type }) as Column;
    const columns = [column('1', 'Question', 'TEXT'), column('2', 'output', 'PROMPT_TEMPLATE')];
    const { detail, ...rest } = run({ model: 'm' });
    const fields = matched(fieldsOf({ ...rest, ...entry }, detail), columns);
    assert.deepEqual(
      fields.map(({ field, column: into, title }) => [field.name, field.text, into?.id ?? title]),
      [
        ['question', 'why', '1'],
        ['output', 'because', 'output 2'],
        ['model', 'm', 'model'],
        ['latency_ms', '20', 'latency_ms'],
      ],
    );
  });
});
