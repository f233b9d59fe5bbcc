import assert from 'node:assert/strict';
import { portOf } from '../../../src/webview/common/page.ts';
import { until } from '../../support/until.ts';

describe('The port of a page that has asked early', () => {
  let before: unknown;
  const page = new EventTarget();
  const globals = globalThis as { window?: unknown };
  beforeEach(() => {
    before = globals.window;
    globals.window = page;
  });
  afterEach(() => {
    globals.window = before;
  });
  const message = (data: unknown): Event => Object.assign(new Event('message'), { data });

  it('hands on what was held, each once all is done that the one before began', async () => {
    const sent: unknown[] = [];
    const vscode = {
      postMessage: (frame: unknown) => void sent.push(frame),
      getState: () => undefined,
      setState: () => undefined,
    };
    const port = portOf({ vscode, readyId: 7, take: () => ['first', 'second'] });
    const seen: string[] = [];
    let open = false;
    const stop = port.listen((data) => {
      seen.push(`${String(data)} ${open ? 'open' : 'closed'}`);
      // As a grid is made of the first answer, some steps after it came.
      if (data === 'first')
        void (async () => {
          for (let step = 0; step < 20; step += 1) await Promise.resolve();
          open = true;
        })();
    });
    assert.deepEqual(seen, [], 'the request that the first one answers comes before it');
    await Promise.resolve();
    page.dispatchEvent(message('third'));
    await until('all that was held is handed on', () => seen.length === 3);
    page.dispatchEvent(message('fourth'));
    assert.deepEqual(seen, ['first closed', 'second open', 'third open', 'fourth open']);
    stop();
    page.dispatchEvent(message('fifth'));
    assert.equal(seen.length, 4);
  });

  it('does not send the request again that has been sent', () => {
    const sent: unknown[] = [];
    const vscode = {
      postMessage: (frame: unknown) => void sent.push(frame),
      getState: () => undefined,
      setState: () => undefined,
    };
    const port = portOf({ vscode, readyId: 7, take: () => [] });
    assert.equal(port.firstId, 7);
    port.post({ kind: 'request', id: 7, name: 'ready', params: null });
    port.post({ kind: 'request', id: 8, name: 'ready', params: null });
    port.post({ kind: 'cancel', id: 7 });
    assert.deepEqual(
      sent.map((frame) => (frame as { id: number }).id),
      [8, 7],
    );
  });
});
