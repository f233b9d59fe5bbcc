import type { RunEnding, RunState } from '../../protocol/run.ts';
import { el, setText } from './dom.ts';
import { spellDuration, t } from './language.ts';

const tickMs = 100;

const stateWords: Readonly<Record<RunState, string>> = {
  idle: t('Not run yet'),
  running: t('Running'),
  done: t('Done'),
  stopped: t('Stopped'),
  failed: t('Failed'),
  interrupted: t('Interrupted'),
};

/** What is not whole is not called done. */
export function stateText(state: RunState, ending: RunEnding | undefined): string {
  switch (ending?.kind) {
    case 'length':
      return t('Cut off at the token limit');
    case 'filtered':
      return t('Stopped by the content filter');
    case 'refused':
      return t('Refused by the model');
    case 'empty':
      return t('Empty answer');
    case 'other':
      return t('Ended early: {0}', ending.reason);
    case undefined:
      return stateWords[state];
  }
}

/** How far a run is. Milliseconds from the moment it was asked for. */
interface Stage {
  readonly state: RunState;
  readonly elapsedMs: number;
  readonly ending?: RunEnding;
}

/** Where a fact leads. */
export interface FactLink {
  readonly title: string;
  readonly follow: () => void;
}

/** A fact by its name; what is not known is left out. */
export type StatusFact = readonly [name: string, value: string | undefined, link?: FactLink];

/** State, time and other facts of a run. The clock runs here: nothing is sent for it. */
export class StatusLine {
  readonly element: HTMLElement;
  readonly #state = el('span', 'state');
  readonly #facts = new Map<string, HTMLElement>();
  #stage: Stage | undefined;
  #since = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `label`: what it is the state of. */
  constructor(
    signal: AbortSignal,
    label = t({ message: 'Run', comment: 'one time that something ran' }),
  ) {
    this.element = el('footer', 'status-line', { 'aria-label': label });
    this.element.append(this.#state);
    signal.addEventListener('abort', () => clearInterval(this.#timer));
  }

  /** The time stands between the facts before and after it. */
  show(stage: Stage, before: readonly StatusFact[], after: readonly StatusFact[]): void {
    this.#stage = stage;
    this.#since = performance.now();
    const isRunning = stage.state === 'running';
    if (isRunning) this.#timer ??= setInterval(() => this.#tick(), tickMs);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    const { state, ending } = stage;
    setText(this.#state, stateText(state, ending));
    this.#state.className = `state ${ending === undefined ? state : 'cut'}`;
    for (const fact of before) this.#fact(fact);
    this.#tick();
    for (const fact of after) this.#fact(fact);
  }

  #tick(): void {
    const stage = this.#stage;
    if (stage === undefined) return;
    const more = stage.state === 'running' ? performance.now() - this.#since : 0;
    const isIdle = stage.state === 'idle';
    this.#fact([t('Time'), isIdle ? undefined : spellDuration(stage.elapsedMs + more)]);
  }

  #fact([name, value, link]: StatusFact): void {
    let fact = this.#facts.get(name);
    if (fact === undefined) {
      const shown =
        link === undefined
          ? el('span', 'fact-value')
          : el('button', 'fact-value link', { type: 'button', title: link.title });
      const element = el('span', 'fact', {}, [el('span', 'fact-name', {}, [name]), ' ', shown]);
      this.element.append(element);
      this.#facts.set(name, element);
      fact = element;
    }
    fact.hidden = value === undefined;
    const shown = fact.lastElementChild;
    if (!(shown instanceof HTMLElement)) return;
    setText(shown, value ?? '');
    if (link !== undefined) shown.onclick = link.follow;
  }
}
