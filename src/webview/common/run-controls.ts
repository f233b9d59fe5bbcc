import { button } from './buttons.ts';
import { setText } from './dom.ts';
import { explain } from './explain.ts';
import { t } from './language.ts';
import type { Problems } from './problems.ts';

export interface RunControlsOptions {
  /** What ends a run, in a word: a prompt is stopped, a workflow cancelled. */
  readonly stopLabel: string;
  readonly begin: () => void;
  readonly stop: () => void;
  readonly signal: AbortSignal;
}

/** The buttons that begin and end a run, and their keys wherever the focus is. */
export class RunControls {
  readonly run: HTMLButtonElement;
  readonly stop: HTMLButtonElement;

  constructor({ stopLabel, begin, stop, signal }: RunControlsOptions) {
    this.run = button({
      label: t('Run'),
      icon: 'play',
      keys: 'Ctrl+Enter',
      look: 'primary',
      run: begin,
    });
    this.stop = button({
      label: stopLabel,
      icon: 'debug-stop',
      keys: 'Ctrl+Shift+Backspace',
      look: 'secondary',
      run: stop,
    });
    document.addEventListener(
      'keydown',
      (event) => {
        const isMain = event.ctrlKey || event.metaKey;
        const isStop = isMain && event.shiftKey && event.key === 'Backspace';
        if (isMain && event.key === 'Enter') begin();
        else if (isStop && !this.stop.hidden) this.stop.click();
        else return;
        event.preventDefault();
      },
      { signal },
    );
  }

  /** `canRun`: there is something to run. */
  show(state: {
    readonly isRunning: boolean;
    readonly canRun: boolean;
    readonly hasRun: boolean;
  }): void {
    this.stop.hidden = !state.isRunning;
    this.run.disabled = state.isRunning || !state.canRun;
    const label = this.run.querySelector<HTMLElement>('.button-label');
    if (label !== null) setText(label, state.hasRun ? t('Run again') : t('Run'));
  }
}

/** Follows a request whose answer says nothing but that it was done. */
export const askWith =
  (problems: Problems) =>
  (asked: Promise<unknown>): void => {
    asked.then(
      () => problems.show('panel', null),
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'cancelled') return;
        problems.show('panel', { message: explain(error) });
      },
    );
  };
