import type {
  NodeReport,
  NodeValue,
  WorkflowHostEvents,
  WorkflowHostRequests,
  WorkflowPageState,
  WorkflowPanelView,
  WorkflowStatus,
  WorkflowReported,
  WorkflowViewEvents,
} from '../../protocol/workflow.ts';
import { Announcer } from '../common/announcer.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { focusIfNowhere, keepFocus } from '../common/focus.ts';
import type { Frame } from '../common/frame.ts';
import { Head } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { askWith, RunControls } from '../common/run-controls.ts';
import { StatusLine } from '../common/status-line.ts';
import { VariablesForm } from '../common/variables-form.ts';
import { GraphView } from './graph-view.ts';
import { ResultView } from './result-view.ts';
import { announcementOf, emptyText, stateWithin } from './words.ts';

function chosenIn(state: unknown): string | null {
  const isKept = typeof state === 'object' && state !== null && 'chosen' in state;
  return isKept && typeof state.chosen === 'string' ? state.chosen : null;
}

const isEnd = (state: NodeReport['state']): boolean =>
  state === 'done' || state === 'failed' || state === 'skipped';

/** A workflow with its form and graph, and what its nodes have given. */
export class WorkflowView {
  readonly element: HTMLElement;
  readonly #frame: Frame<WorkflowHostRequests, WorkflowHostEvents>;
  readonly #state: Page['state'];
  readonly #ask: ReturnType<typeof askWith>;
  readonly #announcer: Announcer;
  readonly #statusLine: StatusLine;
  readonly #form: VariablesForm;
  readonly #head: Head;
  readonly #graph: GraphView;
  readonly #result: ResultView;
  readonly #note = el('p', 'note dim', { role: 'status' });
  readonly #controls: RunControls;
  readonly #all: HTMLButtonElement;
  readonly #reports = new Map<string, NodeReport>();
  #page: WorkflowPageState | undefined;
  #status: WorkflowStatus | undefined;
  #final: NodeValue | undefined;

