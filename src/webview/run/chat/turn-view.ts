import type { ChatProgress, ChatTurn } from '../../../protocol/chat.ts';
import { visible } from '../../../protocol/visible.ts';
import { button } from '../../common/buttons.ts';
import { el, setText } from '../../common/dom.ts';
import { t } from '../../common/language.ts';
import { StatusLine } from '../../common/status-line.ts';
import { factsOf } from '../facts.ts';
import { OutputView } from '../output-view.ts';
import { emptyText } from '../words.ts';
import { CallView } from './call-view.ts';
import { sourceText } from './words.ts';

export interface TurnOptions {
  readonly loadImage: (id: string) => Promise<string>;
  readonly onFault: (error: unknown) => void;
  readonly showRequest: (requestId: number) => void;
  readonly edit: (turn: ChatTurn) => void;
  readonly again: (id: number) => void;
  readonly goTo: (id: number) => void;
  readonly answer: (id: number, call: string, text: string) => void;
  readonly answerWith: (id: number, call: string) => void;
  readonly tell: (id: number, call: string, text: string) => void;
  readonly signal: AbortSignal;
}

const plainText = ({ parts }: Pick<ChatTurn, 'parts'>): string =>
  parts
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text)
    .join('\n\n');

/** What was said before the answer of a turn. */
export function saidNodes({ text, results }: ChatTurn): readonly HTMLElement[] {
  // What can be done with a turn needs a line to stand in.
  if (text === undefined && results.length === 0)
    return [el('div', 'said user', {}, [el('h3', 'part-head', {}, [t('Prompt')])])];
  return [
    ...results.map(({ name, ...result }) =>
      el('div', 'said result', {}, [
        el('h3', 'part-head', { dir: 'auto' }, [
          `${t('Result of {0}', visible(name))} · ${sourceText(result)}`,
        ]),
        el('pre', 'said-text code', { tabindex: '0', dir: 'auto' }, [visible(result.text)]),
      ]),
    ),
    ...(text === undefined
      ? []
      : [
          el('div', 'said user', {}, [
            el('h3', 'part-head', {}, [t({ message: 'You', comment: 'who has said it' })]),
            el('div', 'said-text', { dir: 'auto' }, [visible(text)]),
          ]),
        ]),
  ];
}

/** One turn. Its answer is laid out when it comes into sight, and is plain text until then. */
export class TurnView {
  readonly element = el('article', 'turn');
  readonly #options: TurnOptions;
  readonly #status: StatusLine;
  readonly #sleeping = el('div', 'asleep', { dir: 'auto' });
  readonly #problem = el('p', 'fault', { role: 'alert' });
  readonly #calls = el('div', 'calls');
  readonly #tools = el('div', 'turn-tools');
  readonly #calling = new Map<string, CallView>();
  #output: OutputView | undefined;
  #isMarkdown: boolean;
  #isHead = false;
  #turn: ChatTurn;

  constructor(turn: ChatTurn, isMarkdown: boolean, options: TurnOptions) {
    this.#turn = turn;
    this.#isMarkdown = isMarkdown;
    this.#options = options;
    this.#status = new StatusLine(options.signal, t('Turn {0}', turn.id));
    this.element.setAttribute('aria-label', t('Turn {0}', turn.id));
    this.element.dataset['turn'] = String(turn.id);
    const edit = button({
      label: t('Edit Message'),
      icon: 'edit',
      isIconOnly: true,
      run: () => options.edit(this.#turn),
    });
    const back = button({
      label: t('Change Results'),
      icon: 'edit',
      isIconOnly: true,
      run: () => {
        if (this.#turn.parent !== null) options.goTo(this.#turn.parent);
      },
    });
    const again = button({
      label: t('Send Again'),
      icon: 'refresh',
      isIconOnly: true,
      run: () => options.again(this.#turn.id),
    });
    this.#tools.append(...(turn.results.length > 0 ? [back] : [edit]), again);
    this.element.append(
      ...[this.#tools, ...saidNodes(turn), this.#sleeping, this.#problem],
      ...[this.#status.element, this.#calls],
    );
    setText(this.#sleeping, visible(plainText(turn)));
    this.show(turn);
  }

  get turn(): ChatTurn {
    return this.#turn;
  }

  set markdown(isMarkdown: boolean) {
    this.#isMarkdown = isMarkdown;
    if (this.#output !== undefined) this.#output.markdown = isMarkdown;
  }

  /** The last of those that are said: its calls wait for results. */
  set isHead(isHead: boolean) {
    this.#isHead = isHead;
    this.#showCalls();
  }

  /** It comes into sight. */
  wake(): void {
    if (this.#output !== undefined) return;
    const { loadImage, onFault } = this.#options;
    this.#output = new OutputView({ loadImage, onFault });
    const { element } = this.#output;
    // The turn is what is named and stepped to.
    element.removeAttribute('tabindex');
    element.removeAttribute('aria-label');
    this.#output.markdown = this.#isMarkdown;
    this.#sleeping.replaceWith(element);
    this.#lay();
    this.#showStatus();
  }

  show(turn: ChatTurn): void {
    this.#turn = turn;
    const { status } = turn;
    if (status.state === 'running') this.wake();
    this.#lay();
    this.#showStatus();
    this.#showCalls();
  }

  progress({ status, changes }: ChatProgress): void {
    const parts = new Map(this.#turn.parts.map((part) => [part.id, part]));
    for (const { replace, ...change } of changes) {
      const before = replace ? undefined : parts.get(change.id);
      parts.set(change.id, { ...before, ...change, text: (before?.text ?? '') + change.text });
    }
    this.#turn = { ...this.#turn, status, parts: [...parts.values()] };
    this.#output?.apply(changes);
    this.#showStatus();
  }

  focusCall(): void {
    [...this.#calling.values()][0]?.focus();
  }

  #lay(): void {
    const { parts } = this.#turn;
    if (this.#output === undefined) {
      setText(this.#sleeping, visible(plainText(this.#turn)));
      return;
    }
    this.#output.clear();
    this.#output.apply(parts.map((part) => ({ ...part, replace: false })));
  }

  #showStatus(): void {
    const { status } = this.#turn;
    const { before, after } = factsOf(status, this.#options.showRequest);
    this.#status.show(status, before, after);
    const { problem } = status;
    const words = problem === undefined ? [] : [problem.message, problem.hint ?? ''];
    setText(this.#problem, words.join(' ').trim());
    this.#problem.hidden = problem === undefined;
    const isRunning = status.state === 'running';
    this.#tools.inert = isRunning;
    if (this.#output === undefined) return;
    this.#output.element.setAttribute('aria-busy', String(isRunning));
    if (!isRunning) this.#output.end();
    this.#output.showEmpty(emptyText(status));
  }

  #showCalls(): void {
    const { id, calls, status } = this.#turn;
    const shown = this.#isHead && status.state !== 'running' ? calls : [];
    const { answer, answerWith, tell, signal } = this.#options;
    const views = shown.map((call) => {
      let view = this.#calling.get(call.id);
      if (view === undefined) {
        view = new CallView(call, {
          answer: (text) => answer(id, call.id, text),
          answerWith: () => answerWith(id, call.id),
          tell: (text) => tell(id, call.id, text),
          signal,
        });
        this.#calling.set(call.id, view);
      } else view.show(call);
      return view.element;
    });
    if (views.length === 0) this.#calling.clear();
    const now = [...this.#calls.children];
    const isSame = now.length === views.length && now.every((each, at) => each === views[at]);
    if (!isSame) this.#calls.replaceChildren(...views);
  }
}
