import * as vscode from 'vscode';
import { CancelledError, ValidationError } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { runCommand } from '../shell/commands.ts';
import type { RunDetail, RunEntry } from '../kept-runs/run-history.ts';
import { choiceRun } from './again.ts';
import { isMixed, runItemOf, timeText } from './item.ts';
import type { RunsModel } from './model.ts';
import { confirmed, showInputBox, showQuickPick } from '../shell/questions.ts';
import { setStatusBarMessage } from '../shell/shown.ts';

async function asked<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  title: string,
): Promise<Item> {
  const picked = await showQuickPick(items, { title, matchOnDescription: true });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked;
}

async function askedText(options: vscode.InputBoxOptions): Promise<string> {
  const entered = await showInputBox({ ...options });
  if (entered === undefined) throw new CancelledError('The input was dismissed.');
  return entered;
}

/** The run that a menu hands over, or one that is chosen. Read anew: it may have been removed. */
export async function runOf(
  model: RunsModel,
  given: unknown,
  title: string,
  isOffered: (entry: RunEntry) => boolean = () => true,
): Promise<RunEntry> {
  const all = (await model.all()).filter(isOffered);
  const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : undefined;
  const known = all.find((entry) => entry.id === id);
  if (known !== undefined) return known;
  if (all.length === 0) {
    throw new ValidationError(vscode.l10n.t('There are no runs to select.'), {
      hint: vscode.l10n.t('Run a prompt or a workflow first.'),
    });
  }
  const isAmongOthers = isMixed(all);
  const items = all.map((entry) => {
    const { label, description } = runItemOf(entry, isAmongOthers);
    return {
      label: typeof label === 'string' ? label : entry.name,
      description: typeof description === 'string' ? description : '',
      entry,
    };
  });
  return (await asked(items, title)).entry;
}

/** What a run has given; throws when its file is gone. */
export async function detailOf(app: App, { id }: RunEntry): Promise<RunDetail> {
  const detail = await (await app.history()).detail(id);
  if (detail !== undefined) return detail;
  throw new ValidationError(vscode.l10n.t('The output of this run is no longer kept.'));
}

/** The service tells what a run of a prompt has cost after its record was written. */
const withPrice = (record: unknown, priceUsd: number | undefined): unknown =>
  typeof record === 'object' &&
  record !== null &&
  'status' in record &&
  typeof record.status === 'object' &&
  priceUsd !== undefined
    ? { ...record, status: { ...record.status, priceUsd } }
    : record;

async function show(app: App, entry: RunEntry, isStarted: boolean): Promise<void> {
  const { connectionId, name, kind, askedModel: model, parameters } = entry;
  const choice = choiceRun(entry);
  if (entry.state === 'running' && !isStarted) {
    throw new ValidationError(vscode.l10n.t('This run is still going on.'), {
      hint: vscode.l10n.t('Open it here when it has ended; until then, its tab shows it.'),
    });
  }
  if (app.connections.get(connectionId) === undefined) {
    throw new ValidationError(
      vscode.l10n.t('The workspace {0} is no longer connected.', entry.workspace),
      { hint: vscode.l10n.t('Connect to it again to open its runs.') },
    );
  }
  const { variables, record, blueprint } = await detailOf(app, entry);
  if (kind === 'prompt') {
    if (entry.isUnpublished === true && blueprint === undefined) {
      throw new ValidationError(
        vscode.l10n.t('The prompt that ran was not published, and is no longer kept.'),
      );
    }
    const from = {
      ...{ variables, record: withPrice(record, entry.priceUsd), isStarted },
      ...(blueprint !== undefined && { blueprint }),
    };
    await runCommand('promptTables.runPrompt', {
      ...{ connectionId, promptName: name, choice, from },
      ...(model !== undefined && { model }),
      ...(parameters !== undefined && { parameters }),
      ...(blueprint !== undefined && { unpublished: { kind: 'kept' } }),
    });
  } else {
    const from = { variables, record, isStarted };
    await runCommand('promptTables.runWorkflow', {
      connectionId,
      workflowName: name,
      choice,
      from,
    });
  }
}

