/** The conversation of the run panel: the built page, with a scripted extension. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChatTurn, ChatView } from '../../src/protocol/chat.ts';
import type { RunStatus } from '../../src/protocol/run.ts';
import { faultsOfTab } from '../support/host/tab-walk.ts';
import { until } from '../support/until.ts';
import { canBeReadByEverybody } from './support/page-link.ts';
import { emit, firstView, startRunPages } from './support/run-page.ts';
import type { RunPages } from './support/run-page.ts';

const done: RunStatus = { runId: 1, state: 'done', elapsedMs: 900, requestId: 17 };
const turn = (id: number, more: Partial<ChatTurn> = {}): ChatTurn => ({
  ...{ id, parent: id === 1 ? null : id - 1, results: [], status: done, calls: [] },
  ...{ parts: [{ id: 'c0', kind: 'text', text: `Answer ${id}.` }], isUsable: true },
  ...more,
});
const call = { id: 'a', name: 'get_order', misfit: 'They don’t match: /id is missing' };
const calling = turn(2, {
  ...{ text: 'Where is it?', calls: [call, { id: 'b', name: 'get_policy' }] },
  parts: [
    { id: 't0', kind: 'tool', title: 'get_order', text: '{"x":1}' },
    { id: 't1', kind: 'tool', title: 'get_policy', text: '{}' },
  ],
});

describe('Chat of the run panel', function () {
  this.timeout(60_000);
  let pages: RunPages;
  let page: Page;

  before(async () => {
    pages = await startRunPages();
  });
  after(() => pages.close());
  afterEach(async () => {
    assert.deepEqual(await page.evaluate(() => runPeer.faults), []);
    await pages.done(page);
  });

  const open = async (more: Partial<ChatView> = {}, width = 1100): Promise<void> => {
    const chat: ChatView = { ...firstView.chat, ...more };
    page = await pages.open({ ...firstView, chat }, width);
    await page.getByRole('tab', { name: 'Chat' }).click();
  };
  /** What the page has asked (`params`) or told (`payload`). */
  const of = (name: string, field: 'params' | 'payload'): Promise<readonly unknown[]> =>
    page.evaluate(
      ([wanted, key]) =>
        runPeer.of(wanted).map((message) => new Map(Object.entries(message)).get(key) as unknown),
      [name, field] as const,
    );
  const sent = (name: string): Promise<readonly unknown[]> => of(name, 'params');
  const said = (name: string): Promise<readonly unknown[]> => of(name, 'payload');
  const message = () => page.getByRole('textbox', { name: 'Message' });

  it('sends with Enter, begins a line with Shift+Enter, and tells what is typed as it is typed', async () => {
    await open();
    await message().fill('Hello');
    await message().press('Shift+Enter');
    await message().pressSequentially('there');
    await until('it is told', async () =>
      (await said('chatDraft')).some(
        (draft) => JSON.stringify(draft) === '{"text":"Hello\\nthere","edits":null}',
      ),
    );
    await message().press('Enter');
    await until('it is sent', async () => (await sent('chatSay')).length === 1);
    assert.deepEqual(await sent('chatSay'), [
      {
        ...{ text: 'Hello\nthere', edits: null, parameters: [], usesCache: false },
        variables: [{ name: 'question', kind: 'text', text: '' }],
      },
    ]);
    await until('the field is empty', async () => (await message().inputValue()) === '');
  });

  it('shows an answer while it comes, says when it is over, and takes no message meanwhile', async () => {
    await open();
    const running: RunStatus = { runId: 1, state: 'running', elapsedMs: 1 };
    const first = turn(1, { text: 'Hi', status: running, parts: [], isUsable: false });
    await emit(page, 'chatTurn', first);
    await emit(page, 'chatHead', { head: 1 });
    const change = { id: 'c0', kind: 'text', replace: false } as const;
    for (const text of ['One ', 'two.']) {
      await emit(page, 'chatProgress', {
        ...{ turn: 1, status: running, changes: [{ ...change, text }] },
      });
    }
    const article = page.getByRole('article', { name: 'Turn 1' });
    await article.getByText('One two.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled());
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await until('it is asked', async () => (await sent('stop')).length === 1);
    await emit(page, 'chatProgress', { turn: 1, status: done, changes: [] });
    await emit(page, 'chatTurn', turn(1, { text: 'Hi' }));
    await page.getByRole('status').getByText('The answer is complete.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Send', exact: true }).isEnabled());
  });

  it('has calls answered by hand or by others, with what is wrong with their arguments', async () => {
    await open({ turns: [turn(1), calling], head: 2 });
    const result = page.getByRole('group', { name: 'Result of get_order' });
    await result.getByText('/id is missing').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled());
    await result.getByRole('button', { name: 'Use as Result' }).click();
    await page.keyboard.press('Control+Enter');
    await until('it is sent', async () => (await sent('chatAnswer')).length === 1);
    assert.deepEqual(await sent('chatAnswer'), [{ turn: 2, call: 'a', text: call.misfit }]);
    await emit(page, 'chatTurn', {
      ...calling,
      calls: [
        { ...call, result: { text: 'x', source: 'mock', cutFrom: 100_005 } },
        { id: 'b', name: 'get_policy', isAsked: true },
      ],
    });
    await result.getByText('Answered by a mock. It had 100,005 characters').waitFor();
    await page
      .getByRole('group', { name: 'Result of get_policy' })
      .getByText('Waiting for the answer…')
      .waitFor();
    await emit(page, 'chatTurn', calling);
    const other = page.getByRole('group', { name: 'Result of get_policy' });
    await other.getByRole('button', { name: 'Answer With…' }).click();
    await until('it is asked', async () => (await sent('chatAnswerWith')).length === 1);
  });

  it('edits an earlier message, and keeps what it has superseded to be had again', async () => {
    const turns = [turn(1), turn(2, { text: 'Old' }), turn(3), turn(4, { parent: 1, text: 'New' })];
    await open({ turns, head: 4 });
    await page
      .getByRole('article', { name: 'Turn 4' })
      .getByRole('button', { name: 'Edit Message' })
      .click();
    assert.equal(await message().inputValue(), 'New');
    await message().fill('Newer');
    await message().press('Enter');
    await until('it is sent', async () => (await sent('chatSay')).length === 1);
    assert.equal(JSON.stringify(await sent('chatSay')).includes('"edits":4'), true);
    assert.equal(await page.getByRole('article').count(), 2);
    const old = page.locator('.superseded');
    await old.getByText('Superseded: 2 turns from turn 2 on').click();
    await old.getByText('Answer 3.').waitFor();
    await old.getByRole('button', { name: 'Restore' }).click();
    await until('it is asked', async () => (await sent('chatGoTo')).length === 1);
    assert.deepEqual(await sent('chatGoTo'), [{ turn: 3 }]);
    await emit(page, 'chatHead', { head: 3 });
    await page.getByText('Superseded: turn 4').waitFor();
    assert.equal(await page.getByRole('article').count(), 3);
  });

  it('makes no element of what models, tools and people say', async () => {
    const bad = '<img src=x onerror="fetch(1)"> [run](command:workbench.action.quit) \u202eevil';
    await open({
      turns: [
        turn(1, {
          ...{ text: bad, calls: [{ id: 'a', name: bad, misfit: bad, problem: bad }] },
          results: [{ name: bad, text: bad, source: 'editor' }],
          parts: [{ id: 'c0', kind: 'text', text: bad }],
        }),
      ],
      head: 1,
    });
    await page.getByRole('article', { name: 'Turn 1' }).waitFor();
    assert.equal(await page.locator('.chat img, .chat a[href^="command"]').count(), 0);
    assert.equal((await page.locator('.chat').innerText()).includes('\u202e'), false);
  });

  it('stays quick with a thousand turns', async () => {
    const turns = Array.from({ length: 1000 }, (_, at) =>
      turn(at + 1, { text: `Question ${at + 1}`, status: { ...done, requestId: at + 1 } }),
    );
    await open();
    await emit(page, 'chat', { ...firstView.chat, turns, head: 1000 });
    await page.getByText('Answer 1000.').waitFor();
    // Only those in sight are laid out as Markdown.
    const laid = await page.locator('.turn .output').count();
    assert.ok(laid > 0 && laid < 60, `${laid} of 1000`);
    // What stands there is not touched by one more.
    const touched = await page.evaluate(async (next) => {
      let count = 0;
      const observer = new MutationObserver((changes) => (count += changes.length));
      const list = document.querySelector('.turns')!;
      observer.observe(list, { childList: true });
      runPeer.emit('chatTurn', next);
      runPeer.emit('chatHead', { head: 1001 });
      await new Promise(requestAnimationFrame);
      observer.disconnect();
      return { count, children: list.childElementCount };
    }, turn(1001));
    assert.equal(touched.children, 1001);
    assert.ok(touched.count <= 4, `${touched.count} changes`);
  });

  it('is walked by keyboard, fits a narrow editor, and can be read by everybody', async () => {
    const turns = [turn(1), turn(2, { text: 'Old' }), { ...calling, id: 3, parent: 1 }];
    await open({ turns, head: 3 });
    await page.getByRole('tab', { name: 'Chat' }).focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(
      await page.getByRole('tab', { name: 'Output' }).getAttribute('aria-selected'),
      'true',
    );
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await faultsOfTab(page, page.mainFrame()), []);
    await page.screenshot({ path: '/tmp/chat-wide.png' });
    await canBeReadByEverybody(page, 'run-chat');
    await pages.done(page);
    await open({ turns, head: 3 }, 300);
    await page.screenshot({ path: '/tmp/chat-narrow.png' });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
  });
});
