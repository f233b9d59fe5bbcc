import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import { parseJson } from '../../core/http/json.ts';
import { isMapping } from '../../core/mapping.ts';
import { pickChoice, pickPrompt } from '../ask/pick-prompt.ts';
import { askModel } from '../run-panel/ask-model.ts';
import type { App } from '../shell/app.ts';
import { showInputBox, showQuickPick } from '../shell/questions.ts';
import { showOpenDialog } from '../shell/shown.ts';
import type { Wanted } from './columns.ts';
import { shownColumn } from './columns.ts';
import type { Column } from './plan.ts';
import { promptIdOf } from './plan.ts';

const t = vscode.l10n.t;
const dismissed = (): CancelledError => new CancelledError('The choice was dismissed.');

/** As prompts' documents are called; the feature that knows them is not loaded for this. */
export const promptLanguage = 'prompt-tables-prompt';

interface Way extends vscode.QuickPickItem {
  readonly take: () => Promise<readonly Wanted[]>;
}

/** A prompt that a document holds, as it stands now. */
export async function wantedIn(uri: string): Promise<Wanted> {
  const { blueprintIn, promptNameIn } = await import('../prompt-parts.ts');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const promptName = promptNameIn(document.getText());
  if (promptName === undefined) {
    throw new ConfigurationError(t("This isn't a prompt document."), {
      hint: t('Open a prompt with Edit Prompt, or a file whose name ends in .prompt.'),
    });
  }
  return { promptName, blueprint: await blueprintIn(uri), uri };
}

/** The same prompt again, as it is asked for. */
function again({ source }: Column): Wanted {
  const { promptName } = source;
  return source.kind === 'version'
    ? { promptName, choice: { kind: 'version', version: source.version } }
    : { promptName, blueprint: source.blueprint, uri: source.uri };
}

/** One column for each prompt, whatever its models. */
const promptsOf = (columns: readonly Column[]): readonly Column[] => [
  ...new Map(columns.map((column) => [promptIdOf(column), column])).values(),
];

async function withParameters(columns: readonly Column[]): Promise<readonly Wanted[]> {
  const items = columns.map((column) => {
    const { title, detail } = shownColumn(column);
    return { label: title, description: detail, column };
  });
  const title = t('Variant to run with other parameters');
  const picked = items.length === 1 ? items[0] : await showQuickPick(items, { title });
  if (picked === undefined) throw dismissed();
  const { column } = picked;
  const read = (text: string): unknown => {
    try {
      return parseJson(text);
    } catch {
      return undefined; // what is typed is not JSON yet
    }
  };
  const entered = await showInputBox({
    ...{ title, value: JSON.stringify(column.parameters ?? { temperature: 0 }) },
    prompt: t('Parameters of the model as a JSON object'),
    validateInput: (text) => (isMapping(read(text)) ? undefined : t('Enter a JSON object.')),
  });
  const parameters = entered === undefined ? undefined : read(entered);
  if (!isMapping(parameters)) throw dismissed();
  return [{ ...again(column), model: column.model, parameters }];
}

async function fromFiles(): Promise<readonly Wanted[]> {
  const uris = await showOpenDialog({
    title: t('Prompt files to compare'),
    canSelectMany: true,
    filters: { [t('Prompt files')]: ['prompt'] },
  });
  if (uris === undefined) throw dismissed();
  return Promise.all(uris.map((uri) => wantedIn(uri.toString())));
}

function openDocuments(): readonly Way[] {
  return vscode.workspace.textDocuments
    .filter(({ languageId }) => languageId === promptLanguage)
    .map(({ uri }) => ({
      label: path.posix.basename(uri.path),
      description: t('open in the editor'),
      iconPath: new vscode.ThemeIcon('file'),
      take: async () => [await wantedIn(uri.toString())],
    }));
}

/** What else is to be compared. Errors: CancelledError. */
export async function askVariant(
  app: App,
  connectionId: string,
  columns: readonly Column[],
): Promise<readonly Wanted[]> {
  const way = (label: string, icon: string, take: Way['take'], description = ''): Way => ({
    ...{ label, description, take, iconPath: new vscode.ThemeIcon(icon) },
  });
  const names = [...new Set(columns.map(({ source }) => source.promptName))];
  const ofPrompt = async (promptName: string): Promise<readonly Wanted[]> => {
    const title = t('Version of {0} to compare', promptName);
    return [{ promptName, choice: await pickChoice(app, title, { connectionId, promptName }) }];
  };
  const ways: readonly Way[] = [
    ...names.map((name) =>
      way(t('Version or label of {0}…', name), 'versions', () => ofPrompt(name)),
    ),
    ...(columns.length === 0
      ? []
      : [
          way(
            t('Another model…'),
            'sparkle',
            async () => {
              const model = await askModel(app, {
                title: t('Compare with the model'),
                connectionId,
              });
              return promptsOf(columns).map((column) => ({ ...again(column), model }));
            },
            t('for every version, draft, and file'),
          ),
          way(t('Other parameters…'), 'settings', () => withParameters(columns)),
        ]),
    way(t('Another prompt…'), 'comment-discussion', async () => {
      const { promptName } = await pickPrompt(app, t('Prompt to compare'), connectionId);
      return ofPrompt(promptName);
    }),
    ...openDocuments(),
    way(t('Prompt files…'), 'files', fromFiles),
  ];
  const picked = await showQuickPick(ways, { title: t('Add a variant'), matchOnDescription: true });
  if (picked === undefined) throw dismissed();
  return picked.take();
}
