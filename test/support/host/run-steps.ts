/** What a person does to run a prompt or a workflow from the palette. */
import type { Locator } from 'playwright-core';
import { pick, pickBy, webview, type Workbench } from './workbench.ts';

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
