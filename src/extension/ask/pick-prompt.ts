import * as vscode from 'vscode';
import type { Template } from '../../api/template.ts';
import type { CachedTemplate, Client, TemplateLabel } from '../../core/index.ts';
import { CancelledError, hasErrorCode, isPromptTablesError } from '../../core/errors.ts';
import type { PromptChoice } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { firstOf } from '../shell/first-of.ts';
import { connectionFor } from './pick.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { answerOf, createQuickPick, showQuickPick } from '../shell/questions.ts';

/** More are found by typing a part of the name. */
const mostOffered = 100;
/** Numbers of versions offered, newest first. */
const mostVersions = 500;
const typingPauseMs = 250;

export function modelOf({ metadata }: Pick<Partial<Template>, 'metadata'>): string | undefined {
  const model = metadata?.['model'];
  if (typeof model !== 'object' || model === null || !('name' in model)) return undefined;
  return typeof model.name === 'string' ? model.name : undefined;
}

export function choiceText(choice: PromptChoice | undefined): string {
  switch (choice?.kind) {
    case 'version':
      return vscode.l10n.t('version {0}', choice.version);
    case 'label':
      return vscode.l10n.t('label {0}', choice.label);
    case 'latest':
    case undefined:
      return vscode.l10n.t('latest version');
  }
}

interface PromptItem extends vscode.QuickPickItem {
  readonly promptName: string;
}

const itemOf = (template: Template): PromptItem => ({
  label: template.prompt_name,
  description: [
    typeof template.version !== 'number'
      ? undefined
      : vscode.l10n.t('version {0}', template.version),
    modelOf(template),
  ]
    .filter((part) => part !== undefined)
    .join(' · '),
  iconPath: new vscode.ThemeIcon('comment-discussion'),
  promptName: template.prompt_name,
});

/** What can be run while the service can not be reached; throws the error when that is nothing. */
function cachedInstead(
  app: App,
  connectionId: string,
  error: unknown,
  isWanted: (cached: CachedTemplate) => boolean,
): readonly CachedTemplate[] {
  const client = app.connections.openClient(connectionId);
  const cached = client?.cachedTemplates().filter(isWanted) ?? [];
  if (cached.length === 0 || !isPromptTablesError(error) || !error.retryable) throw error;
  app.errors.note(error, 'Offering what is in the cache');
  return cached;
}

async function promptsWith(
  client: Client,
  name: string,
  signal: AbortSignal,
): Promise<readonly PromptItem[]> {
  const query = { per_page: mostOffered, ...(name !== '' && { name }) };
  const found = await firstOf(client.templates.list(query, { signal }), mostOffered);
  return found.map(itemOf);
}

const isCalled =
  (name: string) =>
  ({ template }: CachedTemplate): boolean =>
    template.prompt_name.toLowerCase().includes(name.toLowerCase());

/** Each prompt once, whatever versions of it are in memory. */
const cachedItems = (cached: readonly CachedTemplate[]): readonly PromptItem[] =>
  [...new Map(cached.map(({ template }) => [template.prompt_name, template])).values()].map(
    (template) => ({ ...itemOf(template), detail: vscode.l10n.t('From the cache') }),
  );

/** A prompt of the workspace in use, or of the one named. What is typed is looked for by the service. */
export async function pickPrompt(
  app: App,
  title: string,
  workspace?: string,
): Promise<PromptAddress> {
  const connection = connectionFor(app, workspace);
  const client = await app.connections.client(connection.id, { signal: app.signal });
  const picker = createQuickPick<PromptItem>();
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Name of a prompt of {0}', connection.name);
  let search = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    const { promptName } = await answerOf(
      picker,
      () => picker.selectedItems[0],
      (_end, fail) => {
        const look = async (): Promise<void> => {
          search.abort();
          const own = new AbortController();
          search = own;
          picker.busy = true;
          try {
            const signal = AbortSignal.any([own.signal, app.signal]);
            const name = picker.value.trim();
            const items = await promptsWith(client, name, signal).catch((error: unknown) =>
              cachedItems(cachedInstead(app, connection.id, error, isCalled(name))),
            );
            if (search !== own) return;
            picker.items = items;
            picker.busy = false;
          } catch (error) {
            if (search === own) fail(error);
          }
        };
        void look();
        return [
          picker.onDidChangeValue(() => {
            clearTimeout(timer);
            timer = setTimeout(() => void look(), typingPauseMs);
          }),
        ];
      },
    );
    return { connectionId: connection.id, promptName };
  } finally {
    clearTimeout(timer);
    search.abort();
    picker.dispose();
  }
}