/** A panel with the variables and the result of a run. */
export async function open(app: App, model: RunsModel, given: unknown): Promise<void> {
  await show(app, await runOf(model, given, vscode.l10n.t('Open run')), false);
}

/** A panel that runs the same once more, with the same variables. */
export async function rerun(app: App, model: RunsModel, given: unknown): Promise<void> {
  const entry = await runOf(model, given, vscode.l10n.t('Run again'));
  const { current } = app.connections;
  const { connectionId, name } = entry;
  const place = app.connections.get(connectionId);
  if (place !== undefined && current !== undefined && current.id !== connectionId) {
    await confirmed(
      vscode.l10n.t('Run {0} again in the workspace {1}?', name, place.name),
      vscode.l10n.t('Run Again'),
      vscode.l10n.t('The workspace in use is {0}.', current.name),
    );
  }
  await show(app, entry, true);
}

async function loggedRun(
  model: RunsModel,
  given: unknown,
  title: string,
): Promise<RunEntry & { readonly requestId: number }> {
  const isLogged = ({ requestId }: RunEntry): boolean => requestId !== undefined;
  const { requestId, ...entry } = await runOf(model, given, title, isLogged);
  if (requestId !== undefined) return { ...entry, requestId };
  throw new ValidationError(vscode.l10n.t('This run was not logged by the service.'));
}

/** Scores the logged request of a run. */
export async function score(app: App, model: RunsModel, given: unknown): Promise<void> {
  const title = vscode.l10n.t('Score run');
  const entry = await loggedRun(model, given, title);
  const entered = await askedText({
    title,
    prompt: vscode.l10n.t('A whole number from 0 to 100'),
    validateInput: (text) =>
      /^\s*(?:\d{1,2}|100)\s*$/.test(text)
        ? undefined
        : vscode.l10n.t('Enter a whole number from 0 to 100.'),
  });
  const name = (
    await askedText({ title, prompt: vscode.l10n.t('Name of the score; empty for the main one') })
  ).trim();
  const { signal } = app;
  const value = Number(entered);
  const client = await app.connections.client(entry.connectionId, { signal });
  const { requestId } = entry;
  await client.track.score({ requestId, score: value, ...(name !== '' && { name }) }, { signal });
  const key = name === '' ? vscode.l10n.t('score') : name;
  await (await app.history()).change(entry.id, { scores: { ...entry.scores, [key]: value } });
}

/** Adds a key with a value to the metadata of the logged request of a run. */
export async function addMetadata(app: App, model: RunsModel, given: unknown): Promise<void> {
  const title = vscode.l10n.t('Add metadata to run');
  const entry = await loggedRun(model, given, title);
  const key = await askedText({
    title,
    prompt: vscode.l10n.t('Key'),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a key.') : undefined),
  });
  const value = await askedText({ title, prompt: vscode.l10n.t('Value of {0}', key.trim()) });
  const { signal } = app;
  const client = await app.connections.client(entry.connectionId, { signal });
  await client.track.metadata(
    { requestId: entry.requestId, metadata: { [key.trim()]: value } },
    { signal },
  );
  setStatusBarMessage(
    vscode.l10n.t('{0} was added to request {1}.', key.trim(), entry.requestId),
    5000,
  );
}

/** Forgets a run here; what the service has logged stays. */
export async function remove(app: App, model: RunsModel, given: unknown): Promise<void> {
  const entry = await runOf(model, given, vscode.l10n.t('Delete run'));
  await confirmed(
    vscode.l10n.t('Delete the run of {0} from {1}?', entry.name, timeText(entry)),
    vscode.l10n.t('Delete'),
    vscode.l10n.t(
      'Its variables and output are deleted. Requests that the service logged are kept.',
    ),
  );
  await (await app.history()).remove([entry.id]);
}

export async function removeAll(app: App, model: RunsModel): Promise<void> {
  const all = await model.all();
  await confirmed(
    vscode.l10n.t('Clear the run history of this workspace folder ({0} runs)?', all.length),
    vscode.l10n.t('Delete'),
    vscode.l10n.t('Requests that services logged are kept.'),
  );
  await (await app.history()).remove(all.map(({ id }) => id));
}
