import type {
  HostEvents,
  HostRequests,
  PromptFace,
  RunPageState,
  RunPanelView,
  RunProblem,
  RunStatus,
  ViewEvents,
  ViewRequests,
} from '../../protocol/run.ts';
import { Announcer } from '../common/announcer.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { focusIfNowhere, focusWithin, keepFocus } from '../common/focus.ts';
import { openFrame } from '../common/frame.ts';
import { Head } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { askWith, RunControls } from '../common/run-controls.ts';
import { stateText, StatusLine } from '../common/status-line.ts';
import { VariablesForm } from '../common/variables-form.ts';
import { clearDifferences, markDifferences } from './differences.ts';
import { factsOf } from './facts.ts';
import { asSource, asView, checkIncoming } from './guards.ts';
import { Notes } from './notes.ts';
import { OutputView } from './output-view.ts';
import { RivalView } from './rival-view.ts';

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
export function startRunPanel(around: Page): () => void {
  const { root, state, onFault } = around;
  const frame = openFrame<HostRequests, ViewEvents, HostEvents, ViewRequests>(around, {
    handlers: {
      start: () => {
        begin();
        return null;
      },
    },
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
    check: checkIncoming,
  });
  const { channel, problems, signal } = frame;
  const ask = askWith(problems);
  const announcer = new Announcer(signal);
  const statusLine = new StatusLine(signal);
  const form = new VariablesForm({
    nothing: t('This prompt has no variables.'),
    tell: (variables) => channel.emit('variables', variables),
    askFilling: () => ask(fill()),
    pickMedia: async () => {
      const picking = channel.request('pickMedia', null);
      ask(picking);
      return picking.catch(() => undefined);
    },
    signal,
  });
  const head = new Head(() => ask(channel.request('choose', null)));
  const notes = new Notes();
  const loadImage = async (id: string): Promise<string> =>
    asSource(await channel.request('loadImage', { id }));
  const showRequest = (requestId: number): void =>
    ask(channel.request('showRequest', { requestId }));
  let scrolled: ReturnType<typeof setTimeout> | undefined;
  const output = new OutputView({
    loadImage,
    onFault,
    onScroll: () => {
      clearTimeout(scrolled);
      scrolled = setTimeout(keep, scrollPauseMs);
    },
  });
  signal.addEventListener('abort', () => clearTimeout(scrolled));
  const rival = new RivalView({
    ...{ loadImage, onFault, showRequest, signal: signal },
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
    stop: () => ask(channel.request('stop', null)),
    signal,
  });
  const { run, stop } = controls;
  const markdown = button({
    label: 'Markdown',
    icon: 'file-text',
    run: () => {
      isMarkdown = !isMarkdown;
      channel.emit('markdown', isMarkdown);
      showMarkdown();
      keep();
    },
  });
  const compare = button({
    label: t('Compare…'),
    icon: 'diff',
    run: () => ask(channel.request('compare', null)),
  });
  compare.title = t('Compare the answer with the run before or with another model');
  const whole = [
    button({
      label: t('Copy output'),
      icon: 'copy',
      isIconOnly: true,
      run: () => {
        ask(channel.request('copyOutput', null).then(() => announcer.say(t('Output copied.'))));
      },
    }),
    button({
      label: t('Open output as document'),
      icon: 'go-to-file',
      isIconOnly: true,
      run: () => ask(channel.request('openOutput', null)),
    }),
    button({
      label: t('Show raw response'),
      icon: 'json',
      isIconOnly: true,
      run: () => ask(channel.request('showRaw', null)),
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

  keepFocus(output.element, () => (status?.runId ?? 0) > 0, signal);

  async function fill(): Promise<void> {
    announcer.say(form.take(await channel.request('fill', { variables: form.values() })));
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
    ask(channel.request('run', { variables: form.values() }));
  }

  function setKey(variable: string): void {
    ask(
      channel.request('setKey', { variable }).then(({ isSet }) => {
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
    const retry = { label: t('Try again'), run: () => ask(channel.request('reloadPrompt', null)) };
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

  head.element.textContent = t('Opening the prompt…');
  frame.open(async () => asView(await channel.request('ready', null)), take);
  return frame.end;
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
      return t('The model answered with nothing.');
    case 'stopped':
      return t('Stopped before any output was received.');
    case 'failed':
      return t('No answer.');
    case 'interrupted':
      return t('The window was closed before anything came.');
  }
}
