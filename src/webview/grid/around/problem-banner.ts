import type { GridActions } from '../actions/grid-actions.ts';
import type { Host } from '../connection.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { Banners } from './banners.ts';

export interface ProblemBannerOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly banners: Banners;
  readonly actions: GridActions;
}

/** What is wrong with the connection or the sheet as a whole, and what can be done about it. */
export class ProblemBanner {
  constructor({ host, model, banners, actions }: ProblemBannerOptions) {
    model.changes.atOnce(['problem'], () => {
      const { problem } = model.view;
      const close = problem?.isGone === true && (() => host.tell('close', null));
      banners.showProblem(problem, problem?.retry ? actions.reload : undefined, close);
    });
  }
}