  constructor(frame: Frame<WorkflowHostRequests, WorkflowHostEvents>, { state }: Page) {
    const { channel, problems, signal } = frame;
    this.#frame = frame;
    this.#state = state;
    this.#ask = askWith(problems);
    this.#announcer = new Announcer(signal);
    this.#statusLine = new StatusLine(signal);
    this.#form = new VariablesForm({
      nothing: t('This workflow has no variables.'),
      tell: (variables) => channel.emit('variables', variables),
      askFilling: () => this.#ask(this.#fill()),
      signal,
    });
    this.#head = new Head(() => this.#ask(channel.request('choose', null)));
    this.#graph = new GraphView(() => {
      this.#keep();
      this.#showResult();
    });
    this.#result = this.#makeResult();
    this.#note.hidden = true;
    this.#controls = new RunControls({
      stopLabel: t('Cancel'),
      begin: () => this.begin(),
      stop: () => this.#ask(channel.request('stop', null)),
      signal,
    });
    this.#all = button({
      label: t('All outputs'),
      icon: 'json',
      run: () => this.#ask(channel.request('showAll', null)),
    });
    this.#all.title = t('Open what every node has done, as JSON');
    this.element = this.#lay();
    keepFocus(this.#result.element, () => (this.#status?.runId ?? 0) > 0, signal);
  }

  /** While there is nothing to show. */
  opening(): void {
    this.#head.element.textContent = t('Opening the workflow…');
  }

  show(view: WorkflowPanelView): void {
    this.#reports.clear();
    this.#take(view.run.nodes, view.run.final);
    this.#showStatus(view.run.status);
    this.showWorkflow(view);
    if (document.hasFocus() && document.activeElement === document.body) {
      (this.#form.firstField ?? this.#controls.run).focus();
    }
  }

  begin(): void {
    const { run } = this.#controls;
    if (this.#status?.state === 'running' || run.disabled || !this.#form.check()) return;
    this.#ask(this.#frame.channel.request('run', { variables: this.#form.values() }));
  }

  started(now: WorkflowStatus): void {
    this.#reports.clear();
    this.#final = undefined;
    this.#graph.clear();
    this.#showStatus(now);
  }

  progress({ status: now, nodes, final }: WorkflowViewEvents['progress']): void {
    // What is late of a run before has no place here.
    if (now.runId !== this.#status?.runId) return;
    this.#take(nodes, final);
    this.#showStatus(now, nodes);
  }

  showWorkflow({ page: now, presentation, problem }: WorkflowReported): void {
    const { channel, problems } = this.#frame;
    const graph = this.#graph;
    const isFirst = this.#page === undefined;
    this.#page = now;
    this.#head.show(presentation?.name ?? now.workflowName, presentation);
    if (presentation !== null) {
      this.#form.show(presentation.variables);
      graph.show(presentation.nodes);
      for (const report of this.#reports.values()) graph.report(report);
      const isKept = isFirst || graph.chosen === null;
      const chosen = isKept ? chosenIn(this.#state.get()) : graph.chosen;
      if (chosen !== null && graph.nodeNamed(chosen) !== undefined) graph.choose(chosen);
      this.#keep();
    }
    this.#controls.run.disabled = presentation === null || this.#status?.state === 'running';
    const retry = { label: t('Try again'), run: () => this.#ask(channel.request('reload', null)) };
    problems.show('prompt', problem, [retry]);
    this.#showResult();
  }

  #makeResult(): ResultView {
    const { channel } = this.#frame;
    return new ResultView({
      copy: (node) => {
        const copied = channel.request('copyOutput', { node });
        this.#ask(copied.then(() => this.#announcer.say(t('Output copied.'))));
      },
      open: (node) => this.#ask(channel.request('openOutput', { node })),
      showFinal: () => {
        this.#graph.choose(null);
        this.#result.element.focus();
      },
    });
  }

  #lay(): HTMLElement {
    const { run, stop } = this.#controls;
    return el('main', 'view', {}, [
      this.#head.element,
      this.#frame.problems.element,
      el('div', 'columns', {}, [
        this.#form.element,
        el('div', 'answer', {}, [
          el('div', 'bar', {}, [el('div', 'buttons', {}, [run, stop]), this.#all]),
          this.#graph.element,
          this.#note,
          this.#result.head,
          this.#result.element,
          this.#statusLine.element,
        ]),
      ]),
      this.#announcer.element,
    ]);
  }

  async #fill(): Promise<void> {
    const { channel } = this.#frame;
    const filling = await channel.request('fill', { variables: this.#form.values() });
    this.#announcer.say(this.#form.take(filling));
  }

  #keep(): void {
    if (this.#page !== undefined) this.#state.set({ ...this.#page, chosen: this.#graph.chosen });
  }

  #take(nodes: readonly NodeReport[], given: NodeValue | undefined): void {
    for (const report of nodes) {
      this.#reports.set(report.name, report);
      this.#graph.report(report);
    }
    this.#final = given;
  }

  #showResult(): void {
    const { chosen: name } = this.#graph;
    const chosen = name === null ? undefined : this.#graph.nodeNamed(name);
    if (chosen === undefined) this.#result.showFinal(this.#final, emptyText(this.#status));
    else this.#result.showNode(chosen, this.#reports.get(chosen.name));
  }

  #showStatus(now: WorkflowStatus, changed: readonly NodeReport[] = []): void {
    const before = this.#status;
    this.#status = now;
    const reports = this.#reports;
    const over = [...reports.values()].filter(({ state }) => isEnd(state)).length;
    const nodes = reports.size === 0 ? undefined : t('{0} of {1} ended', over, reports.size);
    this.#statusLine.show(
      now,
      [[t('Nodes'), nodes]],
      [[t('Execution'), now.executionId?.toString()]],
    );
    const isRunning = now.state === 'running';
    this.#controls.show({ isRunning, canRun: this.#page !== undefined, hasRun: now.runId > 0 });
    this.#all.disabled = reports.size === 0;
    this.#graph.element.setAttribute('aria-busy', String(isRunning));
    setText(this.#note, now.note ?? '');
    this.#note.hidden = now.note === undefined;
    this.#showResult();
    const isOther = before?.state !== now.state || before.runId !== now.runId;
    if (!isOther) {
      const [one] = changed;
      if (one !== undefined) this.#announcer.say(`${one.name}: ${stateWithin[one.state]}.`);
      return;
    }
    this.#frame.problems.show('run', now.problem ?? null);
    if (before === undefined) return;
    const said = announcementOf(now);
    if (said !== undefined) this.#announcer.say(said);
    // The button that was pressed is gone or off: the keys must not go nowhere.
    focusIfNowhere(this.#result.element);
  }
}
