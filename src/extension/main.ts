import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { saidEnding } from '../core/providers/ending.ts';
import type { PromptTablesApi } from './shell/api.ts';
import type { App } from './shell/app.ts';
import { Changes } from './shell/changes.ts';
import { writesSettled } from './shell/last-writes.ts';
import { UsesInCode } from './shell/code-uses.ts';
import { ownEnvironment, providerKeys, providerLookUp } from './connections/environment.ts';
import { registerAssistants } from './assistants/register.ts';
import { registerCode } from './code/register.ts';
import { registerColumnForms } from './column-form/register.ts';
import { registerScorecardForm } from './scorecard/register.ts';
import { registerConnections } from './connections/register.ts';
import { ConnectionStore } from './connections/store.ts';
import { DisposableStore } from './shell/dispose.ts';
import { Errors } from './shell/errors.ts';
import { registerEvals } from './evals/register.ts';
import { registerRequestLog } from './requests/register.ts';
import { registerComparison } from './compare/register.ts';
import { registerGrids } from './grid/register.ts';
import { registerImports } from './import/register.ts';
import { registerLinks } from './links/register.ts';
import { registerMatrices } from './matrix/register.ts';
import { serviceEnvironment } from './local-service/environment.ts';
import { KeptAnswers } from './shell/kept-answers.ts';
import { vscodeModels } from './language-models/host.ts';
import { LocalService } from './local-service/local-service.ts';
import { registerLocalService } from './local-service/register.ts';
import { Log } from './shell/log.ts';
import { makeApi } from './make-api.ts';
import { OpenSheets } from './shell/open-sheets.ts';
import { OperationTracker } from './operations/tracker.ts';
import { registerOperations } from './operations/register.ts';
import { registerPrompts } from './prompts/register.ts';
import { promptLanguage } from './prompts/schemes.ts';
import { registerProviderKeys } from './provider-keys/register.ts';
import type { RunHistory } from './kept-runs/run-history.ts';
import { registerRunPanels } from './run-panel/register.ts';
import { registerRuns } from './runs/register.ts';
import { registerSample } from './sample/register.ts';
import { Secrets } from './shell/secrets.ts';
import { registerSheetTools } from './sheet-tools.ts';
import { Settings } from './shell/settings.ts';
import { showErrorMessage } from './shell/shown.ts';
import { registerTree } from './tree/register.ts';
import { UnsavedWork } from './shell/unsaved-work.ts';
import { registerWorkflowPanels } from './workflow-panel/register.ts';
import { registerWorkflows } from './workflows/register.ts';

const stopping = new AbortController();
/** How long a window that goes waits for what is being written. */
const lastWritesMs = 2000;
let lastWrites: () => Promise<unknown> = () => Promise.resolve();

/** Builds what the features share and registers them. No network, no process, no file is touched. */
export function activate(context: vscode.ExtensionContext): PromptTablesApi {
  try {
    return start(context);
  } catch (error) {
    // VS Code itself would show nothing.
    const reason = error instanceof Error ? error.message : String(error);
    void showErrorMessage(vscode.l10n.t('Prompt Tables could not start: {0}', reason));
    throw error;
  }
}

