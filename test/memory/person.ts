/**
 * What somebody does in a window all day. Each habit starts with no editor open and ends so, that
 * two samples are of the same state.
 */
import { Client } from 'undici';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Api } from '../service/support/api.ts';
import { addDemoPrompts } from '../support/demo-prompts.ts';
import {
  chooseLatest,
  fillAndRun,
  openSample,
  parcel,
  runState,
} from '../support/host/run-steps.ts';
import {
  answer,
  confirm,
  patiently,
  pick,
  runCommand,
  treeItem,
  webview,
  type Workbench,
} from '../support/host/workbench.ts';
import { announced, serviceFolder } from './processes.ts';

type Habit = (workbench: Workbench, round: number) => Promise<void>;

/** Puts the sample sheet and the demo's prompts into the local workspace. */
export async function moveIn(workbench: Workbench): Promise<void> {
  await openSample(workbench);
  const { dataDir } = workbench.host;
  const key = readFileSync(path.join(serviceFolder(dataDir), 'key'), 'utf8').trim();
  const client = new Client('http://localhost', { socketPath: announced(dataDir).socketPath });
  await addDemoPrompts(new Api(client, key));
  await client.close();
  await closeEditors(workbench);
}

export const closeEditors = (workbench: Workbench): Promise<void> =>
  runCommand(workbench, 'View: Close All Editors');

async function openSheet(workbench: Workbench): Promise<void> {
  const sheet = treeItem(workbench, /WordNet senses/);
  const table = treeItem(workbench, /Word definitions/);
  await table.waitFor(patiently);
  if (!(await sheet.isVisible())) await table.click();
  await sheet.click();
  await webview(workbench)
    .locator('[role=row]:not(.skeleton) [role=gridcell]')
    .first()
    .waitFor(patiently);
}

const row = (workbench: Workbench, position: number): Locator =>
  webview(workbench).locator(`[role=row][aria-rowindex="${position + 2}"]:not(.skeleton)`);

async function goTo(workbench: Workbench, rowNumber: number, column: RegExp): Promise<void> {
  await runCommand(workbench, 'Prompt Tables: Go to Row…');
  await answer(workbench, String(rowNumber));
  await runCommand(workbench, 'Prompt Tables: Go to Column…');
  await pick(workbench, column);
}

const press = ({ page }: Workbench, keys: string): Promise<void> => page.keyboard.press(keys);

/** Scrolls to the end and back, and opens the details of a cell. */
async function read(workbench: Workbench): Promise<void> {
  await openSheet(workbench);
  await webview(workbench).getByRole('gridcell').first().click();
  await press(workbench, 'Control+End');
  await row(workbench, 3599).waitFor();
  for (let at = 0; at < 10; at += 1) await workbench.page.mouse.wheel(0, -4000);
  await press(workbench, 'Control+Home');
  await row(workbench, 0).waitFor();
  await runCommand(workbench, 'Prompt Tables: Toggle Cell Details');
  await webview(workbench).getByText('Row index').first().waitFor();
  await runCommand(workbench, 'Prompt Tables: Toggle Cell Details');
  await webview(workbench).getByText('Row index').first().waitFor({ state: 'hidden' });
}

async function edit(workbench: Workbench, round: number): Promise<void> {
  await openSheet(workbench);
  const at = 2 + (round % 200);
  await goTo(workbench, at, /^topic/);
  const focused = webview(workbench).locator('[role=gridcell][aria-selected=true]').first();
  await focused.click();
  await press(workbench, 'F2');
  const words = `typed in round ${round}`;
  await webview(workbench)
    .getByRole('textbox', { name: /^Edit topic/ })
    .fill(words);
  await press(workbench, 'Enter');
  const edited = row(workbench, at - 1).getByText(words);
  await edited.waitFor();
  // Saved: what is still on its way is marked.
  await row(workbench, at - 1)
    .locator('[class*="u-"]')
    .first()
    .waitFor({ state: 'detached' });
  await press(workbench, 'Control+z');
  await edited.waitFor({ state: 'detached' });
}

/** Every other time it is cancelled on its way. */
async function recalculate(workbench: Workbench, round: number): Promise<void> {
  await openSheet(workbench);
  await goTo(workbench, 1, /^review/);
  await runCommand(workbench, 'Prompt Tables: Run Column');
  await confirm(workbench, /^Run [\d,]+ cells/);
  const progress = webview(workbench).locator('.progress-text').first();
  await progress.waitFor(patiently);
  if (round % 2 === 0) await runCommand(workbench, 'Prompt Tables: Cancel Sheet Operations');
  await progress.waitFor({ state: 'hidden', timeout: 120_000 });
}

async function chart(workbench: Workbench): Promise<void> {
  await openSheet(workbench);
  await runCommand(workbench, 'Prompt Tables: Show Sheet Charts…');
  await webview(workbench).getByRole('tab').first().waitFor(patiently);
  await webview(workbench).getByRole('tab').last().click();
}

async function beginColumn(workbench: Workbench): Promise<void> {
  await openSheet(workbench);
  await runCommand(workbench, 'Prompt Tables: Add Column…');
  await webview(workbench).getByRole('textbox', { name: 'Title' }).fill('Never added');
  await webview(workbench).getByRole('button', { name: 'Cancel' }).click();
}

async function runPrompt(workbench: Workbench): Promise<void> {
  await chooseLatest(workbench, 'Prompt Tables: Run Prompt…', /^support\/answer/);
  await fillAndRun(workbench, parcel);
  await runState(workbench, 'Done').waitFor(patiently);
  await webview(workbench).getByRole('button', { name: 'Markdown' }).click();
  await webview(workbench).getByRole('button', { name: 'Run again' }).click();
  await runState(workbench, 'Running').waitFor(patiently);
  await webview(workbench).getByRole('button', { name: 'Stop' }).click();
  await runState(workbench, /Stopped|Done/).waitFor(patiently);
}

async function runWorkflow(workbench: Workbench): Promise<void> {
  await chooseLatest(workbench, 'Prompt Tables: Run Workflow…', /^triage/);
  await fillAndRun(workbench, { ...parcel, kinds: 'order, invoice, return' });
  await runState(workbench, 'Done').waitFor(patiently);
}

async function readLog(workbench: Workbench): Promise<void> {
  await runCommand(workbench, 'Prompt Tables: Open Request Log');
  const requests = webview(workbench).getByRole('grid', { name: 'Requests' });
  const cell = requests.getByRole('gridcell').getByText('gpt-4o-mini').first();
  await cell.waitFor(patiently);
  await cell.click();
  await press(workbench, 'Enter');
  await workbench.page.getByRole('tab', { name: /Request \d+\.md/ }).waitFor(patiently);
}

async function readPrompt(workbench: Workbench): Promise<void> {
  await chooseLatest(workbench, 'Prompt Tables: Open Prompt…', /^support\/classify/);
  await workbench.page.locator('.monaco-editor').getByText('Which of').first().waitFor(patiently);
}

export const habits: Readonly<Record<string, Habit>> = {
  read,
  edit,
  recalculate,
  'run a prompt': runPrompt,
  'run a workflow': runWorkflow,
  'read the log': readLog,
  'read a prompt': readPrompt,
  chart,
  'begin a column': beginColumn,
};