/** A service that has no labels to tell of says so with 404. */
export async function labelsOf(
  client: Client,
  templateId: number,
  signal: AbortSignal,
): Promise<readonly TemplateLabel[]> {
  try {
    return await client.templates.labels.list(templateId, { signal });
  } catch (error) {
    if (hasErrorCode(error, 'not_found')) return [];
    throw error;
  }
}

/** Numbers of the versions that there may be, newest first. */
export const versionNumbers = (latest: number | null | undefined): readonly number[] =>
  Array.from({ length: Math.min(latest ?? 0, mostVersions) }, (_, at) => (latest ?? 0) - at);

export interface Choices {
  /** Its number; undefined: not known. Null: the latest version can't be had now. */
  readonly latest: number | undefined | null;
  readonly labels: readonly { readonly label: string; readonly version: number }[];
  readonly versions: readonly number[];
}

/** Latest first, then the labels, then the numbers. */
export async function offerChoices(
  title: string,
  choices: Promise<Choices>,
): Promise<PromptChoice> {
  const choice = (
    value: PromptChoice,
    label: string,
    icon: string,
    description = '',
  ): vscode.QuickPickItem & { readonly value: PromptChoice } => ({
    ...{ label, description, value },
    iconPath: new vscode.ThemeIcon(icon),
  });
  const number = (version: number): string => vscode.l10n.t('Version {0}', version);
  const items = choices.then(({ latest, labels, versions }) => [
    ...(latest === null
      ? []
      : [
          choice(
            { kind: 'latest' },
            vscode.l10n.t('Latest version'),
            'versions',
            latest === undefined ? '' : number(latest),
          ),
        ]),
    ...labels.map(({ label, version }) =>
      choice({ kind: 'label', label }, label, 'tag', number(version)),
    ),
    ...versions.map((version) =>
      choice({ kind: 'version', version }, number(version), 'git-commit'),
    ),
  ]);
  const picked = await showQuickPick(items, {
    title,
    matchOnDescription: true,
  });
  // A dismissed pick hides a failed list; the list's own error comes first.
  await items;
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked.value;
}

/** A version or label of a prompt. */
export function pickChoice(
  app: App,
  title: string,
  { connectionId, promptName }: PromptAddress,
): Promise<PromptChoice> {
  const { signal } = app;
  const offered = async (): Promise<Choices> => {
    const client = await app.connections.client(connectionId, { signal });
    const { id, version } = await client.templates.getRaw(promptName, {}, { signal });
    const labels = await labelsOf(client, id, signal);
    return {
      latest: version ?? undefined,
      labels: labels.map(({ release_label: label, prompt_version_number: number }) => ({
        label,
        version: number,
      })),
      versions: versionNumbers(version),
    };
  };
  const instead = (error: unknown): Choices => {
    const isOurs = ({ template }: CachedTemplate): boolean => template.prompt_name === promptName;
    const cached = cachedInstead(app, connectionId, error, isOurs);
    const latest = cached.find((kept) => (kept.version ?? kept.label ?? undefined) === undefined);
    return {
      latest: latest === undefined ? null : (latest.template.version ?? undefined),
      labels: cached.flatMap(({ label, template }) =>
        label === undefined || label === null ? [] : [{ label, version: template.version ?? 1 }],
      ),
      versions: cached.flatMap(({ version }) => version ?? []),
    };
  };
  return offerChoices(title, offered().catch(instead));
}
