/** A workbench that is connected to a workspace with prompts, and a model to run them with. */
import type { Model, PromptService } from '../../host/support/prompt-service.ts';
import { startModel, startPromptService } from '../../host/support/prompt-service.ts';
import { startCable, type Cable } from '../../support/host/cable.ts';
import { connect } from '../../support/host/connect.ts';
import { sharedWorkbench } from '../../support/host/shared.ts';
import {
  answer,
  askBy,
  confirm,
  dismiss,
  pick,
  quickInput,
  runCommand,
  statusItem,
} from '../../support/host/workbench.ts';
import type { Workbench } from '../../support/host/workbench.ts';

export interface Hands {
  readonly workbench: Workbench;
  readonly service: PromptService;
  readonly model: Model;
  setVariable(name: string, value: string): Promise<void>;
  clipboard(): Promise<string>;
  /** Between the window and the service. */
  readonly cable: Cable;
  stop(): Promise<void>;
}

/** The service that the workspace Acme of a window is on. */
let connected: { readonly page: unknown; readonly url: string } | undefined;

/** For what a window says only for a moment: looks for it from before it can be said. */
type Watch = (workbench: Workbench) => Promise<void>;

/** A window that may use the clipboard and is connected to the workspace Acme at `url`. */
export async function connectedWorkbench(
  url: string,
  apiKey = 'pl_prompts_5f0c2a7e9b1d4836',
  meanwhile?: Watch,
): Promise<Workbench> {
  const shared = await sharedWorkbench();
  await shared.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const workbench: Workbench = shared;
  const ofSuiteBefore = statusItem(workbench, 'Acme');
  const isTheSame = connected?.page === shared.page && connected.url === url;
  if (isTheSame && (await ofSuiteBefore.isVisible())) return workbench;
  if (await ofSuiteBefore.isVisible()) {
    await runCommand(workbench, 'Prompt Tables: Remove Connection…');
    await confirm(workbench, 'Remove');
    await ofSuiteBefore.waitFor({ state: 'detached' });
  }
  await Promise.all([meanwhile?.(workbench), connect(workbench, { url, apiKey })]);
  connected = { page: shared.page, url };
  return workbench;
}

/** Sets a variable of a provider by the command. */
export async function setVariable(
  workbench: Workbench,
  name: string,
  value: string,
): Promise<void> {
  await runCommand(workbench, 'Prompt Tables: Set Provider Key…');
  await pick(workbench, new RegExp(`^${name}`));
  await quickInput(workbench).locator('input[type=password]').waitFor();
  await answer(workbench, value);
}

/** There is at least one variable, and this one no more. */
export async function removeVariable(workbench: Workbench, name: string): Promise<void> {
  await askBy(workbench, 'Prompt Tables: Remove Provider Key…', (box) => box.getByRole('option'));
  const entry = quickInput(workbench).getByRole('option', { name, exact: true });
  if (await entry.isVisible()) await pick(workbench, name);
  else await dismiss(workbench);
}

export async function startHands(meanwhile?: Watch): Promise<Hands> {
  const [service, model] = await Promise.all([startPromptService(), startModel()]);
  const cable = await startCable(service.url);
  const workbench = await connectedWorkbench(cable.url, undefined, meanwhile);
  return {
    workbench,
    service,
    cable,
    model,
    setVariable: (name, value) => setVariable(workbench, name, value),
    async clipboard() {
      // The page itself must have the focus to read the clipboard.
      await workbench.page.waitForTimeout(300);
      await workbench.page.keyboard.press('F1');
      const text = await workbench.page.evaluate(() => navigator.clipboard.readText());
      await workbench.page.keyboard.press('Escape');
      return text;
    },
    async stop() {
      await cable.close();
      await Promise.all([service.close(), model.close()]);
    },
  };
}
