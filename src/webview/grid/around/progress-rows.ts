import { el, setText } from '../../common/dom.ts';
import { button } from '../../common/buttons.ts';
import { t } from '../../common/language.ts';

export interface ShownOperation {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

interface Parts {
  readonly row: HTMLElement;
  readonly text: HTMLElement;
  readonly bar: HTMLElement;
  readonly fill: HTMLElement;
  readonly failed: HTMLElement;
}

function makeParts(
  { id, title }: ShownOperation,
  cancel: (operationId: string) => Promise<void>,
): Parts {
  const fill = el('span', 'bar-fill');
  const failed = el('span', 'bar-failed');
  const bar = el(
    'div',
    'bar',
    { role: 'progressbar', 'aria-label': title, 'aria-valuemin': '0', 'aria-valuemax': '100' },
    [fill, failed],
  );
  const text = el('span', 'progress-text');
  const stop = button({
    label: t('Cancel'),
    icon: 'debug-stop',
    look: 'secondary',
    run: (pressed) => {
      pressed.disabled = true;
      void cancel(id);
    },
  });
  const row = el('div', 'progress-row', { 'data-operation': id }, [
    el('span', 'progress-title', {}, [title]),
    bar,
    text,
    stop,
  ]);
  return { row, text, bar, fill, failed };
}

/** Where the operations of the sheet stand, each with its own Cancel. */
export class ProgressRows {
  readonly element = el('div', 'progress-rows');
  readonly #cancel: (operationId: string) => Promise<void>;
  readonly #rows = new Map<string, Parts>();

  constructor(cancel: (operationId: string) => Promise<void>) {
    this.#cancel = cancel;
  }

  show(operations: readonly ShownOperation[]): void {
    const ids = new Set(operations.map(({ id }) => id));
    for (const [id, { row }] of this.#rows) {
      if (ids.has(id)) continue;
      row.remove();
      this.#rows.delete(id);
    }
    for (const operation of operations) this.#update(operation);
  }

  /** A cancellation that failed can be tried again. */
  allowCancel(operationId: string): void {
    const cancel = this.#rows.get(operationId)?.row.querySelector('button');
    if (cancel) cancel.disabled = false;
  }

  #update(operation: ShownOperation): void {
    const { id, text, done, failed, total } = operation;
    let parts = this.#rows.get(id);
    if (parts === undefined) {
      parts = makeParts(operation, this.#cancel);
      this.#rows.set(id, parts);
      this.element.append(parts.row);
    }
    const percent = (count: number): number => (total > 0 ? (count / total) * 100 : 0);
    setText(parts.text, text);
    parts.bar.setAttribute('aria-valuenow', String(Math.round(percent(done))));
    parts.bar.setAttribute('aria-valuetext', text);
    parts.fill.style.width = `${percent(done - failed)}%`;
    parts.failed.style.width = `${percent(failed)}%`;
  }
}
