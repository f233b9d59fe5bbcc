import * as vscode from 'vscode';
import type { Template } from '../../api/template.ts';
import { ConfigurationError, ValidationError } from '../../core/errors.ts';
import { isMapping } from '../../core/mapping.ts';
import type { MatrixColumn } from '../../protocol/matrix.ts';
import { mostColumns, mostPrompts } from '../../protocol/matrix.ts';
import type { ModelName, PromptChoice } from '../../protocol/run.ts';
import { choiceText } from '../ask/pick-prompt.ts';
import { modelTitle } from '../language-models/models.ts';
import { variablesIn } from '../run-panel/unpublished.ts';
import type { App } from '../shell/app.ts';
import type { Blueprint } from '../shell/choice-schema.ts';
import { versionOf } from '../shell/prompt-address.ts';
import type { Column, Source } from './plan.ts';
import { columnIdOf, promptIdOf } from './plan.ts';

const t = vscode.l10n.t;

/** What is to be compared, as somebody asks for it. */
export type Wanted = {
  readonly promptName: string;
  readonly model?: ModelName | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
} & (
  | { readonly choice: PromptChoice }
  | { readonly blueprint: Blueprint; readonly uri?: string | undefined }
);

function modelIn({ metadata }: Pick<Partial<Template>, 'metadata'>): ModelName | undefined {
  const model = metadata?.['model'];
  if (!isMapping(model)) return undefined;
  const { provider, name } = model;
  return typeof provider === 'string' && typeof name === 'string' && provider !== '' && name !== ''
    ? { provider, name }
    : undefined;
}

interface Found {
  readonly source: Source;
  readonly prompt: Blueprint;
}

async function find(app: App, connectionId: string, wanted: Wanted): Promise<Found> {
  const { promptName } = wanted;
  if ('blueprint' in wanted) {
    const { blueprint, uri } = wanted;
    const source = { kind: 'unpublished' as const, promptName, blueprint };
    return { source: { ...source, ...(uri !== undefined && { uri }) }, prompt: blueprint };
  }
  const { signal } = app;
  const { choice } = wanted;
  const client = await app.connections.client(connectionId, { signal });
  const prompt = await client.templates.getRaw(promptName, versionOf(choice), { signal });
  const { version } = prompt;
  if (typeof version !== 'number') {
    throw new ConfigurationError(
      t("The service didn't say which version {0} of {1} is.", choiceText(choice), promptName),
      { hint: t('Select a version by its number.') },
    );
  }
  return { source: { kind: 'version', promptName, version, choice }, prompt };
}

/** Fixes what is compared: a label may move, and a document change, while a comparison goes on. */
export async function columnFor(
  app: App,
  connectionId: string,
  wanted: Wanted,
  askModel: () => Promise<ModelName>,
): Promise<Column> {
  const { signal } = app;
  const { source, prompt } = await find(app, connectionId, wanted);
  const own = modelIn(prompt);
  const asked = wanted.model ?? (own === undefined ? await askModel() : undefined);
  const { provider, name: modelName } = asked ?? own ?? { provider: '', name: '' };
  const client = await app.connections.client(connectionId, { signal });
  const parameters =
    Object.keys(wanted.parameters ?? {}).length > 0 ? wanted.parameters : undefined;
  // The model that the prompt names anyway has the prompt's own parameters.
  const isOther =
    asked !== undefined && (asked.provider !== own?.provider || asked.name !== own.name);
  const column = {
    ...{ source, provider, modelName },
    ...(isOther && { model: asked }),
    ...(parameters !== undefined && { parameters }),
    variables: (await variablesIn(app, client, prompt, signal)).map((variable) => ({
      ...variable,
      text: '',
    })),
  };
  return { id: columnIdOf(column), ...column };
}

/** The columns with one more. One that is there already is no other. */
export function withColumn(columns: readonly Column[], added: Column): readonly Column[] {
  if (columns.some(({ id }) => id === added.id)) return columns;
  const all = [...columns, added];
  if (all.length > mostColumns) {
    throw new ValidationError(t('At most {0} variants can be compared.', mostColumns), {
      hint: t('Remove a variant first.'),
    });
  }
  if (new Set(all.map(promptIdOf)).size > mostPrompts) {
    throw new ValidationError(
      t(
        'At most {0} versions, drafts, and files can be compared, each with several models.',
        mostPrompts,
      ),
      { hint: t('Remove a variant first.') },
    );
  }
  return all;
}

function sourceTitle({ source }: Column): string {
  const { promptName } = source;
  return source.kind === 'unpublished'
    ? t('{0} (draft)', promptName)
    : t('{0} (version {1})', promptName, source.version);
}

/** As the page shows it: the prompt is named only where it is not the same everywhere. */
export function shownColumn(column: Column): MatrixColumn {
  const { id, source, provider, modelName, parameters = {} } = column;
  const changed = Object.entries(parameters).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
  const model = modelTitle({ provider, name: modelName });
  return {
    ...{ id, title: sourceTitle(column), detail: [model, ...changed].join(' · ') },
    isUnpublished: source.kind === 'unpublished',
  };
}
