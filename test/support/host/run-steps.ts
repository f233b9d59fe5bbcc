/** What a person does from the palette: opens the sample, runs a prompt or a workflow. */
import type { Locator } from 'playwright-core';
import {
  patiently,
  pick,
  pickBy,
  runCommand,
  showView,
  webview,
  type Workbench,
} from './workbench.ts';

/** Values of the demo's prompt. */
export const parcel = { question: 'Where is my parcel?', tone: 'kind and short' };

/** Opens the sample sheet; answers its first cell once that is shown. */
export async function openSample(workbench: Workbench): Promise<Locator> {
  await showView(workbench);
  await runCommand(workbench, 'Prompt Tables: Open Sample Sheet');
  const first = webview(workbench).getByRole('gridcell', { name: 'abandon' }).first();
  await first.waitFor(patiently);
  return first;
}

/** The state that a panel shows beside its buttons. */
export const runState = (workbench: Workbench, word: string | RegExp): Locator =>
  webview(workbench).locator('.state').filter({ hasText: word });

export async function fillAndRun(
  workbench: Workbench,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await webview(workbench).getByRole('textbox', { name, exact: true }).fill(value);
  }
  await webview(workbench).getByRole('button', { name: /^Run/ }).first().click();
}

/** By the palette: what to open, and of it the latest version. */
export async function chooseLatest(
  workbench: Workbench,
  command: string,
  name: RegExp,
): Promise<void> {
  await pickBy(workbench, command, name);
  await pick(workbench, /^Latest version/);
}
