/** The page that compares many variants over many cases, alone. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type {
  ColumnFoot,
  MatrixCell,
  MatrixEvents,
  MatrixProgress,
  MatrixRequests,
  MatrixView,
} from '../../src/protocol/matrix.ts';
import { timeLimit } from '../support/time-limit.ts';
import { until } from '../support/until.ts';
import {
  startLinkedPages,
  type Answers,
  type LinkedPage,
  type LinkedPages,
} from './support/page-link.ts';

type None = Readonly<Record<string, never>>;
type Matrix = { asks: MatrixRequests; tells: None; asked: None; reported: MatrixEvents };

const progress = (rest: Partial<MatrixProgress> = {}): MatrixProgress => ({
  ...{ isRunning: false, total: 300, answered: 0, failed: 0, unpriced: 0 },
  ...rest,
});

const foot = (columnId: string, rest: Partial<ColumnFoot> = {}): ColumnFoot => ({
  ...{ columnId, answered: 0, failed: 0, cut: 0, scored: 0, priced: 0, firsts: 0 },
  ...rest,
});

function viewOf(columns: number, cases: number): MatrixView {
  const ids = Array.from({ length: columns }, (_, at) => `c${at}`);
  return {
    page: { matrixId: 'm' },
    title: 'greeting',
    connection: { name: 'Acme', local: false },
    columns: ids.map((id, at) => ({
      ...{ id, title: `greeting (version ${at + 1})`, detail: `gpt-${at} · openai` },
      isUnpublished: false,
    })),
    cases: Array.from({ length: cases }, (_, id) => ({
      ...{ id, title: `Row ${id + 1}`, summary: `question: Why ${id}?` },
    })),
    scorers: [{ id: 's', title: 'contains "ice"' }],
    cells: [],
    foots: ids.map((id) => foot(id)),
    best: [],
    progress: progress({ total: columns * cases }),
  };
}

const cell = (columnId: string, caseId: number, rest: Partial<MatrixCell> = {}): MatrixCell => {
  const excerpt = `Answer of ${columnId} to ${caseId}`;
  return {
    ...{ columnId, caseId, state: 'done', excerpt, length: excerpt.length, scores: [] },
    ...rest,
  };
};

describe('Page that compares many', function () {
  this.timeout(timeLimit(30_000));
  let pages: LinkedPages<Matrix>;
  let linked: LinkedPage<Matrix>;

  before(async () => {
    const nothing = (): null => null;
    pages = await startLinkedPages<Matrix>({
      bundle: 'matrix',
      tells: [],
      answers: {
        ready: () => viewOf(3, 100),
        ...{ addVariant: nothing, removeColumn: nothing, addCases: nothing, removeCases: nothing },
        ...{ addScorer: nothing, removeScorer: nothing, run: nothing, stop: nothing },
        ...{ openAnswer: nothing, showRequest: nothing, decide: nothing },
        ...{ saveAsSheet: nothing, publishWinner: nothing },
        answer: ({ columnId, caseId }) => ({
          text: `The whole answer of ${columnId} to ${caseId}`,
          ...(columnId !== 'c0' && { first: `The whole answer of c0 to ${caseId}` }),
        }),
      },
    });
  });
  afterEach(() => pages.done());
  after(() => pages.close());

  const grid = (): Locator => linked.page.getByRole('grid', { name: 'Answers' });
  const open = async (view = viewOf(3, 100), answers: Answers<Matrix> = {}): Promise<void> => {
    linked = await pages.open({ ...answers, ready: () => view });
    await grid().waitFor();
  };
  const button = (name: string): Locator => linked.page.getByRole('button', { name, exact: true });
  const says = (text: string | RegExp): Promise<void> =>
    linked.page.getByText(text).first().waitFor();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await linked.page.keyboard.press(key);
  };
  const here = (): Promise<string | null> => grid().getAttribute('aria-activedescendant');
  const answered = (ids: readonly string[], cases: number): readonly MatrixCell[] =>
    ids.flatMap((id) => Array.from({ length: cases }, (_, at) => cell(id, at)));

  it('says of each answer what it is, and of each variant what it comes to', async () => {
    const view = viewOf(3, 100);
    const shares = { mean: 0.5, low: 0.2, high: 0.8 };
    await open({
      ...view,
      cells: [
        cell('c0', 0, {
          ...{ excerpt: '# Ice\n\n\nIs cold.', length: 17, elapsedMs: 1234, priceUsd: 0.5 },
          scores: [{ scorerId: 's', pass: true }],
        }),
        cell('c1', 0, { isDifferent: true, scores: [{ scorerId: 's', pass: false }] }),
        cell('c2', 0, { ending: { kind: 'length', reason: 'length' } }),
        cell('c0', 1, { state: 'running', excerpt: 'Ice is', length: 6 }),
        cell('c1', 1, { state: 'failed', excerpt: '', length: 0, problem: { message: 'No key.' } }),
        cell('c2', 1, { state: 'interrupted', excerpt: '', length: 0 }),
      ],
      foots: [
        foot('c0', {
          ...{ answered: 90, failed: 2, cut: 1, scored: 80, priced: 70, firsts: 3 },
          ...{ passRate: shares, score: shares, p50Ms: 400, p95Ms: 2100, costUsd: 1.5 },
          ...{ inputTokens: 1000, outputTokens: 200 },
        }),
        foot('c1'),
        foot('c2'),
      ],
      progress: progress({
        answered: 3,
        failed: 1,
        costUsd: 1.5,
        unpriced: 2,
        halt: 'interrupted',
      }),
    });
    const said = await grid().locator('.space > .row').first().innerText();
    assert.match(
      said,
      /# Ice\nIs cold\.[\s\S]*✓[\s\S]*1\.2 s · \$0\.50[\s\S]*Answer of c1 to 0[\s\S]*differs[\s\S]*Cut off at the token limit/,
    );
    const next = await grid().locator('.space > .row').nth(1).innerText();
    assert.match(next, /Ice is[\s\S]*Running[\s\S]*Failed: No key\.[\s\S]*Interrupted/);
    const summary = (await grid().locator('.foot-row').innerText()).replaceAll('\n', ' ');
    for (const text of [
      'Answered: 90 of 100, 2 failed, 1 not whole',
      'Found best: 3',
      'Passed: 50% (20% to 80%) · 80 scored',
      'Mean score: 50% (20% to 80%)',
      'Time p50, p95: 400 ms, 2.1 s',
      'Tokens in, out: 1,000, 200',
      'Cost: $1.50 · 70 priced',
    ]) {
      assert.ok(summary.includes(text), `${text} in ${summary}`);
    }
    await says('Interrupted · 3 of 300 answered · 1 failed · $1.50, cost unknown: 2');
    await button('Continue').waitFor();
    await linked.canBeReadByEverybody('matrix');
    await linked.canBeWalkedByTab();
  });

  it('is walked by keys, opens a whole answer beside the first, and comes back', async () => {
    await open({ ...viewOf(3, 100), cells: answered(['c0', 'c1', 'c2'], 100) });
    await grid().focus();
    await press('ArrowDown', 'ArrowRight');
    assert.equal(await here(), 'm-1-1');
    await press('Control+End');
    assert.equal(await here(), 'm-99-2');
    await linked.page.locator('#m-99-2').waitFor();
    await press('ArrowDown', 'Home');
    assert.equal(await here(), 'm-100--1');
    await press('Control+Home', 'ArrowRight', 'ArrowRight', 'Enter');
    await says('The whole answer of c1 to 0');
    assert.deepEqual(await linked.page.locator('del.change, ins.change').allInnerTexts(), [
      'c1',
      'c0',
    ]);
    await linked.canBeReadByEverybody('matrix-details');
    await press('Escape');
    await until('the focus is back', async () => {
      const role = await linked.page.evaluate(() => document.activeElement?.getAttribute('role'));
      return role === 'grid';
    });
    assert.deepEqual(linked.asked('answer'), [{ columnId: 'c1', caseId: 0 }]);
  });

  it('ranks by keys without names, only answers that are there, and shows names again', async () => {
    const cells = answered(['c0', 'c1', 'c2'], 2).map((one) => ({ ...one, elapsedMs: 1234 }));
    await open({ ...viewOf(3, 100), cells });
    await says('1.2 s');
    await button('Hide Names').click();
    await says('Variant A');
    const text = await linked.page.locator('main').innerText();
    assert.ok(!/version \d|gpt-|differs|Cost|Time p50|1\.2 s/.test(text), text);
    await grid().focus();
    await press('2', '3', '1');
    await linked.heard();
    const decided = linked.asked('decide');
    assert.deepEqual(
      decided.map(({ caseId }) => caseId),
      [0, 1],
    );
    assert.notEqual(decided[0]?.columnId, decided[1]?.columnId);
    assert.equal(await here(), 'm-2-0');
    await button('Hide Names').click();
    await says('1 · greeting (version 1)');
    assert.equal(await linked.page.locator('.cell-best:not([hidden])').count(), 2);
    await press('Control+Home');
    await grid().focus();
    await press('Control+Home', '0');
    await linked.heard();
    assert.deepEqual(linked.asked('decide').at(-1), { caseId: 0, columnId: null });
  });

  it('streams 24 variants by 100 cases, and draws no more than can be seen', async () => {
    const view = viewOf(24, 100);
    await open(view);
    const foots = view.columns.map(({ id }) => foot(id, { answered: 50, p50Ms: 10, p95Ms: 20 }));
    // Everything in view changes with every message, ten times a second, as the extension sends it.
    for (let turn = 1; turn <= 20; turn += 1) {
      const cells = view.columns.flatMap(({ id }) =>
        Array.from({ length: 16 }, (_, at) => {
          const excerpt = `word ${turn} `.repeat(turn).slice(0, 300);
          return cell(id, at, { state: 'running', excerpt, length: excerpt.length });
        }),
      );
      linked.channel.emit('cells', {
        ...{ cells, foots },
        progress: progress({ isRunning: true, total: 2400, answered: turn }),
      });
      await linked.page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => resolve(null))),
      );
    }
    await says('Running · 20 of 2,400 answered');
    const rows = await grid().locator('.space > .row').count();
    assert.ok(rows < 30, `${rows} rows are drawn`);
    const text = (column: number): Promise<string> =>
      linked.page.locator(`#m-0-${column} .cell-text`).innerText();
    await until('the last words are shown', async () => (await text(0)).startsWith('word 20 '));
    assert.equal(await text(23), '');
    await grid().focus();
    await press('End');
    await until('what comes into view is drawn', async () =>
      (await text(23)).startsWith('word 20 '),
    );
    // What it comes to in the end stands there with the last answer.
    linked.channel.emit('cells', {
      ...{ cells: [cell('c0', 0)], foots: [foot('c0', { answered: 77 })] },
      progress: progress({ total: 2400, answered: 2400 }),
    });
    await says('2,400 of 2,400 answered');
    const sum = await linked.page.locator('.foot-row').innerText();
    assert.match(sum, /Answered: 77 of 100/);
  });

  it('asks for what its buttons say, and shows what the extension refuses', async () => {
    const view = viewOf(3, 1);
    await open(view, {
      run: () => {
        throw new Error('1 case lacks variables. Nothing was sent.');
      },
    });
    await button('Remove greeting (version 2)').click();
    await button('Remove contains "ice"').click();
    await button('Remove all cases').click();
    await button('Run').click();
    await says('1 case lacks variables. Nothing was sent.');
    assert.deepEqual(linked.asked('removeColumn'), [{ columnId: 'c1' }]);
    assert.deepEqual(linked.asked('removeScorer'), [{ scorerId: 's' }]);
    assert.equal(linked.asked('removeCases').length, 1);
    linked.channel.emit('changed', { ...view, cases: [], columns: [], foots: [] });
    await says('Add a variant: a version, a draft, a file, or a model.');
    linked.channel.emit('cells', {
      ...{ cells: [], foots: [] },
      progress: progress({ isRunning: true }),
    });
    await button('Stop').click();
    await linked.heard();
    assert.equal(linked.asked('stop').length, 1);
    assert.ok(await button('Add Variant…').isDisabled());
  });
});
