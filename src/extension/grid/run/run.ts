import type { RunOutcome, RunScope } from '../../../protocol/grid.ts';
import type { EditorHost } from '../editor-host.ts';
import type { RunPlan } from './run-plan.ts';
import { planRun } from './run-plan.ts';
import type { SheetState } from '../rows/sheet-state.ts';
import type { SheetSource } from '../rows/source.ts';

export interface RunContext {
  readonly state: SheetState;
  readonly source: SheetSource;
  readonly editorHost: EditorHost;
  readonly statusCounts: Readonly<Record<string, number>>;
  readonly sheetTitle: string;
}

type Nothing = Extract<RunPlan, { readonly kind: 'nothing' }>;

function reasonText(why: Nothing['why'], { t }: EditorHost): string {
  switch (why) {
    case 'noComputedColumn':
      return t("Nothing to run: these columns aren't computed.");
    case 'noStale':
      return t('Nothing to run: no cell is stale.');
    case 'noFailed':
      return t('Nothing to run: no cell has failed.');
    case 'noShownRows':
      return t('Nothing to run: the filter shows no row.');
    case 'noRows':
      return t('Nothing to run: no row is selected.');
  }
}

function subjectOf(scope: RunScope, { state, sheetTitle, editorHost: { t } }: RunContext): string {
  const within = (name: string): string => {
    const { view, count = 0 } = state.shown;
    if (view === undefined || count === state.rowCount) return name;
    return count === 1
      ? t('{0} in the 1 row shown', name)
      : t('{0} in the {1} rows shown', name, count);
  };
  switch (scope.kind) {
    case 'column':
      return within(state.columnOf(scope.columnId).title);
    case 'cell':
    case 'selection':
      return t('the selection');
    case 'rows':
      return t('the selected rows');
    case 'stale':
    case 'failed':
      return within(sheetTitle);
  }
}

/** Plans the run, and starts it; how many cells it takes is shown before. */
export async function run(
  scope: RunScope,
  context: RunContext,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { state, source, editorHost, statusCounts } = context;
  const { columns, rowCount } = state;
  const isFiltered = state.shown.view !== undefined;
  const shown = { shownCount: state.shown.count, isFiltered };
  const plan = planRun(scope, { columns, rowCount, ...shown, statusCounts });
  switch (plan.kind) {
    case 'nothing':
      return { outcome: 'nothing', message: reasonText(plan.why, editorHost) };
    case 'cell': {
      const { cell } = plan;
      const id = state.knownCellId(cell) ?? (await state.cell(cell, undefined, signal)).id;
      const answer = await source.recalculate([id], signal);
      if (answer.kind === 'nothing') {
        return {
          outcome: 'nothing',
          message: answer.message ?? editorHost.t('The cell is up to date.'),
        };
      }
      editorHost.changed({ operationId: answer.executionId });
      return { outcome: 'started', operationId: answer.executionId, cellCount: answer.cellCount };
    }
    case 'operation': {
      const rows = plan.rows && { row_ids: [...(await state.shown.rowIndices(plan.rows, signal))] };
      const { cells: cellCount, isUpperLimit } = plan;
      const subject = subjectOf(scope, context);
      const request = { ...plan.request, ...rows };
      return editorHost.runCells({ request, cellCount, isUpperLimit, subject }, signal);
    }
  }
}
