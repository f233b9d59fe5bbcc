import assert from 'node:assert/strict';
import fs from 'node:fs';
import { inRoot } from '../../scripts/paths.mjs';
import { openSample } from '../support/host/run-steps.ts';
import { sharedWorkbench } from '../support/host/shared.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import {
  patiently,
  pickBy,
  runCommand,
  screenshot,
  statusItem,
  treeItem,
  webview,
  type Workbench,
} from '../support/host/workbench.ts';

const read = (file: string): unknown => JSON.parse(fs.readFileSync(inRoot(file), 'utf8'));
const texts = read('package.nls.json') as Readonly<Record<string, string>>;
const translated = (text: string): string => texts[text.slice(1, -1)] ?? text;
const { contributes } = read('package.json') as {
  contributes: {
    walkthroughs: readonly {
      title: string;
      steps: readonly { title: string; media: { altText: string } }[];
    }[];
  };
};
const [walkthrough] = contributes.walkthroughs.map(({ title, steps }) => ({
  title: translated(title),
  steps: steps.map((step) => ({
    title: translated(step.title),
    media: { altText: translated(step.media.altText) },
  })),
}));

describe('VS Code: the sample sheet', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let outside: ReadonlySet<string>;
  before(async () => {
    const shared = await sharedWorkbench();
    workbench = shared;
    outside = shared.outside;
  });
  beforeEach(() => tidyUp(workbench));

  it('opens with one command, leaves no view empty, and asks nothing of any other machine', async () => {
    await openSample(workbench);
    await webview(workbench).getByRole('grid').waitFor();
    await statusItem(workbench, 'Local workspace').waitFor();
    await treeItem(workbench, 'Word definitions').waitFor();
    await screenshot(workbench, 'sample-dark');
    const samples = treeItem(workbench, 'Samples');
    await samples.waitFor();
    if ((await samples.getAttribute('aria-expanded')) !== 'true') await samples.click();
    await treeItem(workbench, 'explain-word').waitFor();
    const workflows = workbench.page.locator('.pane-header', { hasText: 'Workflows' });
    const wasOpen = (await workflows.getAttribute('aria-expanded')) === 'true';
    if (!wasOpen) await workflows.click();
    await treeItem(workbench, 'check-definition').waitFor();
    await screenshot(workbench, 'sample-views');
    if (!wasOpen) await workflows.click();
    assert.deepEqual([...outside], []);
  });

  it('is introduced by a walkthrough, each step with its picture', async () => {
    const { page } = workbench;
    assert.ok(walkthrough !== undefined);
    // VS Code has no room for pictures where an editor is narrow.
    await runCommand(workbench, 'View: Close Primary Side Bar');
    await pickBy(workbench, 'Welcome: Open Walkthrough', new RegExp(walkthrough.title));
    for (const { title, media } of walkthrough.steps) {
      const step = page.locator('.getting-started-step').filter({ hasText: title });
      await step.first().click(patiently);
      const picture = page.locator('.getting-started-media img').first();
      await picture.and(page.getByAltText(media.altText)).waitFor(patiently);
      const width = await picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
      assert.ok(width > 0, `${title}: no picture`);
    }
    await screenshot(workbench, 'walkthrough');
    assert.deepEqual([...outside], []);
  });
});
