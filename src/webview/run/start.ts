import type { Port } from '../../protocol/channel.ts';
import type {
  PromptFace,
  RunPageState,
  RunPanelView,
  RunProblem,
  RunStatus,
} from '../../protocol/run.ts';
import { Announcer } from '../common/announcer.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { explain } from '../common/explain.ts';
import { focusIfNowhere, focusWithin, keepFocus } from '../common/focus.ts';
import { Head } from '../common/head.ts';
import { t } from '../common/language.ts';
import { Problems } from '../common/problems.ts';
import { askWith, RunControls } from '../common/run-controls.ts';
import { stateText, StatusLine } from '../common/status-line.ts';
import { VariablesForm } from '../common/variables-form.ts';
import { connectHost, type Host } from './connection.ts';
import { clearDifferences, markDifferences } from './differences.ts';
import { factsOf } from './facts.ts';
import { Notes } from './notes.ts';
import { OutputView } from './output-view.ts';
import { RivalView } from './rival-view.ts';

export interface StartOptions {
  readonly root: HTMLElement;
  readonly port: Port;
  readonly state: { readonly get: () => unknown; readonly set: (state: unknown) => void };
  readonly onFault: (fault: unknown) => void;
}

/** A pause in scrolling after which the place is kept. */
const scrollPauseMs = 200;

const placeIn = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'place' in state && typeof state.place === 'number'
    ? state.place
    : undefined;

const markdownIn = (state: unknown): boolean | undefined =>
  typeof state === 'object' &&
  state !== null &&
  'markdown' in state &&
  typeof state.markdown === 'boolean'
    ? state.markdown
    : undefined;

