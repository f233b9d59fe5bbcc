import assert from 'node:assert/strict';
import vm from 'node:vm';
import { pageHtml } from '../../../../src/extension/panels/page-html.ts';
import { checkFromPanel } from '../../../../src/extension/run-panel/messages.ts';
import { PageState } from '../../../../src/extension/run-panel/page-state.ts';
import { checkIncoming } from '../../../../src/webview/run/guards.ts';

describe('run panel: messages', () => {
  it('are refused when they are none of ours or do not fit', () => {
    const bad: readonly (readonly ['request' | 'event', string, unknown])[] = [
      ['request', 'runAll', null],
      ['request', 'constructor', null],
      ['request', 'run', { variables: [{ name: 'a', kind: 'code', text: '' }] }],
      ['request', 'setKey', { variable: 'path; rm' }],
      ['request', 'loadImage', {}],
      ['event', 'ready', null],
    ];
    for (const [kind, name, payload] of bad) {
      assert.throws(() => checkFromPanel(kind, name, payload), name);
    }
    const variables = [{ name: 'a', kind: 'text', text: '1' }];
    const run = { variables, parameters: [{ name: 'top_p', text: '1' }], usesCache: true };
    assert.deepEqual(checkFromPanel('request', 'run', run), run);
    assert.throws(() => checkFromPanel('request', 'run', { variables }));
  });

  it('of the extension are refused by the page as well', () => {
    const status = { runId: 1, state: 'running', elapsedMs: 3 };
    assert.equal(checkIncoming('event', 'started', status), status);
    for (const [name, payload] of [
      ['started', { ...status, state: 'flying' }],
      ['progress', { status }],
      ['progress', { status, changes: [{ id: 1 }] }],
      ['toString', {}],
    ] as const) {
      assert.throws(() => checkIncoming('event', name, payload), name);
    }
  });

  it('cannot bring a page to read a file by the state that it kept', () => {
    const state = { connectionId: 'c', promptName: 'p', choice: { kind: 'latest' } };
    assert.equal(PageState().safeParse({ ...state, panelId: 'a-b' }).success, true);
    assert.equal(PageState().safeParse({ ...state, panelId: '../a' }).success, false);
    const parameters = [{ name: 'top_p', text: '1' }];
    const kept = PageState().parse({ ...state, panelId: 'a-b', parameters, cache: true });
    assert.deepEqual(kept.parameters, parameters);
  });

  it('are all that gets into the page: no code but its own, no pictures but its own data', () => {
    const html = pageHtml({
      cspSource: 'https://files',
      nonce: 'n0nce',
      ...{ script: '', style: '', address: 'https://files/run.js' },
      language: 'de',
      texts: { Run: 'Ausführen', x: '</script><b>' },
      title: '<b>"x"',
      rootId: 'run',
      dataImages: true,
    });
    assert.match(html, /default-src 'none'; script-src 'nonce-n0nce'; style-src 'nonce-n0nce';/);
    assert.match(html, /img-src https:\/\/files data:/);
    assert.doesNotMatch(html, /unsafe/);
    assert.doesNotMatch(html.replace(/<script[^]*?<\/script>/g, ''), /<b>/);
    assert.match(html, /<html lang="de">/);
    const [, texts = ''] =
      /<script type="application\/json" id="texts">(.*?)<\/script>/.exec(html) ?? [];
    assert.deepEqual(JSON.parse(texts), { Run: 'Ausführen', x: '</script><b>' });
  });

  it('have a page that holds its script and style, whatever is in their texts', () => {
    const code = "said = ['</script><b>', '<!--<SCRIPT>', /<!-- (.)/.exec('<!-- x')[1]];";
    const html = pageHtml({
      ...{ cspSource: 'https://files', nonce: 'n0nce', language: 'en', texts: undefined },
      ...{ title: 'Run', rootId: 'run', address: 'https://files/run.js' },
      script: code,
      style: '.a::after { content: "</style><b>" }',
    });
    const [, style = ''] = /<style nonce="n0nce">([^]*?)<\/style/i.exec(html) ?? [];
    assert.equal(style, '.a::after { content: "\\3c /style><b>" }');
    const [, script = ''] =
      /<script nonce="n0nce" data-address="https:\/\/files\/run.js">([^]*?)<\/script/i.exec(html) ??
      [];
    assert.doesNotMatch(script, /<!--/);
    const globals: { said?: unknown } = {};
    vm.runInNewContext(script, globals);
    assert.deepEqual(JSON.parse(JSON.stringify(globals.said)), [
      ...['</script><b>', '<!--<SCRIPT>', 'x'],
    ]);
  });
});
