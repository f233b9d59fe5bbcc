import type {
  HostEvents,
  HostRequests,
  RunPageState,
  RunPanelView,
  RunProgress,
  RunStatus,
  ViewEvents,
} from '../../protocol/run.ts';
import { Announcer } from '../common/announcer.ts';
import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import { focusIfNowhere, focusWithin, keepFocus } from '../common/focus.ts';
import type { Frame } from '../common/frame.ts';
import { Head } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { askWith, RunControls } from '../common/run-controls.ts';
import { Tabs } from '../common/tabs.ts';
import { VariablesForm } from '../common/variables-form.ts';
import { AnswerView } from './answer-view.ts';
import type { ConversationView } from './chat/chat-view.ts';
import { makeChat } from './chat/make-chat.ts';
import { asFaults, asSource } from './guards.ts';
import { Notes } from './notes.ts';
import { ParametersForm } from './parameters-form.ts';
import { announcementOf } from './words.ts';

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

const cacheIn = (state: unknown): boolean | undefined =>
  typeof state === 'object' &&
  state !== null &&
  'cache' in state &&
  typeof state.cache === 'boolean'
    ? state.cache
    : undefined;

const chatIn = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'chat' in state && state.chat === true;

const openIn = (state: unknown): boolean =>
  typeof state === 'object' &&
  state !== null &&
  'parametersOpen' in state &&
  state.parametersOpen === true;

/** A prompt with its form, and what came of running it. */
export class RunView {
  readonly element: HTMLElement;
  readonly answer: AnswerView;
  readonly chat: ConversationView;
  readonly #tabs: Tabs;
  readonly #frame: Frame<HostRequests, HostEvents>;
  readonly #state: Page['state'];
  readonly #ask: ReturnType<typeof askWith>;
  readonly #announcer: Announcer;
  readonly #form: VariablesForm;
  readonly #parameters: ParametersForm;
  readonly #head: Head;
  readonly #notes = new Notes();
  readonly #controls: RunControls;
  readonly #model: HTMLButtonElement;
  readonly #compare: HTMLButtonElement;
  readonly #cache: HTMLButtonElement;
  /** For the whole answer. */
  readonly #whole: readonly HTMLButtonElement[];
  #page: RunPageState | undefined;
  #isLoaded = false;

