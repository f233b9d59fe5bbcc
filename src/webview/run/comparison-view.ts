import type { ComparisonRun, RunProgress, RunStatus } from '../../protocol/run.ts';
import { el, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { StatusLine } from '../common/status-line.ts';
import { factsOf } from './facts.ts';
import type { OutputOptions } from './output-view.ts';
import { OutputView } from './output-view.ts';
import { SchemaLine } from './schema-line.ts';

export interface ComparisonOptions extends OutputOptions {
  readonly showRequest: (requestId: number) => void;
  /** Something of it has changed that a comparison looks at. */
  readonly changed: () => void;
  readonly signal: AbortSignal;
}

/** Beside the answer: what it is compared with. */
export class ComparisonView {
  readonly element = el('section', 'lane comparison', { 'aria-label': t('Compared with') });
  readonly output: OutputView;
  readonly #title = el('h2', 'lane-title', { dir: 'auto' });
  readonly #problem = el('p', 'fault', { role: 'alert' });
  readonly #status: StatusLine;
  readonly #schema = new SchemaLine();
  readonly #options: ComparisonOptions;
  #now: RunStatus | undefined;
  #kind: ComparisonRun['kind'] = 'model';

  constructor(options: ComparisonOptions) {
    this.#options = options;
    this.output = new OutputView(options);
    this.output.element.setAttribute('aria-label', t('Compared answer'));
    this.#status = new StatusLine(options.signal, t('Compared run'));
    this.element.hidden = true;
  }

  get isRunning(): boolean {
    return this.#now?.state === 'running';
  }

  /** There is an answer, and it is whole. */
  get isOver(): boolean {
    const isEnded = this.#now !== undefined && this.#now.state !== 'running';
    return !this.element.hidden && isEnded && !this.output.isEmpty;
  }

  show(comparisonRun: ComparisonRun | null): void {
    this.element.hidden = comparisonRun === null;
    this.output.clear();
    this.#now = undefined;
    if (comparisonRun === null) {
      this.element.replaceChildren();
      this.#options.changed();
      return;
    }
    this.element.replaceChildren(
      ...[this.#title, this.#problem, this.output.element],
      ...[this.#schema.element, this.#status.element],
    );
    this.#kind = comparisonRun.kind;
    setText(this.#title, comparisonRun.title);
    this.output.apply(comparisonRun.run.parts.map((part) => ({ ...part, replace: false })));
    this.#show(comparisonRun.run.status);
  }

  started(status: RunStatus): void {
    this.output.clear();
    this.#show(status);
  }

  progress({ status, changes }: RunProgress): void {
    // What is late of a run before has no place here.
    if (status.runId !== this.#now?.runId) return;
    this.output.apply(changes);
    this.#show(status);
  }

  #show(status: RunStatus): void {
    this.#now = status;
    const { before, after } = factsOf(status, this.#options.showRequest);
    this.#status.show(status, before, after);
    this.#schema.show(status.schema);
    const { problem } = status;
    const words = problem === undefined ? '' : [problem.message, problem.hint].filter(Boolean);
    setText(this.#problem, typeof words === 'string' ? words : words.join(' '));
    this.#problem.hidden = problem === undefined;
    if (status.state !== 'running') this.output.end();
    this.output.showEmpty(this.#emptyText(status));
    this.#options.changed();
  }

  #emptyText({ state }: RunStatus): string {
    if (state === 'running') return t('Waiting for the first token…');
    if (state !== 'idle') return t('No answer.');
    return this.#kind === 'last'
      ? t('After the next run, the previous answer appears here.')
      : t('Select Run: both models respond at the same time.');
  }
}
