import type { App } from '../shell/app.ts';
import type { RunEntry } from '../kept-runs/run-history.ts';
import { addMetadata, open, remove, removeAll, rerun, score } from './actions.ts';
import { addToSheet } from './add-to-sheet.ts';
import { filter } from './ask-filter.ts';
import { runItemOf, runTooltip } from './item.ts';
import { RunsModel } from './model.ts';
import { filterText } from './words.ts';

/** What the Runs view and its commands need once somebody looks; not loaded at activation. */
export async function openRuns(app: App) {
  const history = await app.history();
  const model = new RunsModel(app.errors, history);
  return {
    model,
    itemOf: (entry: RunEntry) => runItemOf(entry, model.isMixed),
    tooltip: runTooltip,
    filterText: () => filterText(model.filter),
    actions: { addMetadata, addToSheet, filter, open, remove, removeAll, rerun, score },
  };
}
