import * as vscode from 'vscode';
import { PromptTemplate } from '../../api/template.ts';
import type { Client } from '../../core/index.ts';
import { hasErrorCode, isCancellation } from '../../core/errors.ts';
import { parseJson } from '../../core/http/json.ts';
import { isMapping } from '../../core/mapping.ts';
import type {
  AskedOf,
  ColumnField,
  FieldValues,
  Inputs,
  Suggestion,
  Suggestions,
} from '../../protocol/column-form.ts';
import type { App } from '../shell/app.ts';
import { firstOf } from '../shell/first-of.ts';
import { editorModels, vscodeProvider } from '../language-models/models.ts';
import { modelsOf, providers } from '../shell/models.ts';
import { labelsOf, modelOf, versionNumbers } from '../ask/pick-prompt.ts';
import { workflowLabels } from '../ask/pick-workflow.ts';
import { variablesOf } from '../shell/prompt-variables.ts';
import { isAsked, releaseOf } from './config.ts';

/** More are found by typing on. */
const mostSuggested = 50;

const t = vscode.l10n.t;

const textOf = (values: FieldValues, name: string | undefined): string => {
  const value = name === undefined ? undefined : values[name];
  return typeof value === 'string' ? value.trim() : '';
};

const fits = (text: string, typed: string): boolean =>
  text.toLowerCase().includes(typed.toLowerCase());

const versionText = (version: number | null | undefined): string =>
  typeof version === 'number' ? t('version {0}', version) : '';

/** What the form of a column asks about its workspace. */
export interface Asking {
  readonly app: App;
  readonly client: Client;
  readonly connectionId: string;
  readonly signal: AbortSignal;
  /** Titles of the other columns of the sheet. */
  readonly columns: readonly string[];
  readonly values: FieldValues;
}

async function prompts(asking: Asking, typed: string): Promise<readonly Suggestion[]> {
  const { client, signal } = asking;
  const query = { per_page: mostSuggested, ...(typed !== '' && { name: typed }) };
  const found = await firstOf(client.templates.list(query, { signal }), mostSuggested);
  return found.map((template) => ({
    value: template.prompt_name,
    detail: [versionText(template.version), modelOf(template) ?? '']
      .filter((part) => part !== '')
      .join(' · '),
  }));
}

async function workflows(asking: Asking, typed: string): Promise<readonly Suggestion[]> {
  const { client, signal } = asking;
  const all = await firstOf(client.workflows.list({ per_page: 100 }, { signal }), 1000);
  return all
    .filter(({ name }) => fits(name, typed))
    .slice(0, mostSuggested)
    .map(({ name, latest_version_number: version }) => ({
      value: name,
      detail: versionText(version),
    }));
}

/** Labels first, then the versions, newest first. */
async function releases(
  { client, signal, values }: Asking,
  of: AskedOf | undefined,
): Promise<readonly Suggestion[]> {
  const name = textOf(values, of?.name);
  if (of === undefined || name === '') return [];
  let labels: readonly Suggestion[];
  let latest: number | null | undefined;
  if (of.kind === 'prompt') {
    const { id, version } = await client.templates.getRaw(name, {}, { signal });
    latest = version;
    labels = (await labelsOf(client, id, signal)).map((each) => ({
      value: each.release_label,
      detail: versionText(each.prompt_version_number),
    }));
  } else {
    const [{ version }, found] = await Promise.all([
      client.workflows.get(name, {}, { signal }),
      workflowLabels(client, name, signal),
    ]);
    latest = version;
    labels = found.map((each) => ({
      value: each.release_label,
      detail: versionText(each.workflow_version_number),
    }));
  }
  const versions = versionNumbers(latest).map((version) => ({
    value: String(version),
    detail: versionText(version),
  }));
  return [...labels, ...versions];
}

/** A part of an address is a title, or an id where the title has a dot. */
const part = ({ id, title }: { readonly id: string; readonly title: string }): string =>
  title.includes('.') ? id : title;

/** Columns of the sheet, and step by step the table, the sheet and the column of another one. */
async function references(asking: Asking, typed: string): Promise<readonly Suggestion[]> {
  const { client, signal, columns } = asking;
  const [tableName = '', sheetName, columnName] = typed.split('.').map((each) => each.trim());
  const tables = await firstOf(client.tables.list({ limit: 100 }, { signal }), 500);
  if (sheetName === undefined) {
    const own = columns.map((value) => ({ value, detail: t('column of this sheet') }));
    const others = tables.map((table) => ({
      ...{ value: `${part(table)}.`, detail: t('table'), goesOn: true },
    }));
    return [...own, ...others];
  }
  const table = tables.find((one) => part(one) === tableName);
  if (table === undefined) return [];
  const sheets = await firstOf(
    client.tables.sheets.list(table.id, { limit: 100 }, { signal }),
    500,
  );
  if (columnName === undefined) {
    return sheets.map((sheet) => ({
      ...{ value: `${tableName}.${part(sheet)}.`, detail: t('sheet'), goesOn: true },
    }));
  }
  const sheet = sheets.find((one) => part(one) === sheetName);
  if (sheet === undefined) return [];
  const ref = { tableId: table.id, sheetId: sheet.id };
  const found = await firstOf(client.tables.columns.list(ref, {}, { signal }), 500);
  return found.map((column) => ({
    value: `${tableName}.${sheetName}.${part(column)}`,
    detail: column.type,
  }));
}

/** Cells ask them for the service of this window alone. */
const mayUseEditorModels = ({ app, connectionId }: Asking): boolean =>
  connectionId === 'local' && app.settings.get('localService.vscodeModels') > 0;

