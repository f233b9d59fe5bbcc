import assert from 'node:assert/strict';
import { seriousViolations } from '../support/host/axe.ts';
import { openSample } from '../support/host/run-steps.ts';
import { freshWorkbench } from '../support/host/shared.ts';
import {
  screenshot,
  setTheme,
  statusItem,
  treeItem,
  webview,
  webviewFrame,
  type Workbench,
} from '../support/host/workbench.ts';

describe('VS Code: the sample sheet', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let outside: ReadonlySet<string>;
  before(async () => {
    const shared = await freshWorkbench();
    workbench = shared;
    outside = shared.outside;
  });

  it('opens from an empty window with one command', async () => {
    await openSample(workbench);
    await webview(workbench).getByRole('grid').waitFor();
    await statusItem(workbench, 'Local workspace').waitFor();
    await treeItem(workbench, 'Word definitions').waitFor();
    await screenshot(workbench, 'sample-dark');
  });

  for (const theme of ['light', 'high-contrast', 'dark'] as const) {
    it(`has no serious accessibility violation in the ${theme} theme`, async () => {
      await setTheme(workbench, theme);
      await webview(workbench)
        .getByRole('gridcell', { name: 'abandon' })
        .first()
        .waitFor({ timeout: 60_000 });
      // The web view takes over the colours of a theme a moment after the window.
      const found = async () => seriousViolations(await webviewFrame(workbench));
      let violations = await found();
      for (let turn = 0; violations.length > 0 && turn < 5; turn++) {
        await workbench.page.waitForTimeout(1000);
        violations = await found();
      }
      await screenshot(workbench, `sample-${theme}`);
      assert.deepEqual(violations, []);
    });
  }

  it('asks nothing of any other machine', () => {
    assert.deepEqual([...outside], []);
  });
});
