import fs from 'node:fs';
import { inRoot } from '../../scripts/paths.mjs';
import { launchBrowser, newContext } from '../support/host/browser.ts';
import { bootHost } from '../support/host/boot.ts';
import { chooseLatest, fillAndRun, openSample, parcel } from '../support/host/run-steps.ts';
import {
  answer, dismiss, openWorkbench, patiently, pick, pickBy, quickInput, runCommand, setTheme, treeItem, webview,
  reload, showView, type Theme, type Workbench,
} from '../support/host/workbench.ts';
import { startDemo } from './demo.ts';
import { openQuestions, scenes, showSections } from './scenes.ts';

const out = '/tmp/looks/screens';
fs.mkdirSync(out, { recursive: true });
void inRoot;
const all: readonly Theme[] = ['dark', 'light', 'high-contrast', 'high-contrast-light'];
const started = Date.now();
const say = (t: string): void => { console.log(`${((Date.now() - started) / 1000).toFixed(0)}s ${t}`); };

async function shot(w: Workbench, name: string, themes: readonly Theme[] = ['dark'], pause = 500): Promise<void> {
  for (const theme of themes) {
    if (themes.length > 1) await setTheme(w, theme);
    await w.page.waitForTimeout(themes.length > 1 ? 1200 : pause);
    await w.page.screenshot({ path: `${out}/${name}${themes.length > 1 ? `-${theme}` : ''}.png` });
  }
  if (themes.length > 1) await setTheme(w, 'dark');
}
async function step(w: Workbench, name: string, work: () => Promise<void>): Promise<void> {
  try { await work(); say(`ok ${name}`); }
  catch (error) {
    say(`FAIL ${name}: ${String(error).slice(0, 300).replaceAll('\n', ' ')}`);
    await w.page.screenshot({ path: `${out}/FAIL-${name}.png` });
    for (let i = 0; i < 3; i += 1) await w.page.keyboard.press('Escape');
  }
}
const only = process.argv[2] ?? 'first';
const browser = await launchBrowser();
if (only === 'first') {
  const host = await bootHost({});
  try {
    const { context } = await newContext(browser);
    const w = await openWorkbench(context, host);
    const { page } = w;
    page.setDefaultTimeout(15_000);
    await step(w, 'welcome', async () => {
      await showView(w);
      await showSections(w, 'Tables', 'Prompts', 'Workflows', 'Runs');
      await shot(w, 'a1-welcome', all);
    });
    await step(w, 'walkthrough', async () => {
      await pickBy(w, 'Welcome: Open Walkthrough', /Get started with Prompt Tables/);
      for (let i = 0; i < 4; i += 1) {
        await page.locator('.getting-started-step').nth(i).click();
        await shot(w, `a2-walkthrough-${i}`, ['dark'], 1500);
      }
      await shot(w, 'a2-walkthrough-last', all);
      await runCommand(w, 'View: Close All Editors');
    });
    await step(w, 'local-empty', async () => {
      await runCommand(w, 'Prompt Tables: Use Local Workspace');
      await page.waitForTimeout(6000);
      await shot(w, 'a3-local-empty', all);
    });
    await step(w, 'palette', async () => {
      await page.keyboard.press('F1');
      await quickInput(w).locator('input[type=text]').fill('>New Prompt');
      await shot(w, 'a4-new-prompt');
      await quickInput(w).locator('input[type=text]').fill('>Prompt Tables: ');
      await shot(w, 'a4-palette');
      await page.keyboard.press('Escape');
    });
    await step(w, 'prompts-menu', async () => {
      const pane = page.locator('.sidebar .pane-header').filter({ hasText: 'Prompts' });
      await pane.hover();
      await shot(w, 'a5-prompts-title');
      await pane.getByRole('button', { name: /More Actions|Views and More/ }).first().click();
      await shot(w, 'a5-prompts-menu');
      await page.keyboard.press('Escape');
    });
    await step(w, 'sample', async () => {
      await openSample(w);
      await showSections(w, 'Tables', 'Prompts');
      await shot(w, 'a6-sample', ['dark'], 2500);
      await webview(w).getByRole('button', { name: /^Run/ }).first().click();
      await shot(w, 'a6-run-menu');
      await page.keyboard.press('Escape');
      await webview(w).getByRole('gridcell', { name: 'abandon' }).first().click({ button: 'right' });
      await shot(w, 'a6-cell-menu');
      await page.keyboard.press('Escape');
      await webview(w).getByRole('columnheader', { name: /^definition_words/ }).click({ button: 'right' });
      await shot(w, 'a6-header-menu');
      await page.keyboard.press('Escape');
      await webview(w).getByRole('button', { name: 'More actions' }).first().click();
      await shot(w, 'a6-more-menu');
      await page.keyboard.press('Escape');
      await runCommand(w, 'Prompt Tables: Run Stale Cells');
      await shot(w, 'a6-run-question');
      await page.keyboard.press('Escape');
    });
    await step(w, 'tree', async () => {
      const table = treeItem(w, /Table Word definitions/);
      if ((await table.getAttribute('aria-expanded')) !== 'true') await table.click();
      await page.waitForTimeout(1500);
      await shot(w, 'a7-tree');
      await treeItem(w, /Sheet WordNet senses/).click({ button: 'right' });
      await shot(w, 'a7-sheet-menu');
      await page.keyboard.press('Escape');
      const samples = treeItem(w, 'Samples');
      await samples.click();
      await page.waitForTimeout(1500);
      await shot(w, 'a7-prompts');
      await treeItem(w, /explain-word/).click({ button: 'right' });
      await shot(w, 'a7-prompt-menu');
      await page.keyboard.press('Escape');
    });
    await step(w, 'other-sheet', async () => {
      const sheets = page.getByRole('treeitem', { name: /^Sheet / });
      const names = await sheets.evaluateAll((els) => els.map((e) => e.getAttribute('aria-label')));
      say(names.join(' | '));
      const other = sheets.filter({ hasNotText: 'WordNet senses' }).first();
      await other.click();
      await page.waitForTimeout(4000);
      await shot(w, 'a8-second-sheet');
      await runCommand(w, 'Prompt Tables: Run Stale Cells');
      await page.waitForTimeout(1500);
      await shot(w, 'a8-second-run-question');
      await page.locator('.monaco-dialog-box').getByRole('button', { name: /^Run/ }).click();
      await page.waitForTimeout(8000);
      await shot(w, 'a8-second-run-failed');
      await webview(w).locator('.rows [role=gridcell]').filter({ hasText: /Failed/ }).first().click();
      await runCommand(w, 'Prompt Tables: Toggle Cell Details');
      await page.waitForTimeout(1500);
      await shot(w, 'a8-failed-details', all);
      await runCommand(w, 'Prompt Tables: Toggle Cell Details');
    });
    await step(w, 'run-prompt', async () => {
      await runCommand(w, 'View: Close All Editors');
      await chooseLatest(w, 'Prompt Tables: Run Prompt…', /explain-word/);
      await page.waitForTimeout(3000);
      await shot(w, 'a9-run-panel');
      const boxes = webview(w).getByRole('textbox');
      for (let i = 0; i < (await boxes.count()); i += 1) await boxes.nth(i).fill('owl').catch(() => {});
      await webview(w).getByRole('button', { name: /^Run/ }).first().click();
      await page.waitForTimeout(4000);
      await shot(w, 'a9-run-nokey', all);
    });
    await step(w, 'run-workflow', async () => {
      await runCommand(w, 'View: Close All Editors');
      await chooseLatest(w, 'Prompt Tables: Run Workflow…', /check-definition/);
      await page.waitForTimeout(3000);
      await shot(w, 'a10-workflow');
      const boxes = webview(w).getByRole('textbox');
      for (let i = 0; i < (await boxes.count()); i += 1) await boxes.nth(i).fill('owl').catch(() => {});
      await webview(w).getByRole('button', { name: /^Run/ }).first().click();
      await page.waitForTimeout(6000);
      await shot(w, 'a10-workflow-failed', all);
    });
    await step(w, 'log', async () => {
      await runCommand(w, 'View: Close All Editors');
      await runCommand(w, 'Prompt Tables: Open Request Log');
      await page.waitForTimeout(3000);
      await shot(w, 'a11-log');
      await showSections(w, 'Runs', 'Workflows');
      await page.waitForTimeout(1500);
      await shot(w, 'a11-runs');
    });
    await step(w, 'charts-empty', async () => {
      await openSample(w);
      await runCommand(w, 'Prompt Tables: Show Sheet Charts…');
      await page.waitForTimeout(4000);
      await shot(w, 'a12-charts-empty');
      await webview(w).getByRole('tab', { name: 'Score' }).click();
      await page.waitForTimeout(1500);
      await shot(w, 'a12-score-empty');
      await webview(w).getByRole('tab', { name: 'Versions' }).click();
      await page.waitForTimeout(1500);
      await shot(w, 'a12-versions-empty');
    });
    await step(w, 'settings', async () => {
      await runCommand(w, 'View: Close All Editors');
      await runCommand(w, 'Preferences: Open Settings (UI)');
      await page.waitForTimeout(2000);
      await page.keyboard.type('@ext:prompt-tables.prompt-tables');
      await page.waitForTimeout(3000);
      await shot(w, 'a13-settings');
      for (let i = 1; i < 5; i += 1) {
        await page.mouse.move(800, 500);
        await page.mouse.wheel(0, 560);
        await shot(w, `a13-settings-${i}`, ['dark'], 1000);
      }
    });
    await step(w, 'status', async () => {
      await page.locator('.statusbar-item', { hasText: 'Local workspace' }).hover();
      await shot(w, 'a14-status', ['dark'], 1500);
      await runCommand(w, 'Prompt Tables: Switch Workspace…');
      await shot(w, 'a14-switch');
      await page.keyboard.press('Escape');
    });
  } finally {
    await browser.close();
    await host.stop();
  }
} else {
  const demo = await startDemo();
  try {
    const { context } = await newContext(browser);
    const w = await openWorkbench(context, demo.host);
    const { page } = w;
    page.setDefaultTimeout(15_000);
    await demo.connect(w);
    const stage = { ...demo, workbench: w };
    if (only === 'demo' || only === 'combo') {
      await step(w, 'trees', async () => {
        await showSections(w, 'Tables', 'Prompts', 'Workflows');
        await treeItem(w, /Table Support/).click();
        await page.waitForTimeout(1500);
        await treeItem(w, /Sheet Questions/).locator('.monaco-tl-twistie').click();
        await treeItem(w, /support\/answer/).locator('.monaco-tl-twistie').click();
        await treeItem(w, /triage/).locator('.monaco-tl-twistie').click();
        await page.waitForTimeout(2500);
        await shot(w, 'b1-trees', all);
        await treeItem(w, /support\/answer/).hover();
        await shot(w, 'b1-tooltip', ['dark'], 1500);
      });
      await step(w, 'export', async () => {
        await openQuestions(w);
        await runCommand(w, 'Prompt Tables: Export Sheet…');
        await page.waitForTimeout(1500);
        await shot(w, 'b2-export-1');
        await pick(w, /^CSV/);
        await page.waitForTimeout(1000);
        await shot(w, 'b2-export-2', all.slice(0, 1));
        await dismiss(w);
      });
      await step(w, 'paste', async () => {
        await openQuestions(w);
        await webview(w).getByRole('gridcell', { name: /parcel/ }).first().click();
        await page.evaluate(() => navigator.clipboard.writeText('a,b\nc d,e\nsome text, here')).catch(() => {});
        await runCommand(w, 'Prompt Tables: Paste As…');
        await page.waitForTimeout(1500);
        await shot(w, 'b3-paste-as');
        await page.keyboard.press('Escape');
      });
      await step(w, 'details', async () => {
        await webview(w).getByRole('gridcell', { name: /Thank you/ }).first().click();
        await runCommand(w, 'Prompt Tables: Toggle Cell Details');
        await page.waitForTimeout(1500);
        await shot(w, 'b4-details');
        await page.setViewportSize({ width: 480, height: 800 });
        await shot(w, 'b4-details-480', ['dark'], 1500);
        await page.setViewportSize({ width: 1280, height: 800 });
        await runCommand(w, 'Prompt Tables: Toggle Cell Details');
      });
      await step(w, 'questions', async () => {
        for (const [name, command] of [['run-column', 'Run Column'], ['restore', 'Restore Sheet Version…'], ['delete-sheet', 'Delete Sheet…']] as const) {
          await step(w, `q-${name}`, async () => {
            await runCommand(w, `Prompt Tables: ${command}`);
            await page.waitForTimeout(1500);
            await shot(w, `b5-${name}`);
            for (let i = 0; i < 2; i += 1) await page.keyboard.press('Escape');
          });
        }
      });
      await step(w, 'run-compare', async () => {
        await runCommand(w, 'View: Close All Editors');
        await chooseLatest(w, 'Prompt Tables: Run Prompt…', /^support\/answer/);
        await fillAndRun(w, parcel);
        await webview(w).locator('.state').filter({ hasText: 'Done' }).waitFor(patiently);
        await webview(w).getByRole('button', { name: /^Fill/ }).click();
        await shot(w, 'b6-fill');
        await page.keyboard.press('Escape');
        await webview(w).getByRole('button', { name: /^Compare/ }).click();
        await page.waitForTimeout(1000);
        await shot(w, 'b6-compare-question');
        await pick(w, /^Previous run/);
        demo.model.say('# Your parcel\n\nIt left our **Leipzig** depot and is on its way. See [parcel 4711](https://example.org/parcels/4711).', { pieceMs: 10, size: 12 });
        await fillAndRun(w, parcel);
        await page.waitForTimeout(3000);
        await shot(w, 'b6-compare', ['dark', 'high-contrast-light']);
        demo.model.say('word word, and no more', { finish: 'length' });
        await webview(w).getByRole('button', { name: /^Run/ }).first().click();
        await webview(w).locator('.state').filter({ hasText: 'Cut off' }).waitFor(patiently);
        await shot(w, 'b6-cut', ['dark', 'light']);
      });
      await step(w, 'interrupted', async () => {
        await runCommand(w, 'View: Close All Editors');
        demo.model.say('word '.repeat(400), { pieceMs: 150, size: 5 });
        await chooseLatest(w, 'Prompt Tables: Run Prompt…', /^support\/answer/);
        await fillAndRun(w, parcel);
        await webview(w).getByText('word word').first().waitFor(patiently);
        await reload(w);
        await webview(w).locator('.state').filter({ hasText: 'Interrupted' }).waitFor(patiently);
        await shot(w, 'b7-interrupted');
        await runCommand(w, 'View: Close All Editors');
      });
      await step(w, 'draft', async () => {
        await pickBy(w, 'Prompt Tables: Edit Prompt…', /^support\/answer/);
        await page.waitForTimeout(3000);
        await shot(w, 'b8-draft');
        await runCommand(w, 'Prompt Tables: New Prompt…');
        await page.waitForTimeout(1500);
        await shot(w, 'b8-new-prompt');
        await page.keyboard.press('Escape');
        await runCommand(w, 'View: Close All Editors');
      });
      await step(w, 'filters', async () => {
        await runCommand(w, 'Prompt Tables: Open Request Log');
        await page.waitForTimeout(2500);
        await webview(w).getByRole('button', { name: 'Filter' }).first().click();
        await page.waitForTimeout(1200);
        await shot(w, 'b9-log-filter');
        await page.keyboard.press('Escape');
        await webview(w).getByRole('gridcell').nth(1).click();
        await runCommand(w, 'Prompt Tables: Toggle Cell Details');
        await page.waitForTimeout(1500);
        await shot(w, 'b9-log-details');
      });
    }
    for (const lang of only === 'combo' ? ['de', 'ja'] : only === 'demo' ? [] : [only]) {
      if (only === 'combo' && lang === 'de') await step(w, 'no-model', async () => {
        await runCommand(w, 'View: Close All Editors');
        await openSample(w);
        await webview(w).getByRole('columnheader', { name: /^definition_words/ }).click({ button: 'right' });
        await shot(w, 'd1-header-menu');
        await page.keyboard.press('Escape');
        await runCommand(w, 'View: Close All Editors');
        await chooseLatest(w, 'Prompt Tables: Run Prompt…', /explain-word/);
        await fillAndRun(w, { word: 'owl' });
        await page.waitForTimeout(1500);
        await shot(w, 'd1-asks-model');
        await quickInput(w).locator('input[type=text]').fill('openai');
        await page.keyboard.press('Enter');
        await page.waitForTimeout(2500);
        await shot(w, 'd1-asks-model-2');
        await quickInput(w).locator('input[type=text]').fill('gpt-4o-mini');
        await page.keyboard.press('Enter');
        await webview(w).locator('.state').filter({ hasText: /Done|Failed/ }).waitFor(patiently);
        await shot(w, 'd1-model-done');
        await pickBy(w, 'Prompt Tables: Switch Workspace…', /^Acme/);
        await page.waitForTimeout(2000);
        await shot(w, 'd1-status');
      });
      await page.addInitScript((language) => {
        (globalThis as Record<string, unknown>)['_VSCODE_NLS_LANGUAGE'] = language;
      }, lang);
      const before = lang === 'ja' && only === 'combo' ? (JSON.parse(fs.readFileSync(inRoot('package.nls.de.json'), 'utf8')) as Record<string, string>)['command.openSheet'] : 'Open Sheet…';
      await runCommand(w, 'View: Close All Editors');
      await pickBy(w, `Prompt Tables: ${before}`, /^Support/);
      await pick(w, /^Questions/);
      await page.waitForTimeout(3000);
      await reload(w);
      await page.waitForTimeout(6000);
      void scenes; void stage; void answer;
      await shot(w, `c1-${lang}-grid`);
      const nls = JSON.parse(fs.readFileSync(inRoot(`package.nls.${lang}.json`), 'utf8')) as Record<string, string>;
      const command = (id: string): string => `Prompt Tables: ${nls[`command.${id}`] ?? id}`;
      await step(w, 'details', async () => {
        await webview(w).getByRole('gridcell', { name: /Thank you/ }).first().click();
        await runCommand(w, command('grid.toggleDetails'));
        await page.waitForTimeout(1500);
        await shot(w, `c2-${lang}-details`);
        await page.setViewportSize({ width: 480, height: 800 });
        await shot(w, `c2-${lang}-details-480`, ['dark'], 1500);
        await page.setViewportSize({ width: 1280, height: 800 });
      });
      await step(w, 'filter', async () => {
        await runCommand(w, command('grid.filter'));
        await page.waitForTimeout(1200);
        await shot(w, `c2-${lang}-filter`);
      });
      for (const id of ['showCharts', 'addColumn', 'editScorecard', 'openRequests']) {
        await step(w, id, async () => {
          await runCommand(w, command(id));
          await page.waitForTimeout(3500);
          await shot(w, `c3-${lang}-${id}`);
          await page.setViewportSize({ width: 700, height: 800 });
          await shot(w, `c3-${lang}-${id}-narrow`, ['dark'], 1500);
          await page.setViewportSize({ width: 1280, height: 800 });
        });
      }
      await step(w, 'run', async () => {
        await runCommand(w, command('runPrompt'));
        await page.waitForTimeout(1500);
        await shot(w, `c4-${lang}-pick`);
        await pick(w, /^support\/answer/);
        await page.waitForTimeout(1500);
        await quickInput(w).getByRole('option').first().click();
        await page.waitForTimeout(3500);
        await shot(w, `c4-${lang}-run`);
        const boxes = webview(w).getByRole('textbox');
        for (let i = 0; i < (await boxes.count()); i += 1) await boxes.nth(i).fill('owl').catch(() => {});
        await webview(w).locator('button.primary, .toolbar button, button').first().click().catch(() => {});
        await page.waitForTimeout(2500);
        await shot(w, `c4-${lang}-run-done`);
        await runCommand(w, command('runWorkflow'));
        await page.waitForTimeout(1500);
        await pick(w, /^triage/);
        await page.waitForTimeout(1500);
        await quickInput(w).getByRole('option').first().click();
        await page.waitForTimeout(3500);
        await shot(w, `c4-${lang}-workflow`);
      });
      await step(w, 'trees', async () => {
        await page.waitForTimeout(500);
        await treeItem(w, /Support/).click();
        await page.waitForTimeout(1500);
        await shot(w, `c5-${lang}-trees`);
        await page.keyboard.press('F1');
        await quickInput(w).locator('input[type=text]').fill('>Prompt Tables: ');
        await shot(w, `c5-${lang}-palette`);
        await page.keyboard.press('Escape');
      });
        }
  } finally {
    await browser.close();
    await demo.stop();
  }
}
