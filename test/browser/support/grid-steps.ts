/** What tests of the grid page do and look at, in a few words each. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { startGridPages, type GridPages, type PageOptions } from './grid-page.ts';
import { drawn } from './pages.ts';
import { until } from '../../support/until.ts';

/**
 * Within a suite: a page of the grid for each test, handed to `use`, which is looked at for faults
 * and given back when the test has ended. Gives what puts another page in its place.
 */
export function eachOnItsOwnPage(
  use: (page: Page) => void,
  { focused = true, ...usual }: PageOptions & { readonly focused?: boolean } = {},
): (options: PageOptions) => Promise<void> {
  let pages: GridPages;
  let shown: Page | undefined;
  before(async () => {
    pages = await startGridPages();
  });
  after(() => pages.close());
  const open = async (options: PageOptions): Promise<void> => {
    shown = await pages.open(options);
    use(shown);
  };
  const giveBack = async (): Promise<void> => {
    const page = shown;
    shown = undefined;
    if (page === undefined) return;
    await noFaults(page);
    await pages.done(page);
  };
  beforeEach(async () => {
    await open(usual);
    if (focused && shown !== undefined) await focusGrid(shown);
  });
  afterEach(giveBack);
  return async (options) => {
    await giveBack();
    await open(options);
  };
}

/** A cell by position and place on screen (0 first); column -1 is the row number. */
export const cellAt = (page: Page, row: number, column: number): Locator =>
  page.locator(`.rows > .row[aria-rowindex="${row + 2}"] > [aria-colindex="${column + 2}"]`);

export const titleAt = (page: Page, column: number): Locator =>
  page.locator(`.head > [aria-colindex="${column + 2}"]`);

export async function shownText(page: Page, row: number, column: number): Promise<string | null> {
  await drawn(page);
  return cellAt(page, row, column).locator('.value').textContent();
}

export async function focusGrid(page: Page): Promise<void> {
  await page.locator('.grid').focus();
}

/** Presses keys one after another, until what they have done is drawn. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await drawn(page);
}

/** What the page has asked its extension for, by the name of the request, in order. */
export const asked = <Value>(page: Page, name: string): Promise<Value[]> =>
  page.evaluate((of) => [...peer.of(of)], name) as Promise<Value[]>;

/** Pastes as a browser does that has these on its clipboard. */
export async function pasteInto(page: Page, text: string, html = ''): Promise<void> {
  await page.evaluate(
    (data) => {
      const clipboardData = new DataTransfer();
      if (data.text !== '') clipboardData.setData('text/plain', data.text);
      if (data.html !== '') clipboardData.setData('text/html', data.html);
      document
        .querySelector('.grid')
        ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
    },
    { text, html },
  );
}

/** Where the cursor is, as assistive technology is told. */
export async function activePlace(page: Page): Promise<{ row: number; column: number } | null> {
  await drawn(page);
  return page.evaluate(() => {
    const id = document.querySelector('.grid')?.getAttribute('aria-activedescendant');
    const element = id ? document.getElementById(id) : null;
    if (element === null) return null;
    const row = Number(element.parentElement?.getAttribute('aria-rowindex')) - 2;
    return { row, column: Number(element.getAttribute('aria-colindex')) - 2 };
  });
}

/** Rows on screen are there, none of them a placeholder; what was scrolled to before is drawn. */
export async function rowsLoaded(page: Page): Promise<void> {
  await drawn(page);
  await until('the rows on screen are loaded', async () => {
    const { rows, waiting } = await page.evaluate(() => ({
      rows: document.querySelectorAll('.rows > .row').length,
      waiting: document.querySelectorAll('.rows > .row.skeleton').length,
    }));
    return rows > 0 && waiting === 0;
  });
}

export async function noFaults(page: Page): Promise<void> {
  const { violations, faults } = await page.evaluate(() => ({
    violations: peer.violations,
    faults: peer.faults,
  }));
  assert.deepEqual({ violations, faults }, { violations: [], faults: [] });
}
