import type { GridActions } from '../actions/grid-actions.ts';
import type { Host } from '../connection.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { Banners } from './banners.ts';

export interface ShowProblemsOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly banners: Banners;
  readonly actions: GridActions;
}

/** Above the rows stands what is wrong with all of them, with what can be done about it. */
export function showProblems({ host, model, banners, actions }: ShowProblemsOptions): void {
  model.changes.atOnce(['problem'], () => {
    const { problem } = model.view;
    const close = problem?.isGone === true && (() => host.tell('close', null));
    banners.showProblem(problem, problem?.retry ? actions.reload : undefined, close);
  });
}
