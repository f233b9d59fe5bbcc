import * as vscode from 'vscode';
import { CancelledError, ServerError, ValidationError } from '../../core/errors.ts';
import type { RequestDetail } from '../../core/index.ts';
import type { LogAction } from '../../protocol/request-log.ts';
import type { RunVariable } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import { laidOut } from '../panels/laid-out.ts';
import { pickSheet } from '../ask/pick.ts';
import { withProgress } from '../shell/progress.ts';
import type { FoundRequest } from './columns.ts';
import { replayable } from './replayable.ts';
import { pairsIn } from '../shell/pairs-in.ts';
import { requestUri } from './request-uri.ts';
import { showBeside } from '../panels/show-beside.ts';
import { showQuickPick } from '../shell/questions.ts';
import { setStatusBarMessage, showInformationMessage } from '../shell/shown.ts';

const t = vscode.l10n.t;

/** What the user does with requests of the log. */
export async function take(
  app: App,
  connectionId: string,
  action: LogAction,
  requests: readonly FoundRequest[],
): Promise<void> {
  const [first] = requests;
  if (first === undefined) return;
  if (action === 'open') await openRequest(connectionId, first.id);
  else if (action === 'replay') await replay(app, connectionId, first);
  else await addToSheet(app, connectionId, requests);
}

/** Everything about a request, as a document to read. */
export async function openRequest(connectionId: string, requestId: number): Promise<void> {
  const uri = requestUri(connectionId, requestId);
  await showBeside(await vscode.workspace.openTextDocument(uri));
}

/** Values as the form of a run panel takes them. */
function variablesIn(value: unknown): readonly RunVariable[] {
  return Object.entries(pairsIn(value) ?? {}).map(([name, given]) =>
    typeof given === 'string'
      ? { name, kind: 'text', text: given }
      : { name, kind: 'json', text: laidOut(given) },
  );
}

/** A request without a prompt asks once more what it has asked. */
async function askAgain(connectionId: string, detail: RequestDetail): Promise<void> {
  const blueprint = replayable(detail);
  if (blueprint === undefined) {
    throw new ValidationError(
      t("The log doesn't have the messages of request {0}.", detail.request_id),
      { hint: t('Only chats and requests of prompts can be run again.') },
    );
  }
  await runCommand('promptTables.runPrompt', {
    ...{ connectionId, promptName: t('Request {0}', detail.request_id) },
    unpublished: { kind: 'kept' },
    from: { variables: [], record: null, isStarted: false, blueprint },
  });
}

/** A run panel with the prompt, the version and the variables of a request. */
async function replay(app: App, connectionId: string, request: FoundRequest): Promise<void> {
  const { prompt_name: promptName } = request;
  const { signal } = app;
  const client = await app.connections.client(connectionId, { signal });
  const detail = await client.requests.get(request.id, { signal });
  if (typeof promptName !== 'string' || promptName === '') {
    await askAgain(connectionId, detail);
    return;
  }
  const version = request['prompt_version_number'] ?? detail['prompt_version_number'];
  const variables = variablesIn(detail['prompt_input_variables']);
  const from = { variables, record: null, isStarted: false };
  const { engine: model, provider_type: provider } = request;
  await runCommand('promptTables.runPrompt', {
    ...{ connectionId, promptName },
    choice: typeof version === 'number' ? { kind: 'version', version } : { kind: 'latest' },
    ...(typeof model === 'string' &&
      typeof provider === 'string' && { model: { provider, name: model } }),
    ...(variables.length > 0 && { from }),
  });
  if (variables.length === 0) {
    setStatusBarMessage(
      t("The service doesn't return the variables of request {0}.", request.id),
      8000,
    );
  }
}

/** Fields that become columns, unless others are chosen. */
const usualFields = ['input', 'output', 'model', 'latency_ms', 'price'] as const;
const otherFields = [
  ...['request_id', 'prompt_name', 'prompt_version_number', 'input_variables', 'provider'],
  ...[
    'input_tokens',
    'output_tokens',
    'status',
    'request_start_time',
    'tags',
    'metadata',
    'scores',
  ],
] as const;

/** A row of a sheet for each request. */
async function addToSheet(
  app: App,
  connectionId: string,
  requests: readonly FoundRequest[],
): Promise<void> {
  const title =
    requests.length === 1
      ? t('Add 1 request to a sheet')
      : t('Add {0} requests to a sheet', requests.length);
  const address = await pickSheet(app, title, { connectionId });
  const { tableId, sheetId } = address;
  const { signal } = app;
  const client = await app.connections.client(connectionId, { signal });
  const ids = requests.map(({ id }) => id);
  const wanted = await chooseColumns(title, async () =>
    client.requests.suggestions(
      {
        field: 'input_variable_keys',
        filterGroup: { logic: 'AND', filters: [{ field: 'pl_id', operator: 'in', value: ids }] },
      },
      { signal },
    ),
  );
  const started = await client.tables.imports.requestLogs(
    { tableId, sheetId },
    {
      request_log_ids: ids,
      variables_to_parse: [...wanted.variables],
      include_fields: [...wanted.fields],
    },
    { signal },
  );
  const rows = await withProgress(app, { title, where: 'notification' }, async (stop, progress) => {
    let added = 0;
    for await (const { operation } of client.tables.imports.watch(tableId, started.operation_id, {
      ...{ firstDelayMs: 100, maxDelayMs: 1000, signal: stop },
    })) {
      if (operation.status === 'failed' || operation.status === 'cancelled') {
        throw new ServerError(t('The requests could not be added to {0}.', address.sheet.title), {
          hint: operation.error_message ?? operation.message ?? undefined,
        });
      }
      added = operation.rows_added ?? added;
      progress.report({ message: t('{0} rows', added) });
    }
    return added;
  });
  app.changes.tell({ connectionId, tableId, sheetId, what: 'columns' });
  app.changes.tell({ connectionId, tableId, sheetId, what: 'rows' });
  const open = t('Open sheet');
  const text = t(
    '{0} requests are rows of {1}.',
    rows === 0 ? ids.length : rows,
    address.sheet.title,
  );
  void showInformationMessage(text, open).then((choice) => {
    if (choice === open) {
      void runCommand('promptTables.openSheet', { connectionId, tableId, sheetId });
    }
  });
}

interface Columns {
  readonly variables: readonly string[];
  readonly fields: readonly string[];
}

/** Variables first: they are what a sheet is tried with. */
async function chooseColumns(
  title: string,
  variableNames: () => Promise<readonly unknown[]>,
): Promise<Columns> {
  const items = variableNames().then((names) => [
    ...names
      .filter((name) => typeof name === 'string')
      .map((label) => ({ label, description: t('variable'), picked: true, isVariable: true })),
    ...usualFields.map((label) => ({ label, picked: true, isVariable: false })),
    ...otherFields.map((label) => ({ label, picked: false, isVariable: false })),
  ]);
  const picked = await showQuickPick(items, {
    ...{ title, canPickMany: true },
    placeHolder: t('Fields to add as columns'),
  });
  // A dismissed pick hides a failed list; the list's own error comes first.
  await items;
  if (picked === undefined || picked.length === 0) {
    throw new CancelledError('The choice was dismissed.');
  }
  const labels = (isVariable: boolean): readonly string[] =>
    picked.filter((item) => item.isVariable === isVariable).map(({ label }) => label);
  return { variables: labels(true), fields: labels(false) };
}