async function editorModelsFor(asking: Asking): Promise<readonly Suggestion[]> {
  if (!mayUseEditorModels(asking)) return [];
  const models = await editorModels();
  return models.map(({ model, title }) => ({ value: model.name, detail: title }));
}

async function offered(asking: Asking, field: ColumnField): Promise<readonly Suggestion[]> {
  const typed = textOf(asking.values, field.name);
  const plain = (list: readonly string[]): readonly Suggestion[] =>
    list.map((value) => ({ value, detail: '' }));
  if (field.suggests === undefined) return releases(asking, field.of?.[0]);
  switch (field.suggests) {
    case 'prompts':
      return prompts(asking, typed);
    case 'workflows':
      return workflows(asking, typed);
    case 'references':
      return references(asking, typed);
    case 'providers':
      return plain(mayUseEditorModels(asking) ? [...providers, vscodeProvider] : providers);
    case 'models': {
      const provider = textOf(asking.values, field.name.replace(/model$/, 'provider'));
      if (provider === vscodeProvider) return editorModelsFor(asking);
      return provider === '' ? [] : plain(await modelsOf(asking.client, provider, asking.signal));
    }
  }
}

function problemOf({ app }: Asking, error: unknown, doing: string): string {
  if (isCancellation(error)) throw error;
  app.errors.note(error, doing);
  const { message, hint } = app.errors.describe(error);
  return hint === undefined ? message : `${message} ${hint}`;
}

/** What can be chosen for a field: that which fits what is typed. What is not known can be typed. */
export async function suggestionsFor(asking: Asking, field: ColumnField): Promise<Suggestions> {
  try {
    const typed = textOf(asking.values, field.name);
    const all = await offered(asking, field);
    // What has been chosen already hides none of the others.
    const isChosen = all.some(({ value }) => value === typed);
    const items = isChosen ? all : all.filter(({ value }) => fits(value, typed));
    return { items: items.slice(0, mostSuggested), problem: null };
  } catch (error) {
    return { items: [], problem: problemOf(asking, error, 'Suggesting values of a field') };
  }
}

/** Those that a prompt typed as JSON lists; null: it lists none, or is not whole yet. */
function inlineNames(json: string): readonly string[] | null {
  let given: unknown;
  try {
    given = parseJson(json);
  } catch {
    // Half of it is typed.
    return null;
  }
  const inner = isMapping(given) ? PromptTemplate.safeParse(given['prompt_template']) : undefined;
  if (inner?.success !== true) return null;
  const names = variablesOf({ prompt_template: inner.data }).map(({ name }) => name);
  return names.length === 0 ? null : names;
}

async function inputsOfOne({ client, signal, values }: Asking, of: AskedOf): Promise<Inputs> {
  const inline = textOf(values, of.inline);
  if (inline !== '') {
    const names = inlineNames(inline);
    const about =
      names === null
        ? t('The inline prompt lists no input_variables: add them here.')
        : t('Input variables of the inline prompt.');
    return { names, about };
  }
  const name = textOf(values, of.name);
  const release = releaseOf(textOf(values, of.release));
  if (of.kind === 'prompt') {
    const template = await client.templates.getRaw(name, release, { signal });
    return {
      names: variablesOf(template).map((one) => one.name),
      about: t('Input variables of {0}, version {1}.', template.prompt_name, template.version ?? 1),
    };
  }
  const workflow = await client.workflows.get(name, release, { signal });
  return {
    names: Object.keys(workflow.required_input_variables ?? {}),
    about: t('Input variables of {0}, version {1}.', workflow.workflow_name, workflow.version),
  };
}

/** The input variables of the prompt or workflow that the form names. */
export async function inputsFor(asking: Asking, field: ColumnField): Promise<Inputs> {
  const { values } = asking;
  const of = field.of?.find(
    (one) => textOf(values, one.name) !== '' || textOf(values, one.inline) !== '',
  );
  if (of === undefined) return { names: null, about: '' };
  try {
    return await inputsOfOne(asking, of);
  } catch (error) {
    const why = problemOf(asking, error, 'Reading input variables');
    return { names: null, about: t('Its variables are unknown: {0}', why) };
  }
}

/** Workflows are chosen by name and kept by id. Undefined: there is none of a name. */
export async function withWorkflowIds(
  { client, signal, values }: Asking,
  fields: readonly ColumnField[],
): Promise<{ readonly values: FieldValues } | { readonly missing: ColumnField }> {
  let settled = values;
  for (const field of fields) {
    const name = textOf(values, field.name);
    const isNamed = field.suggests === 'workflows' && isAsked(field, values);
    if (!isNamed || /^\d*$/.test(name)) continue;
    try {
      const { workflow_id: id } = await client.workflows.get(name, {}, { signal });
      settled = { ...settled, [field.name]: String(id) };
    } catch (error) {
      if (!hasErrorCode(error, 'not_found')) throw error;
      return { missing: field };
    }
  }
  return { values: settled };
}

/** Workflows are kept by id; whoever edits a column knows them by name. */
export async function withWorkflowNames(
  asking: Asking,
  fields: readonly ColumnField[],
): Promise<FieldValues> {
  let named = asking.values;
  for (const { name, suggests } of fields) {
    const id = textOf(asking.values, name);
    if (suggests !== 'workflows' || !/^\d+$/.test(id)) continue;
    try {
      const { client, signal } = asking;
      const { workflow_name: found } = await client.workflows.get(id, {}, { signal });
      // A name that looks like an id would be taken for one.
      if (!/^\d*$/.test(found)) named = { ...named, [name]: found };
    } catch (error) {
      // The id says which one it is as well.
      problemOf(asking, error, 'Reading the name of a workflow');
    }
  }
  return named;
}