function start(context: vscode.ExtensionContext): PromptTablesApi {
  const began = process.cpuUsage();
  const own = new DisposableStore();
  context.subscriptions.push(own);
  const log = own.add(new Log());
  const settings = own.add(new Settings(log));
  const secrets = own.add(new Secrets(context.secrets, log, 'connection'));
  const providerSecrets = own.add(new Secrets(context.secrets, log, 'provider'));
  const changes = own.add(new Changes());
  const errors = new Errors(log);
  const service = new LocalService({
    dataPath: path.join(context.globalStorageUri.fsPath, 'local'),
    entry: context.asAbsolutePath(path.join('dist', 'service.mjs')),
    version: (context.extension.packageJSON as { readonly version: string }).version,
    idleSeconds: () => settings.get('localService.idleSeconds'),
    addresses: own.add(new Secrets(context.secrets, log, 'database')),
    environment: (key, databaseUrl) =>
      serviceEnvironment({
        ...{ key, databaseUrl },
        environment: ownEnvironment(),
        settings: settings.localService(),
        isTrusted: vscode.workspace.isTrusted,
        isElectron: 'electron' in process.versions,
      }),
    providerKeys: () => providerKeys(providerSecrets),
    isTrusted: () => vscode.workspace.isTrusted,
    languageModels: {
      requests: () => settings.get('localService.vscodeModels'),
      ask: (body, signal) => vscodeModels.vscode(body, signal),
    },
    ...{ log, t: vscode.l10n.t },
    onReplaced: (access) => connections.localReplaced(access),
    onGivenUp: (error) => errors.show(error, { doing: 'The local service' }),
  });
  const handOver = (): void => {
    service
      .heldWithChanged()
      .catch((error: unknown) =>
        log.warn('Keys and settings did not reach the local service.', error),
      );
  };
  own.add(providerSecrets.onDidChange(handOver));
  own.add(
    settings.onDidChange((isChanged) => {
      if (isChanged('localService.vscodeModels')) handOver();
    }),
  );
  const answers = new KeptAnswers(context.globalStorageUri.fsPath);
  const startLocal = () => service.access();
  const connections = own.add(
    new ConnectionStore({
      ...{ context, log, settings, secrets, startLocal, answers },
      providerEnvironment: providerLookUp(providerSecrets),
    }),
  );
  own.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      handOver();
      // With the key of a trusted window from now on.
      connections.renew('local');
    }),
  );
  const { signal } = stopping;
  const operations = own.add(new OperationTracker({ changes, connections, errors, signal }));
  let opened: Promise<RunHistory> | undefined;
  const openHistory = async (): Promise<RunHistory> => {
    const { historyFolder, RunHistory } = await import('./panel-parts.ts');
    return new RunHistory(await historyFolder(context, log), () => settings.get('runs.keep'));
  };
  const history = () => (opened ??= openHistory());
  lastWrites = async () => Promise.all([(await opened)?.settled(), writesSettled()]);
  const app: App = {
    environment: ownEnvironment,
    ...{ context, log, settings, secrets, providerSecrets, connections },
    ...{ errors, changes, operations, history, answers, signal },
    endingOf: saidEnding,
    openSheets: new OpenSheets(),
    unsaved: new UnsavedWork(),
    usesInCode: new UsesInCode(),
  };
  own.add(registerConnections(app, connections));
  own.add(registerLocalService(app, service));
  own.add(registerOperations(app));
  own.add(registerSample(app));
  own.add(registerGrids(app));
  own.add(registerComparison(app));
  own.add(registerRequestLog(app));
  own.add(registerColumnForms(app));
  own.add(registerScorecardForm(app));
  own.add(registerEvals(app));
  own.add(registerSheetTools(app));
  own.add(registerImports(app));
  own.add(registerLinks(app));
  own.add(registerProviderKeys(app));
  own.add(registerAssistants(app));
  own.add(registerRunPanels(app));
  own.add(registerMatrices(app));
  own.add(registerWorkflowPanels(app));
  const prompts = own.add(registerPrompts(app));
  own.add(registerCode(app, promptLanguage));
  const workflows = own.add(registerWorkflows(app));
  own.add(registerRuns(app));
  const { model } = own.add(registerTree(app));
  const { user, system } = process.cpuUsage(began);
  const activationMs = (user + system) / 1000;
  return makeApi({
    ...{ app, connections, service, model, activationMs },
    prompts: prompts.model,
    workflows: workflows.model,
  });
}

/**
 * What is under way is aborted, and writes down what has come; the rest goes with the subscriptions.
 */
export async function deactivate(): Promise<void> {
  stopping.abort(new vscode.CancellationError());
  const limit = pause(lastWritesMs, undefined, { ref: false });
  // Those that were aborted say so in turns of their own.
  await pause(0);
  await Promise.race([lastWrites(), limit]);
}
