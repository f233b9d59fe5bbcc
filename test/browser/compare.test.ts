/** The page that compares two columns row by row, alone. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type {
  ComparisonEvents,
  ComparisonRequests,
  ComparisonView,
  Verdict,
} from '../../src/protocol/compare.ts';
import { pageSize } from '../../src/protocol/grid-cells.ts';
import {
  startLinkedPages,
  type Answers,
  type LinkedPage,
  type LinkedPages,
} from './support/page-link.ts';
import { until } from '../support/until.ts';

type None = Readonly<Record<string, never>>;
type Comparison = {
  asks: ComparisonRequests;
  tells: None;
  asked: None;
  reported: ComparisonEvents;
};

const rowCount = 240;
/** Every fourth row is the same in both columns. */
const isSame = (at: number): boolean => at % 4 === 3;

const view: ComparisonView = {
  sheet: 'Answers',
  connection: { name: 'Acme', local: false },
  left: { id: 'l', title: 'Old' },
  right: { id: 'r', title: 'New' },
  columns: [
    { id: 'l', title: 'Old' },
    { id: 'r', title: 'New' },
    { id: 's', title: 'Score' },
  ],
  rowCount,
  byHand: { left: 0, right: 0, tie: 0 },
  target: { connectionId: 'c', tableId: 't', sheetId: 's', leftId: 'l', rightId: 'r' },
};

/** A sheet whose verdicts are kept as the extension would. */
function sheet(rows = rowCount): Answers<Comparison> {
  const decided = new Map<number, Verdict>();
  const counts = () => {
    const of = (verdict: Verdict): number =>
      [...decided.values()].filter((one) => one === verdict).length;
    return { left: of('left'), right: of('right'), tie: of('tie') };
  };
  const side = (text: string) => ({ text, status: 'completed' });
  return {
    ready: () => ({ ...view, rowCount: rows, byHand: counts() }),
    row: ({ position }) => ({
      ...{ position, rowIndex: position, verdict: decided.get(position) ?? null },
      left: side(`Answer ${position} is on its way`),
      right: side(
        isSame(position) ? `Answer ${position} is on its way` : `Answer ${position} was sent today`,
      ),
    }),
    list: ({ page }) =>
      Array.from({ length: Math.min(pageSize, rows - page * pageSize) }, (_, at) => {
        const rowIndex = page * pageSize + at;
        return { rowIndex, isSame: isSame(rowIndex), verdict: decided.get(rowIndex) ?? null };
      }),
    decide: ({ rowIndex, verdict }) => {
      if (verdict === null) decided.delete(rowIndex);
      else decided.set(rowIndex, verdict);
      return counts();
    },
  };
}

