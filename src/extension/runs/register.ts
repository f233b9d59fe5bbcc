import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { runsViewId } from '../contributions.ts';
import { DisposableStore } from '../shell/dispose.ts';
import type { Disposable } from '../shell/dispose.ts';
import type { RunEntry } from '../kept-runs/run-history.ts';
import type { openRuns } from './view.ts';
import { createTreeView } from '../shell/shown.ts';

type RunsCommandId = `promptTables.${
  | 'refreshRuns'
  | 'clearRunFilter'
  | 'filterRuns'
  | 'openRun'
  | 'rerunRun'
  | 'scoreRun'
  | 'addRunMetadata'
  | 'addRunToSheet'
  | 'deleteRun'
  | 'deleteAllRuns'}`;
type Runs = Awaited<ReturnType<typeof openRuns>>;

/** The Runs view. Reads and loads nothing until it is looked at or one of its commands is run. */
export function registerRuns(app: App): Disposable {
  const own = new DisposableStore();
  const changed = own.add(new vscode.EventEmitter<undefined>());
  let opening: Promise<Runs> | undefined;
  const open = async (): Promise<Runs> => {
    const parts = await import('../panel-parts.ts');
    const runs = await parts.openRuns(app);
    own.add(runs.model);
    own.add(runs.model.onDidChange(() => changed.fire(undefined)));
    return runs;
  };
  const opened = (): Promise<Runs> => (opening ??= open());
  const view = own.add(
    createTreeView<RunEntry>(runsViewId, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: async (entry) => (await opened()).itemOf(entry),
        async getChildren(entry) {
          if (entry !== undefined) return [];
          const { model, filterText } = await opened();
          const shown = await model.shown();
          view.message = model.message;
          view.description = filterText();
          return [...shown];
        },
        async resolveTreeItem(item, entry) {
          item.tooltip = (await opened()).tooltip(entry);
          return item;
        },
      },
    }),
  );
  const on = (id: RunsCommandId, work: (runs: Runs, given: unknown) => unknown): void => {
    own.add(registerCommand(app, id, async (given) => work(await opened(), given)));
  };
  on('promptTables.refreshRuns', ({ model }) => model.refresh());
  on('promptTables.clearRunFilter', ({ model }) => {
    model.filter = {};
  });
  on('promptTables.filterRuns', ({ actions, model }) => actions.filter(model));
  on('promptTables.openRun', ({ actions, model }, run) => actions.open(app, model, run));
  on('promptTables.rerunRun', ({ actions, model }, run) => actions.rerun(app, model, run));
  on('promptTables.scoreRun', ({ actions, model }, run) => actions.score(app, model, run));
  on('promptTables.addRunMetadata', ({ actions, model }, run) =>
    actions.addMetadata(app, model, run),
  );
  on('promptTables.addRunToSheet', ({ actions, model }, run) =>
    actions.addToSheet(app, model, run),
  );
  on('promptTables.deleteRun', ({ actions, model }, run) => actions.remove(app, model, run));
  on('promptTables.deleteAllRuns', ({ actions, model }) => actions.removeAll(app, model));
  return own;
}
