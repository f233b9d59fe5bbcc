import * as vscode from 'vscode';
import * as z from 'zod';
import type { CodeKind } from '../../core/prompt-types/code-of.ts';
import { codeOf } from '../../core/prompt-types/code-of.ts';
import { promptVariables } from '../../core/templates/prompt-variables.ts';
import { pickPrompt } from '../ask/pick-prompt.ts';
import type { App } from '../shell/app.ts';
import { Model } from '../shell/choice-schema.ts';
import { isPromptAddress, versionOf } from '../shell/prompt-address.ts';
import { showQuickPick } from '../shell/questions.ts';
import { setStatusBarMessage } from '../shell/shown.ts';

const { t } = vscode.l10n;

/** What was typed in a run panel, which knows more than the prompt. */
const Typed = z.object({
  values: z.record(z.string(), z.unknown()).optional(),
  model: Model.optional(),
});

/** Code that runs a prompt, this version or label of it, goes to the clipboard. */
export async function copyAsCode(app: App, given: unknown): Promise<void> {
  const title = t('Copy prompt as code');
  const prompt = isPromptAddress(given) ? given : await pickPrompt(app, title);
  const { connectionId, promptName, choice } = prompt;
  const connection = app.connections.get(connectionId);
  const baseURL = connection?.kind === 'hosted' ? connection.baseURL : undefined;
  const item = (label: string, description: string, codeKind: CodeKind) => ({
    ...{ label, description, codeKind },
    iconPath: new vscode.ThemeIcon('code'),
  });
  const items = [
    item('TypeScript', 'prompt-tables-sdk', 'client'),
    item('TypeScript', 'promptlayer', 'promptlayer'),
    item('Python', 'promptlayer', 'python'),
    // The local service has no address that another program could know.
    ...(baseURL === undefined ? [] : [item('curl', t('Fetches the prompt'), 'curl')]),
  ];
  const picked = await showQuickPick(items, { title });
  if (picked === undefined) return;
  const { signal } = app;
  const client = await app.connections.client(connectionId, { signal });
  const template = await client.templates.getRaw(promptName, versionOf(choice), { signal });
  const { values = {}, model } = Typed.safeParse(given).data ?? {};
  const variables = promptVariables(template).map(({ name, form }) => ({
    ...{ name, form },
    ...(Object.hasOwn(values, name) && { given: { value: values[name] } }),
  }));
  const asked = { name: promptName, ...versionOf(choice), variables, model, baseURL };
  await vscode.env.clipboard.writeText(codeOf(picked.codeKind, asked));
  setStatusBarMessage(t('Copied. The API key comes from PROMPTLAYER_API_KEY.'), 5000);
}
