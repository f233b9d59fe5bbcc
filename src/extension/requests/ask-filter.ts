import * as vscode from 'vscode';
import type { Client } from '../../core/index.ts';
import { CancelledError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { askValue } from '../ask/ask-value.ts';
import { pickPrompt } from '../ask/pick-prompt.ts';
import type { Filter, LogField, Operator } from './filters.ts';
import { readTime } from '../shell/read-time.ts';
import { groupOf, logFields, operatorsOf } from './filters.ts';
import { showQuickPick } from '../shell/questions.ts';

const t = vscode.l10n.t;

async function chosen<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: vscode.QuickPickOptions,
): Promise<Item> {
  const picked = await showQuickPick(items, {
    ...options,
  });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked;
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

function faultOf(field: LogField, operator: Operator): (text: string) => string | undefined {
  const isCompared = field.kind === 'nested' && /^(?:gte?|lte?)$/.test(operator.name);
  if (field.kind === 'number' || isCompared) {
    return (text) => (isNumber(text) ? undefined : t('Enter a number.'));
  }
  if (field.kind === 'time') {
    return (text) =>
      readTime(text) === undefined
        ? t('Enter a time, such as 2026-01-31 12:00, or 24h.')
        : undefined;
  }
  return () => undefined;
}

const sent = (field: LogField, text: string): string | number => {
  if (field.kind === 'number') return Number(text);
  return field.kind === 'time' ? (readTime(text) ?? text) : text;
};

const placeholderOf = (field: LogField): string => {
  if (field.kind === 'time') {
    return t('A time, such as 2026-01-31 12:00, or how long ago: 90m, 24h, 7d');
  }
  return field.kind === 'number' ? t('A number') : t('A value');
};

/** Asks for a field, an operator that it has, and values, those of the service first. */
export async function askFilter(
  app: App,
  connectionId: string,
  before: Filter | undefined,
  others: readonly Filter[],
): Promise<Filter> {
  const { signal } = app;
  const client = await app.connections.client(connectionId, { signal });
  const fields = logFields(t);
  const { field } = await chosen(
    fields.map((one) => ({
      label: one.title,
      ...(one.name === before?.field && { description: t('now') }),
      field: one,
    })),
    { title: t('Filter requests'), placeHolder: t('Field to filter by') },
  );
  const keep = before?.field === field.name ? before : undefined;
  const nestedKey =
    field.suggestedKeys === undefined
      ? undefined
      : await askKey(app, client, field, keep?.nestedKey, others);
  const title = nestedKey === undefined ? field.title : `${field.title} ${nestedKey}`;
  const { operator } = await chosen(
    operatorsOf(field.kind, t).map((one) => ({
      label: one.title,
      ...(one.name === keep?.operator && { description: t('now') }),
      operator: one,
    })),
    { title },
  );
  const base = {
    ...{ field: field.name, operator: operator.name },
    ...(nestedKey !== undefined && { nestedKey }),
  };
  if (operator.values === 0) return base;
  if (field.kind === 'prompt') {
    const { promptName } = await pickPrompt(app, title, connectionId);
    const { id } = await client.templates.getRaw(promptName, {}, { signal });
    return { ...base, value: id, shown: promptName };
  }
  const suggest = suggester(app, client, field.suggested, nestedKey, others);
  const value = async (label: string, at: number): Promise<string> => {
    const kept = Array.isArray(keep?.value) ? keep.value[at] : at === 0 ? keep?.value : undefined;
    return askValue({
      ...{ title: label, placeholder: placeholderOf(field), suggest },
      before: kept?.toString() ?? '',
      fault: faultOf(field, operator),
      note: (error) => app.errors.note(error, 'Suggesting values of a filter'),
    });
  };
  const first = await value(`${title} ${operator.title}`, 0);
  if (operator.values === 1) return { ...base, value: sent(field, first) };
  const second = await value(`${title} ${operator.title} ${first} …`, 1);
  return { ...base, value: [sent(field, first), sent(field, second)] };
}

const askKey = (
  app: App,
  client: Client,
  field: LogField,
  before: string | undefined,
  others: readonly Filter[],
): Promise<string> =>
  askValue({
    ...{ title: field.title, placeholder: t('Value'), before: before ?? '' },
    fault: () => undefined,
    suggest: suggester(app, client, field.suggestedKeys, undefined, others),
    note: (error) => app.errors.note(error, 'Suggesting names for a filter'),
  });

/** Values among the requests that the other filters leave. */
function suggester(
  { signal }: App,
  client: Client,
  field: string | undefined,
  metadataKey: string | undefined,
  others: readonly Filter[],
): ((prefix: string) => Promise<readonly string[]>) | undefined {
  if (field === undefined) return undefined;
  const filterGroup = groupOf(others);
  return async (prefix) => {
    const wanted = {
      field,
      ...(prefix !== '' && { prefix }),
      ...(metadataKey !== undefined && { metadataKey }),
      ...(filterGroup !== undefined && { filterGroup }),
    };
    const values = await client.requests.suggestions(wanted, { signal });
    return values
      .filter((value) => typeof value === 'string' || typeof value === 'number')
      .map(String);
  };
}
