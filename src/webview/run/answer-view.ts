import type { RunSnapshot, RunStatus } from '../../protocol/run.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { StatusLine } from '../common/status-line.ts';
import { clearDifferences, markDifferences } from './differences.ts';
import { factsOf } from './facts.ts';
import { OutputView } from './output-view.ts';
import { SchemaLine } from './schema-line.ts';
import { ComparisonView } from './comparison-view.ts';
import { emptyText, spellDifferences } from './words.ts';

export interface AnswerOptions {
  readonly loadImage: (id: string) => Promise<string>;
  readonly onFault: (fault: unknown) => void;
  readonly showRequest: (requestId: number) => void;
  /** The run beside it has begun or ended. */
  readonly comparisonRunChanged: () => void;
  /** The user has scrolled, and stays where he is. */
  readonly scrolled: () => void;
  /** The user has chosen how answers are shown. */
  readonly markdownChosen: (isMarkdown: boolean) => void;
  readonly signal: AbortSignal;
}

/** A pause in scrolling after which the place is kept. */
const scrollPauseMs = 200;

/** The answer, and beside it what it is compared with. */
export class AnswerView {
  readonly output: OutputView;
  readonly comparisonRun: ComparisonView;
  readonly markdown: HTMLButtonElement;
  readonly differences = el('p', 'differences dim', { role: 'status' });
  readonly lanes: HTMLElement;
  readonly #options: AnswerOptions;
  readonly #statusLine: StatusLine;
  readonly #schema = new SchemaLine();
  /** Shown beside another answer only. */
  readonly #title = el('h2', 'lane-title', {}, [t('This run')]);
  #status: RunStatus | undefined;
  #isMarkdown = false;

  constructor(options: AnswerOptions) {
    const { loadImage, onFault, showRequest, signal } = options;
    this.#options = options;
    this.#statusLine = new StatusLine(signal);
    let scrolled: ReturnType<typeof setTimeout> | undefined;
    signal.addEventListener('abort', () => clearTimeout(scrolled));
    this.output = new OutputView({
      loadImage,
      onFault,
      onScroll: () => {
        clearTimeout(scrolled);
        scrolled = setTimeout(options.scrolled, scrollPauseMs);
      },
    });
    this.comparisonRun = new ComparisonView({
      ...{ loadImage, onFault, showRequest, signal },
      changed: () => {
        this.#title.hidden = this.comparisonRun.element.hidden;
        options.comparisonRunChanged();
        this.#showDifferences();
      },
    });
    this.differences.hidden = true;
    this.#title.hidden = true;
    this.markdown = button({
      label: 'Markdown',
      icon: 'file-text',
      run: () => {
        this.isMarkdown = !this.#isMarkdown;
        options.markdownChosen(this.#isMarkdown);
      },
    });
    this.lanes = el('div', 'lanes', {}, [
      el('div', 'lane', {}, [
        ...[this.#title, this.output.element, this.#schema.element, this.#statusLine.element],
      ]),
      this.comparisonRun.element,
    ]);
    this.isMarkdown = false;
  }

  get status(): RunStatus | undefined {
    return this.#status;
  }

  get isRunning(): boolean {
    return this.#status?.state === 'running' || this.comparisonRun.isRunning;
  }

  get hasRun(): boolean {
    return (this.#status?.runId ?? 0) > 0;
  }

  get isMarkdown(): boolean {
    return this.#isMarkdown;
  }

  set isMarkdown(isMarkdown: boolean) {
    this.#isMarkdown = isMarkdown;
    this.markdown.setAttribute('aria-pressed', String(isMarkdown));
    this.output.markdown = isMarkdown;
    this.comparisonRun.output.markdown = isMarkdown;
    this.#showDifferences();
  }

  /** A new answer, with what there is of it. */
  take(parts: RunSnapshot['parts']): void {
    this.output.clear();
    this.output.apply(parts.map((part) => ({ ...part, replace: false })));
  }

  /** Answers what stood there before. */
  showStatus(now: RunStatus): RunStatus | undefined {
    const before = this.#status;
    this.#status = now;
    const { before: first, after } = factsOf(now, this.#options.showRequest);
    this.#statusLine.show(now, first, after);
    this.#schema.show(now.schema);
    this.output.element.setAttribute('aria-busy', String(now.state === 'running'));
    if (now.state !== 'running') this.output.end();
    this.output.showEmpty(emptyText(now));
    this.#showDifferences();
    return before;
  }

  /** Once both answers are whole. */
  #showDifferences(): void {
    const status = this.#status;
    const isOver = status !== undefined && status.state !== 'running' && !this.output.isEmpty;
    const isCompared = isOver && this.comparisonRun.isOver;
    this.differences.hidden = !isCompared;
    if (!isCompared) {
      clearDifferences();
      return;
    }
    const count = markDifferences(this.output.element, this.comparisonRun.output.element);
    setText(this.differences, spellDifferences(count));
  }
}