describe('Page that compares columns', function () {
  this.timeout(60_000);
  let pages: LinkedPages<Comparison>;
  let linked: LinkedPage<Comparison>;

  before(async () => {
    const unasked = (): never =>
      assert.fail('was asked for something that no test has answers for');
    pages = await startLinkedPages<Comparison>({
      bundle: 'compare',
      tells: [],
      answers: {
        ...{ ready: unasked, row: unasked, list: unasked, decide: unasked },
        count: () => ({ left: 0, right: 0, tie: 240 }),
        openDiff: () => null,
      },
    });
  });
  afterEach(() => pages.done());
  after(() => pages.close());

  const open = async (answers = sheet()): Promise<void> => {
    linked = await pages.open(answers);
    await where(1);
  };
  const where = (row: number, of = rowCount): Promise<void> =>
    linked.page.getByText(`Row ${row} of ${of}`, { exact: true }).waitFor();
  const option = (name: string): Locator => linked.page.getByRole('option', { name, exact: true });
  const filter = (): Locator => linked.page.getByRole('combobox', { name: 'Listed rows' });
  const list = (): Locator => linked.page.getByRole('listbox', { name: 'Rows' });
  const button = (name: string): Locator => linked.page.getByRole('button', { name });
  const says = (text: string | RegExp): Promise<void> => linked.page.getByText(text).waitFor();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await linked.page.keyboard.press(key);
  };

  it('marks what differs in the pair', async () => {
    await open();
    await linked.page.getByRole('heading', { name: 'Old ↔ New' }).waitFor();
    const marked = async (kind: string): Promise<string> =>
      (await linked.page.locator(`${kind}.change`).allInnerTexts()).join(' ');
    assert.deepEqual(
      [await marked('del'), await marked('ins')],
      ['is on its way', 'was sent today'],
    );
  });

  it('lists the rows beside the pair: number, whether they differ, what was decided', async () => {
    await open();
    await option('1 different').waitFor();
    await option('4 same').click();
    await where(4);
    await says('Both are the same.');
    await list().focus();
    await press('Home');
    await where(1);
    await press('End');
    await where(240);
    await option('240 same').waitFor();
    await press('Home');
    await where(1);
    await press('1');
    await where(2);
    await option('1 different left better').waitFor();
    await press('2');
    await where(3);
    await says('Old 1 · New 1 · ties 0');
    await option('2 different right better').waitFor();
    await linked.canBeReadByEverybody('compare');
    await linked.canBeWalkedByTab();
  });

  it('goes through those that differ, and says how many rows it has looked at', async () => {
    await open();
    await filter().selectOption('different');
    await option('5 different').waitFor();
    assert.equal(await option('4 same').count(), 0);
    await list().focus();
    await press('j', 'j', 'j');
    await where(5);
    await press('k');
    await where(3);
    await says(/rows; \d+ of 240 read/);
    await button('Read all rows').click();
    await says('180 of 240 rows');
    await list().focus();
    await press('End');
    await where(239);
    await press('j');
    await says('No more of these rows.');
  });

  it('goes through those that nobody has decided, and takes a decision back', async () => {
    await open();
    await press('1');
    await where(2);
    await press('2');
    await where(3);
    await filter().selectOption('undecided');
    await button('Read all rows').click();
    await says('238 of 240 rows');
    await list().focus();
    await press('Home');
    await where(3);
    await press('3');
    await where(4);
    await says('Old 1 · New 1 · ties 1');
    // Back to the one that was decided last.
    await press('ArrowUp');
    await where(3);
    await press('0');
    await says('Old 1 · New 1 · ties 0');
    await until('it was told', async () => linked.asked('decide').length === 4);
    assert.deepEqual(linked.asked('decide').at(-1), { rowIndex: 2, verdict: null });
  });

  it('goes back before the next row has come, and decides nothing that nobody has seen', async () => {
    await open();
    await press('1');
    await where(2);
    await press('3', 'k');
    await says('Old 1 · New 0 · ties 1');
    await where(2);
    await linked.page.getByRole('button', { name: 'Tie', pressed: true }).waitFor();
    let come: (() => void) | undefined;
    const { row } = sheet();
    linked.answer({
      row: async (params, signal) => {
        await new Promise<void>((resolve) => (come = resolve));
        assert.ok(row !== undefined);
        return row(params, signal);
      },
    });
    await press('j', '2');
    await until('the row was asked for', async () => come !== undefined);
    come?.();
    await where(3);
    await linked.heard();
    assert.equal(linked.asked('decide').length, 2);
  });

  it('counts which is better by scores, once both are chosen, and opens the pair in the diff editor', async () => {
    await open();
    await button('Count wins by score').click();
    await says('Select both score columns first.');
    for (const name of ['Score of the left column', 'Score of the right column'])
      await linked.page.getByRole('combobox', { name }).selectOption({ label: 'Score' });
    await button('Count wins by score').click();
    await says('Old 0 · New 0 · ties 240');
    assert.deepEqual(linked.asked('count'), [{ leftId: 's', rightId: 's' }]);
    await press('j');
    await where(2);
    await button('Open in diff editor').click();
    await until('it was asked', async () => linked.asked('openDiff').length === 1);
    assert.deepEqual(linked.asked('openDiff'), [{ position: 1 }]);
  });

  it('comes back with its row and its filter, and counts no row that is gone', async () => {
    await open();
    await filter().selectOption('undecided');
    await list().focus();
    await press('j');
    await where(2);
    linked.answer(sheet(239));
    await linked.comeBack();
    await where(2, 239);
    assert.equal(await filter().inputValue(), 'undecided');
    await button('Read all rows').press('Enter');
    await says('239 of 239 rows');
    await says('Old 0 · New 0 · ties 0');
  });

  it('is read anew when the sheet has changed, and says what it was told where it can not', async () => {
    await open();
    linked.answer(sheet(3));
    linked.channel.emit('changed', null);
    await where(1, 3);
    linked.answer({
      ready: () => {
        throw new Error('One of the compared columns has been deleted.');
      },
    });
    linked.channel.emit('changed', null);
    const alert = linked.page.getByRole('alert');
    await alert.getByText('One of the compared columns has been deleted.').waitFor();
    linked.answer(sheet(2));
    await alert.getByRole('button', { name: 'Try again' }).click();
    await where(1, 2);
  });
});
