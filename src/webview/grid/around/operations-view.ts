import type { OperationProgress } from '../../../protocol/grid-sheet.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import type { Announcer } from '../../common/announcer.ts';
import { t } from '../../common/language.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { statusPresentation } from '../rows/cells.ts';
import { doneOf, ProgressRate, spellProgress } from './progress.ts';
import { ProgressRows } from './progress-rows.ts';

/** The running operations on screen and in speech, with their rates. */
export class OperationsView {
  readonly rows: ProgressRows;
  readonly #announcer: Announcer;
  readonly #rates = new Map<string, ProgressRate>();
  #known = new Map<string, OperationProgress>();

  constructor(model: SheetModel, announcer: Announcer, actions: GridActions) {
    this.#announcer = announcer;
    this.rows = new ProgressRows(async (id) => {
      if (!(await actions.cancelOperation(id))) this.rows.allowCancel(id);
    });
    // Not once a frame: the end of a short run must be said too.
    model.changes.atOnce(['operations'], () => this.#show(model.sheet.operations));
  }

  #show(operations: readonly OperationProgress[]): void {
    const active = operations.filter(({ finished }) => !finished);
    for (const id of this.#rates.keys()) {
      if (!active.some(({ operationId }) => operationId === id)) this.#rates.delete(id);
    }
    const shown = active.map((operation) => {
      const { operationId: id, failed, total } = operation;
      const done = doneOf(operation);
      const text = spellProgress(operation, this.#rateOf(id, done));
      return { id, title: t('Running cells'), text, done, failed, total };
    });
    this.rows.show(shown);
    const ended = operations.find(
      ({ operationId, finished }) => finished && this.#known.get(operationId)?.finished === false,
    );
    if (ended !== undefined) {
      this.#announcer.say(
        t('Run {0}: {1}', statusPresentation(ended.status).within, spellProgress(ended, undefined)),
      );
    } else if (shown[0] !== undefined) this.#announcer.say(shown[0].text);
    this.#known = new Map(operations.map((each) => [each.operationId, each]));
  }

  #rateOf(operationId: string, done: number): number | undefined {
    const rate = this.#rates.get(operationId) ?? new ProgressRate();
    this.#rates.set(operationId, rate);
    rate.add(performance.now(), done);
    return rate.perSecond();
  }
}
