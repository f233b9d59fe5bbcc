/**
 * The log of requests in the page of a grid, with the extension's own session on a real service:
 * all but VS Code.
 */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { Client } from '../../src/core/index.ts';
import { askWithFirstPage } from '../../src/extension/grid/html.ts';
import type { Filter } from '../../src/extension/requests/filters.ts';
import { LogSession } from '../../src/extension/requests/session.ts';
import type { LogView } from '../../src/extension/requests/view.ts';
import { plainView } from '../../src/extension/requests/view.ts';
import type { HostEvents, ViewEvents, ViewRequests } from '../../src/protocol/grid.ts';
import type { LogRequests } from '../../src/protocol/request-log.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { logGreetings } from '../support/demo-requests.ts';
import {
  inEnglish,
  startLinkedPages,
  type LinkedPage,
  type LinkedPages,
} from './support/page-link.ts';
import { until } from '../support/until.ts';

type Log = { asks: LogRequests; tells: HostEvents; asked: ViewRequests; reported: ViewEvents };

const ofUser: Filter = { field: 'metadata', nestedKey: 'user', operator: 'is', value: 'user-1' };

describe('Page of the request log', function () {
  this.timeout(60_000);
  let service: RunningService;
  let client: Client;
  let pages: LinkedPages<Log>;
  let linked: LinkedPage<Log>;
  let taken: [string, readonly number[]][];
  let copied: string;
  let kept: LogView;
  let isAway: boolean;

  before(async () => {
    service = await RunningService.start();
    await logGreetings(service.api);
    client = new Client({ apiKey: firstKey, baseURL: service.ready.url });
    const { handlers } = sessionWith(plainView, () => undefined);
    pages = await startLinkedPages<Log>({
      ...{ bundle: 'grid', askWith: askWithFirstPage, answers: handlers },
      tells: ['visiblePages', 'layout', 'cursor'],
    });
  });
  beforeEach(() => {
    [taken, copied, isAway] = [[], '', false];
  });
  afterEach(() => pages.done());
  after(async () => {
    await pages.close();
    await client.close();
    await service.stop();
  });

  const sessionWith = (
    view: LogView,
    channel: () => LinkedPage<Log>['channel'] | undefined,
  ): LogSession =>
    new LogSession({
      ...{ connection: { id: 'c', name: 'Acme', local: false }, view, t: inEnglish },
      search: (search, signal) => {
        if (isAway) throw new Error("The service can't be reached.");
        return client.requests.search(search, { signal });
      },
      emit: (name, payload) => channel()?.emit(name, payload),
      keep: (now) => {
        kept = now;
      },
      askFilter: () => Promise.resolve(ofUser),
      take: (action, requests) => {
        taken.push([action, requests.map(({ id }) => id)]);
        return Promise.resolve();
      },
      writeClipboard: (text) => {
        copied = text;
        return Promise.resolve();
      },
      copySettings: () => ({ formulaGuard: true, limitBytes: 1_000_000 }),
      note: () => undefined,
      describe: (error) => ({ code: 'x', message: (error as Error).message }),
    });
  async function open(view = plainView): Promise<void> {
    linked = await pages.open((channel) => sessionWith(view, channel).handlers);
    await cell(/gpt-4o/)
      .first()
      .waitFor();
  }

  const grid = (): Locator => linked.page.getByRole('grid', { name: 'Requests' });
  const foot = (text: string | RegExp): Locator =>
    linked.page.locator('.status-line').getByText(text).first();
  const button = (name: string | RegExp): Locator => linked.page.getByRole('button', { name });
  const cell = (text: string | RegExp): Locator => grid().getByRole('gridcell').getByText(text);
  const search = (): Locator => linked.page.getByRole('searchbox', { name: 'Search requests' });
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await linked.page.keyboard.press(key);
  };

  it('shows the newest requests first, and says how many there are and what they cost', async () => {
    await open();
    await foot('25 of 30 requests loaded').waitFor();
    await foot('$0.45').waitFor();
    const times = await until('their times are shown', async () => {
      const all = await grid()
        .getByRole('gridcell')
        .filter({ hasText: /^2026-/ })
        .allInnerTexts();
      return all.length > 3 && all;
    });
    assert.deepEqual(times, [...times].sort().reverse());
  });

  it('loads more, until all are there', async () => {
    await open();
    await button('Load more').click();
    await foot(/^30 requests$/).waitFor();
    await until('there is no more', () => button('Load more').isDisabled());
  });

  it('loads all at once', async () => {
    await open();
    await button('Load all').click();
    await foot(/^30 requests$/).waitFor();
  });

  it('finds words in what was asked or answered, and all again', async () => {
    await open();
    await search().fill('Lyon');
    await press('Enter');
    await foot(/^8 requests$/).waitFor();
    await search().fill('');
    await press('Enter');
    await foot('25 of 30 requests loaded').waitFor();
  });

  it('filters, says by what, and takes a filter away', async () => {
    await open();
    await button(/^Filter/)
      .first()
      .click();
    await button(/^Metadata user is user-1/).waitFor();
    await foot(/^10 requests$/).waitFor();
    await linked.canBeReadByEverybody('requests-filtered');
    await button('Remove the filter Metadata user is user-1').click();
    await foot('25 of 30 requests loaded').waitFor();
  });

  it('comes back with what was searched and filtered', async () => {
    await open({ ...plainView, search: 'Lyon', filters: [ofUser] });
    await button(/^Metadata user is user-1/).waitFor();
    await foot(/^[23] requests$/).waitFor();
    assert.equal(await search().inputValue(), 'Lyon');
    await linked.comeBack();
    await button(/^Metadata user is user-1/).waitFor();
    await foot(/^[23] requests$/).waitFor();
  });

  it('sorts by what the service sorts by, from the menu of a column', async () => {
    await open();
    const title = grid().getByRole('columnheader', { name: /^Cost/ });
    const dearest = async (): Promise<string | undefined> =>
      (
        await grid()
          .getByRole('gridcell')
          .filter({ hasText: /^0\.0\d/ })
          .allInnerTexts()
      )[0];
    await cell('gpt-4o').first().click();
    await press('End');
    for (let at = 0; at < 5; at += 1) await press('ArrowLeft');
    await title.locator('.title-menu').click();
    await linked.page.getByRole('menuitemcheckbox', { name: 'Sort largest first' }).click();
    await until('the dearest on top', async () => (await dearest()) === '0.03');
    await until(
      'the title says so',
      async () => (await title.getAttribute('aria-sort')) === 'descending',
    );
    assert.equal(kept.sortColumn, 'cost');
    await grid().getByRole('columnheader').first().click();
    await until('the order of time', async () => (await title.getAttribute('aria-sort')) === null);
  });

  it('says that requests are no cells to change, at a key that would change some', async () => {
    await open();
    await cell('gpt-4o').first().click();
    for (const pressed of ['Delete', 'Control+x', 'Control+d', 'Control+z']) {
      await press(pressed);
      const said = linked.page.getByText("Logged requests can't be changed.");
      await said.waitFor();
      // It goes by itself too.
      await linked.page
        .locator('main')
        .evaluate((main) =>
          main
            .querySelector<HTMLElement>('button[aria-label="Dismiss"], button[title="Dismiss"]')
            ?.click(),
        );
      await said.waitFor({ state: 'hidden' });
      await grid().focus();
    }
  });

  it('opens, replays and adds to a sheet what is chosen', async () => {
    await open();
    await cell('gpt-4o').first().click();
    await press('Enter');
    await until('it was opened', async () => taken.length === 1);
    await button('Replay').click();
    await until('it was replayed', async () => taken.length === 2);
    await cell('gpt-4o').first().click();
    await press('Shift+Space', 'Shift+ArrowDown');
    await button('Add to sheet').click();
    await until('they were added', async () => taken.length === 3);
    assert.deepEqual(
      taken.map(([action, ids]) => [action, ids.length]),
      [
        ['open', 1],
        ['replay', 1],
        ['import', 2],
      ],
    );
  });

  it('copies what is chosen', async () => {
    await open();
    await cell('gpt-4o').first().click();
    await press('Control+c');
    await until('it was copied', async () => /^gpt-4o/.test(copied));
  });

  it('can be read by everybody', async () => {
    await open();
    await linked.canBeReadByEverybody('requests');
  });

  it('says what is wrong when the service is away, and tries again', async () => {
    await open();
    isAway = true;
    await button('Search again').click();
    const alert = linked.page.getByRole('alert').filter({ hasText: "can't be reached" });
    await alert.waitFor();
    isAway = false;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await alert.waitFor({ state: 'hidden' });
    await foot('25 of 30 requests loaded').waitFor();
  });
});
