import { asSummary } from '../work-guards.ts';
import { explain, type Host } from '../connection.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { StatusLine } from '../around/status-line.ts';

export interface SelectionSumOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly status: StatusLine;
  readonly signal: AbortSignal;
}

const pauseMs = 150;

/** Sums up what is selected, once it has been for a moment. */
export class SelectionSum {
  readonly #options: SelectionSumOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked: AbortController | undefined;

  constructor(options: SelectionSumOptions) {
    this.#options = options;
    const { model, signal } = options;
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
    model.changes.eachFrame(['selection', 'layout', 'sheet'], () => this.#selected());
  }

  #selected(): void {
    const { model } = this.#options;
    this.#asked?.abort();
    this.#asked = undefined;
    clearTimeout(this.#timer);
    if (model.sheet.log !== undefined) return;
    if (model.isMultiple && model.selection.rows.length > 0) {
      this.#timer = setTimeout(() => void this.#ask(), pauseMs);
    }
  }

  async #ask(): Promise<void> {
    const { host, model, status } = this.#options;
    const asked = new AbortController();
    this.#asked = asked;
    try {
      const selection = model.selected();
      const summary = asSummary(await host.ask('summary', { selection }, asked.signal));
      if (this.#asked === asked) status.showSummary(summary);
    } catch (error) {
      if (this.#asked === asked) status.showSummaryFault(explain(error).message);
    }
  }
}
