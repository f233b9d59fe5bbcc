import assert from 'node:assert/strict';
import vm from 'node:vm';
import { askWithFirstPage, dataOf } from '../../../../src/extension/grid/html.ts';
import { pageHtml } from '../../../../src/extension/panels/page-html.ts';
import type { EarlyGlobals } from '../../../../src/protocol/early.ts';
import { Layouts, plainView } from '../../../../src/extension/grid/columns/layouts.ts';
import { checkFromGrid } from '../../../../src/extension/grid/messages.ts';

describe('messages of the grid', () => {
  it('pass when they fit, without what does not belong to them', () => {
    const sent = { page: 3, generation: 1, extra: 'x' };
    assert.deepEqual(checkFromGrid('request', 'rows', sent), { page: 3, generation: 1 });
    assert.deepEqual(checkFromGrid('request', 'ready', { page: 3 }), { page: 3 });
    assert.equal(checkFromGrid('event', 'cursor', null), null);
  });

  it('are refused when they are unknown, malformed or beyond all bounds', () => {
    const bad: [kind: 'request' | 'event', name: string, payload: unknown][] = [
      ['request', 'toString', null],
      ['request', 'explode', null],
      ['request', 'rows', { page: -1, generation: 1 }],
      ['request', 'rows', { page: 1.5, generation: 1 }],
      ['request', 'rows', null],
      ['request', 'edit', { columnId: 'c', rowIndex: 0, text: 5, base: null }],
      ['request', 'addRows', { count: 1_000_000 }],
      ['request', 'run', { kind: 'everything' }],
      ['request', 'copy', { selection: { rows: [], columnIds: [] }, format: 'xml', headers: true }],
      ['event', 'layout', { widths: { a: -1 }, hidden: [], pinned: [], order: [] }],
      ['event', 'visiblePages', { first: '0', last: 1 }],
    ];
    for (const [kind, name, payload] of bad) {
      assert.throws(() => checkFromGrid(kind, name, payload), /The grid sent/, name);
    }
  });
});

describe('the page of a grid', () => {
  const html = pageHtml({
    rootId: 'grid',
    askWith: askWithFirstPage,
    cspSource: 'https://host',
    nonce: 'abc',
    script: 'start();',
    style: '.row {}',
    address: 'https://host/grid.js',
    language: 'en',
    texts: undefined,
    title: '<b>"Sheet" & more',
    data: dataOf({ connectionId: 'local', tableId: 't', sheetId: '"><script>' }),
  });

  it('allows its own bundle and nothing else', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    assert.match(policy, /^default-src &#?|^default-src 'none'/);
    assert.ok(policy.includes("script-src 'nonce-abc'"));
    assert.ok(!policy.includes('unsafe'));
    assert.ok(!policy.includes('https://host https'));
  });

  it('asks for its sheet and first rows before anything is loaded, and holds what comes', () => {
    const [, early = ''] = /<script nonce="abc">(.*?)<\/script>/s.exec(html) ?? [];
    assert.ok(html.indexOf(early) < html.indexOf('<style'));
    for (const [state, page] of [
      [undefined, 0],
      [{ firstPosition: 1234 }, 12],
      [{ firstPosition: -5 }, 0],
      [{ firstPosition: 'x' }, 0],
    ] as const) {
      const sent: Record<string, unknown>[] = [];
      const listeners = new Set<(event: { data: unknown }) => void>();
      const globals: Record<string, unknown> & EarlyGlobals = {
        acquireVsCodeApi: () => ({
          postMessage: (message) => void sent.push(message as Record<string, unknown>),
          getState: () => state,
          setState: () => undefined,
        }),
        addEventListener: (_name, listener) => void listeners.add(listener),
        removeEventListener: (_name, listener) => void listeners.delete(listener),
      };
      vm.runInNewContext(early, globals);
      const { promptTables } = globals;
      assert.ok(promptTables);
      assert.deepEqual(JSON.parse(JSON.stringify(sent)), [
        { kind: 'request', id: promptTables.readyId, name: 'ready', params: { page } },
      ]);
      for (const listener of listeners) listener({ data: 'first' });
      assert.deepEqual([...promptTables.take()], ['first']);
      assert.equal(listeners.size, 0);
    }
  });

  it('shows titles as text', () => {
    assert.ok(html.includes('<title>&lt;b&gt;&quot;Sheet&quot; &amp; more</title>'));
    assert.equal(html.match(/<script/g)?.length, 2);
  });
});

describe('layouts of sheets', () => {
  const memory = new Map<string, unknown>();
  const layouts = new Layouts(
    { get: (key) => memory.get(key), update: async (key, value) => void memory.set(key, value) },
    3,
  );
  const sheet = (sheetId: string): { connectionId: string; tableId: string; sheetId: string } => ({
    connectionId: 'local',
    tableId: 't',
    sheetId,
  });

  it('come back for each sheet and connection, the oldest are forgotten', async () => {
    for (const id of ['a', 'b', 'c', 'd']) {
      await layouts.set(sheet(id), { ...plainView, order: 'desc' });
    }
    assert.equal(layouts.get(sheet('d')).order, 'desc');
    assert.equal(layouts.get(sheet('a')).order, 'asc');
    assert.equal(layouts.get({ ...sheet('d'), connectionId: 'other' }).order, 'asc');
  });

  it('start plain when what was kept does not fit', () => {
    memory.set('promptTables.layouts', [{ key: 5 }]);
    assert.deepEqual(layouts.get(sheet('d')), plainView);
  });
});