  constructor(frame: Frame<HostRequests, HostEvents>, { state, onFault }: Page) {
    const { channel, problems, signal } = frame;
    this.#frame = frame;
    this.#state = state;
    this.#ask = askWith(problems);
    this.#announcer = new Announcer(signal);
    this.#form = this.#makeForm();
    this.#parameters = this.#makeParameters();
    this.#head = new Head(() => this.#ask(channel.request('choose', null)));
    this.answer = new AnswerView({
      ...{ onFault, signal },
      loadImage: async (id) => asSource(await channel.request('loadImage', { id })),
      showRequest: (requestId) => this.#ask(channel.request('showRequest', { requestId })),
      comparisonRunChanged: () => this.#showControls(),
      scrolled: () => this.#keep(),
      markdownChosen: (isMarkdown) => {
        this.chat.markdown = isMarkdown;
        channel.emit('markdown', isMarkdown);
        this.#keep();
      },
    });
    this.chat = makeChat(frame, {
      ...{ onFault, ask: this.#ask, say: (text: string) => this.#announcer.say(text) },
      showRequest: (requestId) => this.#ask(channel.request('showRequest', { requestId })),
      send: ({ text, edits }) => this.#say(text, edits),
      changed: () => this.#showControls(),
    });
    this.answer.isMarkdown = markdownIn(state.get()) ?? true;
    this.#controls = new RunControls({
      stopLabel: t('Stop'),
      begin: () => this.begin(),
      stop: () => this.#ask(channel.request('stop', null)),
      signal,
    });
    this.#model = button({
      label: t('Model…'),
      icon: 'sparkle',
      run: () => this.#ask(channel.request('chooseModel', null)),
    });
    this.#model.title = t('Run with another model, such as one of VS Code, which needs no key');
    this.#compare = button({
      label: t('Compare…'),
      icon: 'diff',
      run: () => this.#ask(channel.request('compare', null)),
    });
    this.#compare.title = t('Compare the answer with the previous run or with another model');
    this.#cache = button({
      label: t({ message: 'Cache', comment: 'switch: use answers that are kept' }),
      icon: 'database',
      run: () => this.#showCache(!this.#usesCache),
    });
    this.#cache.title = t('Use the answer of an earlier run of the same request, at no cost');
    this.#whole = this.#wholeButtons();
    this.#tabs = this.#makeTabs();
    this.element = this.#lay();
    keepFocus(this.answer.output.element, () => this.answer.hasRun, signal);
  }

  /** While there is nothing to show. */
  opening(): void {
    this.#head.element.textContent = t('Opening the prompt…');
  }

  take(view: RunPanelView): void {
    const { answer } = this;
    // Before anything is drawn: drawing scrolls, and the place is kept then.
    const place = placeIn(this.#state.get());
    answer.isMarkdown = markdownIn(this.#state.get()) ?? view.isMarkdown;
    this.#showCache(cacheIn(this.#state.get()) ?? view.usesCache);
    this.chat.markdown = answer.isMarkdown;
    this.chat.take(view.chat);
    if (chatIn(this.#state.get())) this.#tabs.show('chat');
    answer.take(view.run.parts);
    answer.comparisonRun.show(view.comparisonRun);
    this.showStatus(view.run.status);
    this.showPrompt(view);
    if (place !== undefined && view.run.status.state !== 'running') answer.output.goTo(place);
    if (document.hasFocus() && document.activeElement === document.body) {
      (this.#form.firstField ?? this.#controls.run).focus();
    }
  }

  /** Sends what is written, or runs the prompt: as the tab says that is shown. */
  begin(): void {
    if (this.#isChat) {
      this.chat.composer.send();
      return;
    }
    const { run } = this.#controls;
    if (this.answer.isRunning || run.disabled || !this.#form.check()) return;
    const parameters = this.#parameters.values();
    const asked = this.#frame.channel.request('run', {
      ...{ variables: this.#form.values(), parameters },
      usesCache: this.#usesCache,
    });
    this.#ask(asked.then((verdict) => this.#parameters.showFaults(asFaults(verdict), true)));
  }

  started(now: RunStatus): void {
    this.answer.output.clear();
    this.showStatus(now);
  }

  progress({ status: now, changes }: RunProgress): void {
    // What is late of a run before has no place here.
    if (now.runId !== this.answer.status?.runId) return;
    this.answer.output.apply(changes);
    this.showStatus(now);
  }

  showPrompt({ page: now, presentation, problem }: ViewEvents['prompt']): void {
    const { channel, problems } = this.#frame;
    this.#page = now;
    this.#head.show(presentation?.name ?? now.promptName, presentation);
    this.#notes.show(presentation ?? {});
    if (presentation !== null) {
      this.#form.show(presentation.variables);
      this.#parameters.show(presentation.parameters, now.parameters);
    }
    this.#isLoaded = presentation !== null;
    this.#keep();
    this.#showControls();
    const retry = {
      label: t('Try again'),
      run: () => this.#ask(channel.request('reloadPrompt', null)),
    };
    problems.show('prompt', problem, [retry]);
  }

  showStatus(now: RunStatus): void {
    const { output } = this.answer;
    const { channel } = this.#frame;
    const before = this.answer.showStatus(now);
    this.#showControls();
    for (const each of this.#whole) each.disabled = output.isEmpty;
    if (before !== undefined && before.state === now.state && before.runId === now.runId) return;
    const { problem } = now;
    const variable = problem?.variable;
    this.#frame.problems.show(
      'run',
      problem ?? null,
      variable === undefined
        ? []
        : [
            { label: t('Set {0}', variable), run: () => this.#setKey(variable) },
            {
              label: t('Use Another Model…'),
              run: () => this.#ask(channel.request('chooseModel', null)),
            },
          ],
    );
    if (before === undefined) return;
    const said = announcementOf(now);
    if (said !== undefined) this.#announcer.say(said);
    // The button that was pressed is gone or off: the keys must not go nowhere.
    focusIfNowhere(output.element);
  }

  #makeForm(): VariablesForm {
    const { channel, signal } = this.#frame;
    return new VariablesForm({
      nothing: t('This prompt has no variables.'),
      tell: (variables) => channel.emit('variables', variables),
      askFilling: () => this.#ask(this.#fill()),
      pickMedia: async () => {
        const picking = channel.request('pickMedia', null);
        this.#ask(picking);
        return picking.catch(() => undefined);
      },
      signal,
    });
  }

  #makeParameters(): ParametersForm {
    const { channel } = this.#frame;
    const form = new ParametersForm({
      changed: () => {
        channel.emit('parameters', form.values());
        this.#keep();
      },
      check: () => {
        const checked = channel.request('checkParameters', { parameters: form.values() });
        this.#ask(checked.then((verdict) => form.showFaults(asFaults(verdict), false)));
      },
      chooseModel: () => this.#ask(channel.request('chooseModel', null)),
      resetModel: () => this.#ask(channel.request('resetModel', null)),
      save: () => {
        const saved = channel.request('saveParameters', { parameters: form.values() });
        this.#ask(saved.then((verdict) => form.showFaults(asFaults(verdict), true)));
      },
      say: (text) => this.#announcer.say(text),
    });
    form.element.open = openIn(this.#state.get());
    form.element.addEventListener('toggle', () => this.#keep());
    return form;
  }

  #wholeButtons(): readonly HTMLButtonElement[] {
    const { channel } = this.#frame;
    return [
      button({
        label: t('Copy output'),
        icon: 'copy',
        isIconOnly: true,
        run: () => {
          const copied = channel.request('copyOutput', null);
          this.#ask(copied.then(() => this.#announcer.say(t('Output copied.'))));
        },
      }),
      button({
        label: t('Open output as document'),
        icon: 'go-to-file',
        isIconOnly: true,
        run: () => this.#ask(channel.request('openOutput', null)),
      }),
      button({
        label: t('Show raw response'),
        icon: 'json',
        isIconOnly: true,
        run: () => this.#ask(channel.request('showRaw', null)),
      }),
    ];
  }

  #lay(): HTMLElement {
    const { run, stop } = this.#controls;
    const { markdown } = this.answer;
    const bar = el('div', 'bar', {}, [
      el('div', 'buttons', {}, [run, stop]),
      el('div', 'buttons', {}, [
        ...[this.#model, this.#compare, this.#cache, markdown, ...this.#whole],
      ]),
    ]);
    return el('main', 'view', {}, [
      this.#head.element,
      this.#notes.element,
      this.#frame.problems.element,
      el('div', 'columns', {}, [
        el('div', 'inputs', {}, [this.#form.element, this.#parameters.element]),
        el('div', 'answer', {}, [this.#tabs.list, bar, ...this.#tabs.panels]),
      ]),
      this.#announcer.element,
    ]);
  }

  #makeTabs(): Tabs {
    const { differences, lanes } = this.answer;
    const tabs = new Tabs(
      t({ message: 'View', comment: 'what is shown of a prompt: its output, or a conversation' }),
      [
        { id: 'output', label: t('Output'), content: el('div', 'pane', {}, [differences, lanes]) },
        { id: 'chat', label: t('Chat'), content: this.chat.element },
      ],
      () => {
        this.#keep();
        this.#showControls();
      },
    );
    // What is in them takes the keys.
    for (const panel of tabs.panels) panel.removeAttribute('tabindex');
    return tabs;
  }

  get #isChat(): boolean {
    return this.#tabs.shown === 'chat';
  }

  /** Sends a message, or what takes the place of one. */
  async #say(text: string, edits: number | null): Promise<void> {
    // Only the first turn takes them.
    if (this.chat.isEmpty && !this.#form.check()) return;
    const asked = this.#frame.channel.request('chatSay', {
      ...{ text, edits, variables: this.#form.values() },
      ...{ parameters: this.#parameters.values(), usesCache: this.#usesCache },
    });
    const taken = asked.then((verdict) => {
      const faults = asFaults(verdict);
      if (faults.length === 0) this.chat.composer.clear();
      this.#parameters.showFaults(faults, true);
    });
    this.#ask(taken);
    await Promise.allSettled([taken]);
  }

  async #fill(): Promise<void> {
    const { channel } = this.#frame;
    const filling = await channel.request('fill', { variables: this.#form.values() });
    this.#announcer.say(this.#form.take(filling));
  }

  /** One Stop ends both runs, so it stays while either goes on and costs. */
  #showControls(): void {
    const { stop } = this.#controls;
    const { isRunning, hasRun } = this.answer;
    const hadFocus = document.activeElement === stop;
    const isChat = this.#isChat;
    const isBusy = isRunning || this.chat.isRunning;
    this.#controls.show({ isRunning: isBusy, canRun: this.#isLoaded, hasRun });
    this.chat.canRun = this.#isLoaded;
    this.#controls.run.hidden = isChat;
    for (const each of [this.#compare, ...this.#whole]) each.hidden = isChat;
    // The keys must not go nowhere with the button.
    if (hadFocus && stop.hidden) {
      if (isChat) this.chat.focus();
      else focusWithin(this.answer.output.element);
    }
  }

  get #usesCache(): boolean {
    return this.#cache.getAttribute('aria-pressed') === 'true';
  }

  #showCache(isUsed: boolean): void {
    this.#cache.setAttribute('aria-pressed', String(isUsed));
    this.#keep();
  }

  #keep(): void {
    if (this.#page === undefined) return;
    const { output, isMarkdown } = this.answer;
    const { place } = output;
    const { parameters: _, ...rest } = this.#page;
    const parameters = this.#isLoaded ? this.#parameters.values() : (this.#page.parameters ?? []);
    this.#state.set({
      ...rest,
      ...(parameters.length > 0 && { parameters }),
      parametersOpen: this.#parameters.element.open,
      markdown: isMarkdown,
      chat: this.#isChat,
      cache: this.#usesCache,
      ...(place !== undefined && { place }),
    });
  }

  #setKey(variable: string): void {
    const { channel, problems } = this.#frame;
    this.#ask(
      channel.request('setKey', { variable }).then(({ isSet }) => {
        if (!isSet) return;
        problems.show('run', null);
        this.#announcer.say(t('The key is set. Run again.'));
        focusWithin(this.#controls.run);
      }),
    );
  }
}