/** Puts the run panel into the page and connects it. The returned function ends it. */
export function startRunPanel({ root, port, state, onFault }: StartOptions): () => void {
  const end = new AbortController();
  const problems = new Problems();
  const ask = askWith(problems);
  const announcer = new Announcer(end.signal);
  const statusLine = new StatusLine(end.signal);
  const form = new VariablesForm({
    nothing: t('This prompt has no variables.'),
    tell: (variables) => host.tell('variables', variables),
    askFilling: () => ask(fill()),
    pickMedia: async () => {
      const picking = host.ask('pickMedia', null);
      ask(picking);
      return picking.catch(() => undefined);
    },
    signal: end.signal,
  });
  const head = new Head(() => ask(host.ask('choose', null)));
  const notes = new Notes();
  const loadImage = (id: string): Promise<string> => host.loadImage(id);
  const showRequest = (requestId: number): void => ask(host.ask('showRequest', { requestId }));
  let scrolled: ReturnType<typeof setTimeout> | undefined;
  const output = new OutputView({
    loadImage,
    onFault,
    onScroll: () => {
      clearTimeout(scrolled);
      scrolled = setTimeout(keep, scrollPauseMs);
    },
  });
  end.signal.addEventListener('abort', () => clearTimeout(scrolled));
  const rival = new RivalView({
    ...{ loadImage, onFault, showRequest, signal: end.signal },
    changed: () => {
      showControls();
      showDifferences();
    },
  });
  const differences = el('p', 'differences dim', { role: 'status' });
  differences.hidden = true;
  let page: RunPageState | undefined;
  let status: RunStatus | undefined;
  let isLoaded = false;
  let isMarkdown = markdownIn(state.get()) ?? false;

  const controls = new RunControls({
    stopLabel: t('Stop'),
    begin,
    stop: () => ask(host.ask('stop', null)),
    signal: end.signal,
  });
  const { run, stop } = controls;
  const markdown = button({
    label: 'Markdown',
    icon: 'file-text',
    run: () => {
      isMarkdown = !isMarkdown;
      host.tell('markdown', isMarkdown);
      showMarkdown();
      keep();
    },
  });
  const compare = button({
    label: t('Compare…'),
    icon: 'diff',
    run: () => ask(host.ask('compare', null)),
  });
  compare.title = t('Compare the answer with the previous run or with another model');
  const whole = [
    button({
      label: t('Copy output'),
      icon: 'copy',
      isIconOnly: true,
      run: () => {
        ask(host.ask('copyOutput', null).then(() => announcer.say(t('Output copied.'))));
      },
    }),
    button({
      label: t('Open output as document'),
      icon: 'go-to-file',
      isIconOnly: true,
      run: () => ask(host.ask('openOutput', null)),
    }),
    button({
      label: t('Show raw response'),
      icon: 'json',
      isIconOnly: true,
      run: () => ask(host.ask('showRaw', null)),
    }),
  ];

  const bar = el('div', 'bar', {}, [
    el('div', 'buttons', {}, [run, stop]),
    el('div', 'buttons', {}, [compare, markdown, ...whole]),
  ]);
  root.replaceChildren(
    el('main', 'view', {}, [
      head.element,
      notes.element,
      problems.element,
      el('div', 'columns', {}, [
        form.element,
        el('div', 'answer', {}, [
          bar,
          differences,
          el('div', 'lanes', {}, [
            el('div', 'lane', {}, [output.element, statusLine.element]),
            rival.element,
          ]),
        ]),
      ]),
      announcer.element,
    ]),
  );
  showMarkdown();

  const host: Host = connectHost({
    port,
    onFault,
    start: begin,
    listeners: {
      prompt: ({ page: now, face, problem }) => showPrompt(now, face, problem),
      started: (now) => {
        output.clear();
        showStatus(now);
      },
      rival: (now) => rival.show(now),
      rivalStarted: (now) => rival.started(now),
      rivalProgress: (now) => rival.progress(now),
      progress: ({ status: now, changes }) => {
        // What is late of a run before has no place here.
        if (now.runId !== status?.runId) return;
        output.apply(changes);
        showStatus(now);
      },
    },
  });
  end.signal.addEventListener('abort', () => host.close());
  keepFocus(output.element, () => (status?.runId ?? 0) > 0, end.signal);

  async function fill(): Promise<void> {
    announcer.say(form.take(await host.ask('fill', { variables: form.values() })));
  }

  function isRunning(): boolean {
    return status?.state === 'running' || rival.isRunning;
  }

  /** One Stop ends both runs, so it stays while either goes on and costs. */
  function showControls(): void {
    const hadFocus = document.activeElement === stop;
    controls.show({ isRunning: isRunning(), canRun: isLoaded, hasRun: (status?.runId ?? 0) > 0 });
    // The keys must not go nowhere with the button.
    if (hadFocus && stop.hidden) focusWithin(output.element);
  }

  /** Once both answers are whole. */
  function showDifferences(): void {
    const isOver = status !== undefined && status.state !== 'running' && !output.isEmpty;
    const isCompared = isOver && rival.isOver;
    differences.hidden = !isCompared;
    if (!isCompared) {
      clearDifferences();
      return;
    }
    const count = markDifferences(output.element, rival.output.element);
    setText(differences, spellDifferences(count));
  }

  function keep(): void {
    if (page === undefined) return;
    const { place } = output;
    state.set({ ...page, markdown: isMarkdown, ...(place !== undefined && { place }) });
  }

  function showMarkdown(): void {
    markdown.setAttribute('aria-pressed', String(isMarkdown));
    output.markdown = isMarkdown;
    rival.output.markdown = isMarkdown;
    showDifferences();
  }

  function begin(): void {
    if (isRunning() || run.disabled || !form.check()) return;
    ask(host.ask('run', { variables: form.values() }));
  }

  function setKey(variable: string): void {
    ask(
      host.ask('setKey', { variable }).then(({ isSet }) => {
        if (!isSet) return;
        problems.show('run', null);
        announcer.say(t('The key is set. Run again.'));
        focusWithin(run);
      }),
    );
  }

  function showPrompt(
    now: RunPageState,
    face: PromptFace | null,
    problem: RunProblem | null,
  ): void {
    page = now;
    keep();
    head.show(face?.name ?? now.promptName, face);
    notes.show(face ?? {});
    if (face !== null) form.show(face.variables);
    isLoaded = face !== null;
    showControls();
    const retry = { label: t('Try again'), run: () => ask(host.ask('reloadPrompt', null)) };
    problems.show('prompt', problem, [retry]);
  }

  function showStatus(now: RunStatus): void {
    const before = status;
    status = now;
    const { before: first, after } = factsOf(now, showRequest);
    statusLine.show(now, first, after);
    showControls();
    for (const each of whole) each.disabled = output.isEmpty;
    output.element.setAttribute('aria-busy', String(now.state === 'running'));
    if (now.state !== 'running') output.end();
    output.showEmpty(emptyText(now));
    showDifferences();
    if (before !== undefined && before.state === now.state && before.runId === now.runId) return;
    const { problem } = now;
    const variable = problem?.variable;
    problems.show(
      'run',
      problem ?? null,
      variable === undefined
        ? []
        : [{ label: t('Set {0}', variable), run: () => setKey(variable) }],
    );
    if (before !== undefined) announce(now);
    // The button that was pressed is gone or off: the keys must not go nowhere.
    if (before !== undefined) focusIfNowhere(output.element);
  }

  function announce(now: RunStatus): void {
    if (now.ending !== undefined) {
      announcer.say(t('{0}. The answer is not complete.', stateText(now.state, now.ending)));
      return;
    }
    switch (now.state) {
      case 'running':
        announcer.say(t('Running.'));
        break;
      case 'done':
        announcer.say(
          now.outputTokens === undefined
            ? t('The answer is complete.')
            : t('The answer is complete, {0} tokens.', now.outputTokens),
        );
        break;
      case 'stopped':
        announcer.say(t('Stopped. Partial output is kept.'));
        break;
      // An alert says what failed; nothing has happened in the others.
      case 'failed':
      case 'interrupted':
      case 'idle':
        break;
    }
  }

  function take(view: RunPanelView): void {
    // Before anything is drawn: drawing scrolls, and the place is kept then.
    const place = placeIn(state.get());
    isMarkdown = markdownIn(state.get()) ?? view.isMarkdown;
    showMarkdown();
    output.clear();
    output.apply(view.run.parts.map((part) => ({ ...part, replace: false })));
    rival.show(view.rival);
    showStatus(view.run.status);
    showPrompt(view.page, view.face, view.problem);
    if (place !== undefined && view.run.status.state !== 'running') output.goTo(place);
    if (document.hasFocus() && document.activeElement === document.body) {
      (form.firstField ?? run).focus();
    }
  }

  function open(): void {
    head.element.textContent = t('Opening the prompt…');
    host.ready().then(take, (error: unknown) => {
      if (end.signal.aborted) return;
      problems.show('panel', { message: explain(error) }, [{ label: t('Try again'), run: open }]);
    });
  }
  open();
  return () => end.abort();
}

function spellDifferences(count: number | undefined): string {
  if (count === undefined) return t('The answers are too long to mark their differences.');
  if (count === 0) return t('Both answers are the same.');
  if (count === 1) return t('The answers differ in 1 place, which is marked.');
  return t('The answers differ in {0} places, which are marked.', count);
}

function emptyText({ state }: RunStatus): string {
  switch (state) {
    case 'running':
      return t('Waiting for the first token…');
    case 'idle':
      return t('Enter the variables and select Run. The response streams here.');
    case 'done':
      return t('The model returned nothing.');
    case 'stopped':
      return t('Stopped before any output was received.');
    case 'failed':
      return t('No answer.');
    case 'interrupted':
      return t('The window was closed before any output was received.');
  }
}
