import {
  answer,
  quickInput,
  runCommand,
  showView,
  statusItem,
  type Workbench,
} from './workbench.ts';

export interface Hosted {
  readonly url: string;
  readonly apiKey: string;
  /** Of the workspace, in this editor. */
  readonly name?: string;
}

/** Connects a window to a workspace on a service by hand, as its user would. */
export async function connect(
  workbench: Workbench,
  { url, apiKey, name = 'Acme' }: Hosted,
): Promise<void> {
  await showView(workbench);
  await runCommand(workbench, 'Prompt Tables: Connect to PromptLayer…');
  await answer(workbench, url);
  await quickInput(workbench).locator('input[type=password]').waitFor();
  await answer(workbench, apiKey);
  await quickInput(workbench).getByText('Name of the workspace in this editor').waitFor();
  await answer(workbench, name);
  await statusItem(workbench, name).waitFor();
}
