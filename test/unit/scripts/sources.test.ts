/** Which steps of npm test are run again when a source has changed. */
import assert from 'node:assert/strict';
import { sourcesOf } from '../../../scripts/sources.mjs';

describe('Sources that a step reads', () => {
  it('are those that its tests import, also by way of others, and none of other features', async () => {
    const read = await sourcesOf({
      tests: ['test/browser/grid-look.test.ts', 'test/service/keys-of-windows.test.ts'],
      programs: [],
    });
    assert.ok(read.has('src/extension/grid/html.ts'), 'by grid-page.ts of the first');
    assert.ok(read.has('src/extension/local-service/local-service.ts'), 'by the second');
    for (const other of ['src/extension/main.ts', 'src/webview/run/main.ts'])
      assert.ok(!read.has(other), other);
  });

  it('are those that its programs are built of, also of one build with others', async () => {
    const read = await sourcesOf({ tests: [], programs: ['service', 'mcp-server', 'core'] });
    for (const own of [
      'src/service/engine/worker/thread-main.ts',
      'src/core/client.ts',
      'src/core/assistant/mcp/main.ts',
    ])
      assert.ok(read.has(own), own);
    assert.ok(![...read].some((file) => file.startsWith('src/extension/')));
  });
});
