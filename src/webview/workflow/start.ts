import type {
  NodeReport,
  NodeValue,
  WorkflowPageState,
  WorkflowPanelView,
  WorkflowStatus,
  WorkflowTold,
} from '../../protocol/workflow.ts';
import { Announcer } from '../common/announcer.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { explain } from '../common/explain.ts';
import { focusIfNowhere, keepFocus } from '../common/focus.ts';
import { Head } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { Problems } from '../common/problems.ts';
import { askWith, RunControls } from '../common/run-controls.ts';
import { StatusLine } from '../common/status-line.ts';
import { VariablesForm } from '../common/variables-form.ts';
import { connectHost, type Host } from './connection.ts';
import { GraphView } from './graph-view.ts';
import { ResultView } from './result-view.ts';
import { stateWithin } from './words.ts';

function chosenIn(state: unknown): string | null {
  const isKept = typeof state === 'object' && state !== null && 'chosen' in state;
  return isKept && typeof state.chosen === 'string' ? state.chosen : null;
}

/** Puts the workflow panel into the page and connects it. The returned function ends it. */
export function startWorkflowPanel({ root, port, state, onFault }: Page): () => void {
  const end = new AbortController();
  const problems = new Problems();
  const ask = askWith(problems);
  const announcer = new Announcer(end.signal);
  const statusLine = new StatusLine(end.signal);
  const form = new VariablesForm({
    nothing: t('This workflow has no variables.'),
    tell: (variables) => host.tell('variables', variables),
    askFilling: () => ask(fill()),
    signal: end.signal,
  });
  const head = new Head(() => ask(host.ask('choose', null)));
  const graph = new GraphView(() => {
    keep();
    showResult();
  });
  const result = new ResultView({
    copy: (node) => {
      ask(host.ask('copyOutput', { node }).then(() => announcer.say(t('Output copied.'))));
    },
    open: (node) => ask(host.ask('openOutput', { node })),
    showFinal: () => {
      graph.choose(null);
      result.element.focus();
    },
  });
  const note = el('p', 'note dim', { role: 'status' });
  note.hidden = true;
  const reports = new Map<string, NodeReport>();
  let page: WorkflowPageState | undefined;
  let status: WorkflowStatus | undefined;
  let final: NodeValue | undefined;

  const controls = new RunControls({
    stopLabel: t('Cancel'),
    begin,
    stop: () => ask(host.ask('stop', null)),
    signal: end.signal,
  });
  const { run, stop } = controls;
  const all = button({
    label: t('All outputs'),
    icon: 'json',
    run: () => ask(host.ask('showAll', null)),
  });
  all.title = t('Open what every node has done, as JSON');

  root.replaceChildren(
    el('main', 'view', {}, [
      head.element,
      problems.element,
      el('div', 'columns', {}, [
        form.element,
        el('div', 'answer', {}, [
          el('div', 'bar', {}, [el('div', 'buttons', {}, [run, stop]), all]),
          graph.element,
          note,
          result.head,
          result.element,
          statusLine.element,
        ]),
      ]),
      announcer.element,
    ]),
  );

  const host: Host = connectHost({
    port,
    onFault,
    start: begin,
    listeners: {
      workflow: showWorkflow,
      started: (now) => {
        reports.clear();
        final = undefined;
        graph.clear();
        showStatus(now);
      },
      progress: ({ status: now, nodes, final: given }) => {
        // What is late of a run before has no place here.
        if (now.runId !== status?.runId) return;
        take(nodes, given);
        showStatus(now, nodes);
      },
    },
  });
  end.signal.addEventListener('abort', () => host.close());

  async function fill(): Promise<void> {
    announcer.say(form.take(await host.ask('fill', { variables: form.values() })));
  }

  function keep(): void {
    if (page !== undefined) state.set({ ...page, chosen: graph.chosen });
  }

  function begin(): void {
    if (status?.state === 'running' || run.disabled || !form.check()) return;
    ask(host.ask('run', { variables: form.values() }));
  }

  function showWorkflow({ page: now, face, problem }: WorkflowTold): void {
    const isFirst = page === undefined;
    page = now;
    head.show(face?.name ?? now.workflowName, face);
    if (face !== null) {
      form.show(face.variables);
      graph.show(face.nodes);
      for (const report of reports.values()) graph.report(report);
      const chosen = isFirst || graph.chosen === null ? chosenIn(state.get()) : graph.chosen;
      if (chosen !== null && graph.nodeNamed(chosen) !== undefined) graph.choose(chosen);
      keep();
    }
    run.disabled = face === null || status?.state === 'running';
    const retry = { label: t('Try again'), run: () => ask(host.ask('reload', null)) };
    problems.show('prompt', problem, [retry]);
    showResult();
  }

  function take(nodes: readonly NodeReport[], given: NodeValue | undefined): void {
    for (const report of nodes) {
      reports.set(report.name, report);
      graph.report(report);
    }
    final = given;
  }

  function showResult(): void {
    const chosen = graph.chosen === null ? undefined : graph.nodeNamed(graph.chosen);
    if (chosen === undefined) result.showFinal(final, emptyText(status));
    else result.showNode(chosen, reports.get(chosen.name));
  }

  function showStatus(now: WorkflowStatus, changed: readonly NodeReport[] = []): void {
    const before = status;
    status = now;
    const over = [...reports.values()].filter(({ state: one }) => isEnd(one)).length;
    const nodes = reports.size === 0 ? undefined : t('{0} of {1} ended', over, reports.size);
    statusLine.show(now, [[t('Nodes'), nodes]], [[t('Execution'), now.executionId?.toString()]]);
    const isRunning = now.state === 'running';
    controls.show({ isRunning, canRun: page !== undefined, hasRun: now.runId > 0 });
    all.disabled = reports.size === 0;
    graph.element.setAttribute('aria-busy', String(isRunning));
    setText(note, now.note ?? '');
    note.hidden = now.note === undefined;
    showResult();
    const isOther = before?.state !== now.state || before.runId !== now.runId;
    if (!isOther) {
      const [one] = changed;
      if (one !== undefined) announcer.say(`${one.name}: ${stateWithin[one.state]}.`);
      return;
    }
    problems.show('run', now.problem ?? null);
    if (before !== undefined) announce(now);
    // The button that was pressed is gone or off: the keys must not go nowhere.
    if (before !== undefined) focusIfNowhere(result.element);
  }

  keepFocus(result.element, () => (status?.runId ?? 0) > 0, end.signal);

  function announce(now: WorkflowStatus): void {
    switch (now.state) {
      case 'running':
        announcer.say(t('Running.'));
        break;
      case 'done':
        announcer.say(t('The workflow is done.'));
        break;
      case 'stopped':
        announcer.say(t('Canceled. The results of finished nodes are kept.'));
        break;
      // An alert says what failed; nothing has happened in the others.
      case 'failed':
      case 'interrupted':
      case 'idle':
        break;
    }
  }

  function show(view: WorkflowPanelView): void {
    reports.clear();
    take(view.run.nodes, view.run.final);
    showStatus(view.run.status);
    showWorkflow(view);
    if (document.hasFocus() && document.activeElement === document.body) {
      (form.firstField ?? run).focus();
    }
  }

  function open(): void {
    head.element.textContent = t('Opening the workflow…');
    host.ready().then(show, (error: unknown) => {
      if (end.signal.aborted) return;
      problems.show('panel', { message: explain(error) }, [{ label: t('Try again'), run: open }]);
    });
  }
  open();
  return () => end.abort();
}

const isEnd = (state: NodeReport['state']): boolean =>
  state === 'done' || state === 'failed' || state === 'skipped';

function emptyText(status: WorkflowStatus | undefined): string {
  switch (status?.state) {
    case undefined:
    case 'idle':
      return t('Enter the variables and select Run. Select a node to see what it does.');
    case 'running':
      return t('The final output appears here. Select a node to see its output.');
    case 'done':
      return t('The workflow returned nothing.');
    case 'stopped':
      return t('Canceled before any output was received.');
    case 'failed':
      return t('No output. Select a failed node to see its error.');
    case 'interrupted':
      return t('The window was closed before the output was complete.');
  }
}
