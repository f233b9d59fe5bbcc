/** The charts of a sheet alone, with the product's own figures of what was read. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { factsOf, noSamples, scalesOf } from '../../src/extension/charts/samples.ts';
import type {
  ChartsEvents,
  ChartsRequests,
  ChartsView,
  MetricName,
  ScoreView,
  SheetCharts,
  VersionCharts,
} from '../../src/protocol/charts.ts';
import { startLinkedPages, type LinkedPage, type LinkedPages } from './support/page-link.ts';
import { until } from '../support/until.ts';

type None = Readonly<Record<string, never>>;
type Charts = { asks: ChartsRequests; tells: None; asked: None; reported: ChartsEvents };

const view: ChartsView = {
  sheet: 'Words',
  connection: { name: 'Acme', local: false },
  tab: 'latency',
  page: { connectionId: 'c', tableId: 't', sheetId: 's', tab: 'latency' },
};

const samples = noSamples();
const began = Date.parse('2026-01-01T12:00:00Z');
for (const at of [0, 1, 2, 3]) {
  samples.latency.add(100 * (at + 1), began + at * 1000);
  samples.price.add(0.0001 * (at + 1), began + at * 1000);
  samples.tokens.add(1100 * (at + 1), began + at * 1000);
}
const scales = scalesOf([samples]);
const facts = (name: MetricName) => factsOf(samples[name], scales[name].edges);
const metrics = { latency: facts('latency'), price: facts('price'), tokens: facts('tokens') };
const charts: SheetCharts = {
  ...{ state: 'done', rows: 4, of: 4, isSampled: false, scales },
  columns: [{ id: 'a', title: 'Answer', cells: 4, metrics }],
};
const score: ScoreView = {
  ...{ kind: 'scorecard', name: 'Quality', status: 'completed', isRunning: false, done: null },
  ...{ score: 0.25, verdict: 'fail', drift: null, isStale: false, problem: null },
  ...{ calculatedAt: '2026-01-01T12:00:00Z', scoredRows: 4, totalRows: 4 },
  verdicts: { fail: 3, pass: 1 },
  parts: [
    {
      ...{ title: 'has a letter', weight: 1, score: 0.25, rows: 4, drift: null },
      verdicts: { fail: 3, pass: 1 },
    },
  ],
  columns: [{ title: 'Word', score: 0.25, parts: 1 }],
  history: [],
};
const noScore: ScoreView = {
  ...score,
  ...{ kind: 'none', score: null, verdict: null, parts: [], columns: [], calculatedAt: null },
};
const versions: VersionCharts = {
  ...{ state: 'done', of: 1, hasMore: false },
  versions: [
    {
      ...{
        version: 1,
        name: 'first',
        at: '2026-01-02T12:00:00Z',
        rows: 4,
        of: 4,
        isReported: true,
      },
      ...{ cells: 4, ...metrics, score: 0.25 },
    },
  ],
};

describe('Page of the charts of a sheet', function () {
  this.timeout(60_000);
  let pages: LinkedPages<Charts>;
  let linked: LinkedPage<Charts>;

  before(async () => {
    const nothing = (): null => null;
    pages = await startLinkedPages<Charts>({
      bundle: 'charts',
      tells: [],
      answers: {
        ready: () => view,
        ...{ showTab: nothing, read: nothing, stop: nothing, readVersions: nothing },
        ...{ stopVersions: nothing, lookAtScore: nothing, calculate: nothing },
        ...{ cancelCalculation: nothing, editScorecard: nothing, openRow: nothing },
        scoreSpread: () => ({
          ...{ bins: [3, 0, 0, 0, 0, 0, 0, 0, 0, 1], rows: 4, unscored: 0, hasMore: false },
        }),
        judged: ({ verdict }) => ({
          rows:
            verdict === 'fail'
              ? [1, 2, 3].map((rowIndex) => ({
                  ...{ rowIndex, score: 0, verdict, reasons: ['has a letter: no'] },
                }))
              : [],
          next: null,
        }),
      },
    });
  });
  afterEach(() => pages.done());
  after(() => pages.close());

  const tab = (name: string, more: { readonly selected?: boolean } = {}): Locator =>
    linked.page.getByRole('tab', { name, ...more });
  const panel = (name: string): Locator => linked.page.getByRole('tabpanel', { name });
  const says = (text: string | RegExp): Promise<void> => linked.page.getByText(text).waitFor();
  const row = (name: string | RegExp, within: Locator = linked.page.locator('main')): Locator =>
    within.getByRole('row', { name });
  async function open(): Promise<void> {
    linked = await pages.open();
    await linked.page.getByRole('heading', { name: 'Charts of Words' }).waitFor();
    linked.channel.emit('charts', charts);
    linked.channel.emit('score', score);
    linked.channel.emit('versions', versions);
  }

  it('draws latency, cost and tokens with how many cells have them, and tells them in tables', async () => {
    await open();
    // Opened by keyboard, the next key is for what is shown.
    await tab('Latency').and(linked.page.locator(':focus')).waitFor();
    await says('4 of 4 cells have a latency.');
    await says('4 of 4 rows read');
    await tab('Cost').click();
    const inNumbers = panel('Cost').getByRole('table', { name: 'Cost of each column in numbers' });
    await row(/Answer 4 of 4 \$0/, inNumbers).waitFor();
    await panel('Cost')
      .getByRole('img', { name: /Cost of each column/ })
      .waitFor();
    await linked.page.keyboard.press('ArrowRight');
    await tab('Tokens', { selected: true }).waitFor();
    const spread = panel('Tokens').getByRole('region', { name: 'Distribution' });
    await spread.getByText('Show as table').click();
    await panel('Tokens').getByRole('table', { name: 'Cells by bin' }).waitFor();
    await linked.heard();
    assert.deepEqual(linked.asked('showTab'), [{ tab: 'price' }, { tab: 'tokens' }]);
    await linked.canBeWalkedByTab();
  });

  it('tells how far reading has come, and stops it', async () => {
    await open();
    linked.channel.emit('charts', { ...charts, state: 'reading', rows: 2 });
    await says('Reading: 2 of 4 rows');
    await linked.page.getByRole('button', { name: 'Stop' }).click();
    await until('it was asked', async () => linked.asked('stop').length === 1);
    linked.channel.emit('charts', { ...charts, state: 'stopped', rows: 3 });
    await says('Stopped after 3 of 4 rows');
    await linked.page.getByRole('button', { name: 'Refresh' }).click();
    await until('it was asked', async () => linked.asked('read').length === 1);
  });

  it('shows the score, its parts and the rows that failed, and opens one', async () => {
    await open();
    await tab('Score').click();
    await says('4 of 4 rows have a score');
    await linked.page.locator('.big').getByText('0.25').waitFor();
    await row(/has a letter 0\.25 4/).waitFor();
    await linked.page.getByRole('article').nth(2).waitFor();
    await panel('Score')
      .getByRole('region', { name: 'By column' })
      .getByText('Show as table')
      .click();
    await row(/^Word 0\.25 1$/, panel('Score')).waitFor();
    const spread = panel('Score').getByRole('region', { name: 'Distribution' });
    await spread.getByText('Rows: 4.').waitFor();
    await spread.getByText('Show as table').click();
    await row('0 to 0.1 3', spread).waitFor();
    await row('0.9 to 1 1', spread).waitFor();
    await linked.page
      .getByRole('button', { name: /^Open row/ })
      .first()
      .click();
    await until('it was asked', async () => linked.asked('openRow').length === 1);
    assert.deepEqual(linked.asked('openRow'), [{ rowIndex: 1 }]);
    await linked.page.getByRole('button', { name: 'Calculate' }).click();
    await until('it was asked', async () => linked.asked('calculate').length === 1);
  });

  it('tells saved versions in numbers', async () => {
    await open();
    await tab('Versions').click();
    await says('Versions read: 1 of 1');
    const inNumbers = panel('Versions').getByRole('table', { name: 'Saved versions in numbers' });
    await row(/^#1 first .* 4 of 4 4 of 4 \$0.* 0\.25$/, inNumbers).waitFor();
    await panel('Versions')
      .getByRole('img', { name: /^Latency of each saved version/ })
      .waitFor();
    await linked.canBeWalkedByTab();
  });

  for (const [name, known] of [
    ['Latency', /4 of 4 cells/],
    ['Cost', /4 of 4 cells/],
    ['Score', /4 of 4 rows have a score/],
    ['Versions', 'Versions read: 1 of 1'],
  ] as const) {
    it(`can be read by everybody: ${name}`, async () => {
      await open();
      await tab(name).click();
      await panel(name).getByText(known).waitFor();
      await linked.canBeReadByEverybody(`charts-${name.toLowerCase()}`);
    });
  }

  it('offers a scorecard where there is none', async () => {
    await open();
    linked.channel.emit('score', noScore);
    linked.channel.emit('tab', { tab: 'score' });
    await linked.page.getByRole('button', { name: 'Make scorecard…' }).click();
    await until('it was asked', async () => linked.asked('editScorecard').length === 1);
    await linked.canBeReadByEverybody('charts-no-score');
  });

  it('comes back with the tab that was shown', async () => {
    await open();
    await tab('Score').click();
    await until('it is kept', async () =>
      JSON.stringify(await linked.state()).includes('"tab":"score"'),
    );
    assert.deepEqual(await linked.state(), { ...view.page, tab: 'score' });
  });

  it('says what went wrong where, and tries that again', async () => {
    await open();
    const alert = linked.page.getByRole('alert');
    for (const [where, asked] of [
      ['charts', 'read'],
      ['score', 'lookAtScore'],
      ['versions', 'readVersions'],
    ] as const) {
      linked.channel.emit('problem', { where, message: `Away: ${where}.` });
      const said = alert.filter({ hasText: `Away: ${where}.` });
      await said.getByRole('button', { name: 'Try again' }).click();
      await until('it was asked', async () => linked.asked(asked).length === 1);
    }
  });
});
