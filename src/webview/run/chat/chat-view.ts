import type { ChatDraft, ChatProgress, ChatTurn, ChatView } from '../../../protocol/chat.ts';
import { asToolbar, button } from '../../common/buttons.ts';
import { el } from '../../common/dom.ts';
import { focusIfNowhere, focusWithin } from '../../common/focus.ts';
import { t } from '../../common/language.ts';
import { Composer } from './composer.ts';
import { SupersededView } from './superseded-view.ts';
import type { TurnOptions } from './turn-view.ts';
import { TurnView } from './turn-view.ts';
import { shownTurns } from './turns.ts';
import { turnAnnouncement } from './words.ts';

export interface ChatOptions extends Omit<TurnOptions, 'edit'> {
  readonly send: (draft: ChatDraft) => Promise<void>;
  readonly tellDraft: (draft: ChatDraft) => void;
  readonly startAnew: () => void;
  readonly stopBefore: () => void;
  readonly save: () => void;
  readonly say: (text: string) => void;
  /** Something of it has begun to run, or has ended. */
  readonly changed: () => void;
}

const nearEnd = 40;
/** How far out of sight a turn is laid out already. */
const ahead = '600px';

/** A conversation: its turns, and where the next message is written. */
export class ConversationView {
  readonly element: HTMLElement;
  readonly composer: Composer;
  readonly #options: ChatOptions;
  readonly #list = el('div', 'turns');
  readonly #scroller: HTMLElement;
  readonly #empty = el('p', 'dim empty');
  readonly #stops: HTMLButtonElement;
  readonly #anew: HTMLButtonElement;
  readonly #save: HTMLButtonElement;
  readonly #turns = new Map<number, TurnView>();
  readonly #superseded = new Map<string, SupersededView>();
  readonly #sight: IntersectionObserver;
  #stopsBefore: readonly string[] = [];
  #head: number | null = null;
  #isMarkdown = false;
  #canRun = false;
  #isAtEnd = true;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.composer = new Composer({
      send: (draft) => options.send(draft),
      tell: options.tellDraft,
      signal: options.signal,
    });
    this.#stops = button({ label: t('Stop Before…'), run: options.stopBefore });
    this.#stops.title = t('Select the tools that you always answer yourself');
    this.#anew = button({ label: t('New Conversation'), icon: 'add', run: options.startAnew });
    this.#save = button({ label: t('Save As…'), icon: 'table', run: options.save });
    this.#save.title = t('Save as a test case, as rows of a sheet, or as messages of a draft');
    const tools = el('div', 'chat-tools', {}, [this.#anew, this.#save, this.#stops]);
    asToolbar(tools, t('Conversation'));
    this.#empty.append(
      t(
        'Enter the variables, and a first message if the prompt needs one. Then select Send. Each turn is a request that is logged in one group.',
      ),
    );
    this.#scroller = el(
      'div',
      'turn-scroller',
      { tabindex: '0', role: 'log', 'aria-live': 'off', 'aria-label': t('Conversation') },
      [this.#empty, this.#list],
    );
    this.element = el('div', 'chat', {}, [tools, this.#scroller, this.composer.element]);
    this.#scroller.addEventListener(
      'scroll',
      () => {
        const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
        this.#isAtEnd = scrollHeight - scrollTop - clientHeight < nearEnd;
      },
      { passive: true },
    );
    const growth = new ResizeObserver(() => this.#followEnd());
    growth.observe(this.#list);
    this.#sight = new IntersectionObserver((seen) => this.#wake(seen), {
      ...{ root: this.#scroller, rootMargin: ahead },
    });
    options.signal.addEventListener('abort', () => {
      growth.disconnect();
      this.#sight.disconnect();
    });
  }

  get isRunning(): boolean {
    return this.#turn(this.#head)?.turn.status.state === 'running' || this.#isAsking;
  }

  get isEmpty(): boolean {
    return this.#turns.size === 0;
  }

  set markdown(isMarkdown: boolean) {
    this.#isMarkdown = isMarkdown;
    for (const view of this.#turns.values()) view.markdown = isMarkdown;
  }

  /** Whether there is a prompt to talk to. */
  set canRun(canRun: boolean) {
    this.#canRun = canRun;
    this.#showComposer();
  }

  take({ turns, head, draft, stopsBefore }: ChatView): void {
    this.#sight.disconnect();
    this.#turns.clear();
    this.#superseded.clear();
    this.#isAtEnd = true;
    for (const turn of turns) this.#add(turn);
    this.#head = head;
    this.#stopsBefore = stopsBefore;
    this.composer.take(draft);
    this.#lay();
  }

  showTurn(turn: ChatTurn): void {
    const view = this.#turn(turn.id);
    const before = view?.turn;
    if (view === undefined) {
      this.#add(turn);
      this.#lay();
    } else view.show(turn);
    const isOver = turn.status.state !== 'running';
    if (isOver && before?.isUsable !== turn.isUsable) {
      const said = turnAnnouncement(turn);
      if (said !== undefined) this.#options.say(said);
    }
    this.#changed();
    if (isOver && turn.id === this.#head && turn.calls.length > 0) {
      // The message can't be sent now: the field of the first result can.
      if (this.element.contains(document.activeElement)) view?.focusCall();
    }
  }

  setHead(head: number): void {
    this.#head = head;
    this.#lay();
    this.#isAtEnd = true;
    this.#followEnd();
    this.#changed();
    focusIfNowhere({ focus: () => this.composer.focus() });
  }

  progress(progress: ChatProgress): void {
    const view = this.#turn(progress.turn);
    const wasRunning = view?.turn.status.state === 'running';
    view?.progress(progress);
    if (wasRunning !== (progress.status.state === 'running')) this.#changed();
  }

  focus(): void {
    focusWithin(this.composer);
  }

  get #isAsking(): boolean {
    const turn = this.#turn(this.#head)?.turn;
    return turn?.calls.some(({ isAsked }) => isAsked) === true;
  }

  #turn(id: number | null): TurnView | undefined {
    return id === null ? undefined : this.#turns.get(id);
  }

  #add(turn: ChatTurn): void {
    const view = new TurnView(turn, this.#isMarkdown, {
      ...this.#options,
      edit: ({ id, text = '' }) => this.composer.edit(id, text),
    });
    this.#turns.set(turn.id, view);
    this.#sight.observe(view.element);
  }

  #wake(seen: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      this.#sight.unobserve(target);
      this.#turn(Number(target.dataset['turn']))?.wake();
    }
  }

  #lay(): void {
    const turns = [...this.#turns.values()].map(({ turn }) => turn);
    const nodes = shownTurns({ turns, head: this.#head }).map((shown) => {
      if (shown.kind === 'turn') return this.#turn(shown.turn.id)?.element ?? el('div');
      const { root, turns: list } = shown.branch;
      const key = `${root} ${list.length}`;
      let view = this.#superseded.get(key);
      if (view === undefined) {
        view = new SupersededView(shown.branch, this.#options.goTo);
        this.#superseded.set(key, view);
      }
      return view.element;
    });
    const now = [...this.#list.children];
    // Mostly one more at the end: what stands there stays.
    let same = 0;
    while (same < now.length && now[same] === nodes[same]) same += 1;
    for (const node of now.slice(same)) node.remove();
    this.#list.append(...nodes.slice(same));
    for (const [id, view] of this.#turns) view.isHead = id === this.#head;
    this.#changed();
  }

  #changed(): void {
    this.#empty.hidden = !this.isEmpty;
    this.#anew.disabled = this.isEmpty || this.isRunning;
    const label = this.#stops.querySelector<HTMLElement>('.button-label');
    const count = this.#stopsBefore.length;
    if (label !== null)
      label.textContent = count === 0 ? t('Stop Before…') : t('Stop Before ({0})…', count);
    this.#stops.disabled = this.isEmpty;
    this.#save.disabled = this.isEmpty || this.isRunning;
    this.#showComposer();
    this.#options.changed();
  }

  #showComposer(): void {
    const turn = this.#turn(this.#head)?.turn;
    const isEditing = this.composer.draft.edits !== null;
    if (this.isRunning) this.composer.show({ canSend: false, hint: t('Waiting for the answer…') });
    else if (turn !== undefined && turn.calls.length > 0 && !isEditing) {
      this.composer.show({
        canSend: false,
        hint: t('The model waits for the results of its tools.'),
      });
    } else if (turn !== undefined && !turn.isUsable && !isEditing) {
      this.composer.show({
        canSend: false,
        hint: t('There is no answer to continue from. Send the turn again, or edit it.'),
      });
    } else {
      const hint =
        turn === undefined
          ? t('Press Enter to send, Shift+Enter for a new line.')
          : t('Other variables, parameters, and models are used by a new conversation.');
      this.composer.show({ canSend: this.#canRun, hint });
    }
  }

  #followEnd(): void {
    if (this.#isAtEnd) this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }
}
