import type { ChatCall } from '../../../protocol/chat.ts';
import { visible } from '../../../protocol/visible.ts';
import { button } from '../../common/buttons.ts';
import { el, setText } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { t } from '../../common/language.ts';
import { tellTyping } from './typing.ts';
import { sourceText } from './words.ts';

export interface CallOptions {
  readonly answer: (text: string) => void;
  readonly answerWith: () => void;
  readonly tell: (text: string) => void;
  readonly signal: AbortSignal;
}

let count = 0;

/** A call that waits for its result: a field for it, and others who may answer. */
export class CallView {
  readonly element: HTMLElement;
  readonly #area: HTMLTextAreaElement;
  readonly #misfit: HTMLElement;
  readonly #misfitText = el('span', 'note-text', { dir: 'auto' });
  readonly #problem: HTMLElement;
  readonly #done: HTMLElement;
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #explain: HTMLButtonElement;
  readonly #form: HTMLElement;
  #call: ChatCall;

  constructor(call: ChatCall, options: CallOptions) {
    this.#call = call;
    const id = `call-${(count += 1)}`;
    const name = visible(call.name);
    this.#area = el('textarea', 'area', {
      ...{ id, rows: '3', dir: 'auto', spellcheck: 'false' },
      'aria-describedby': `${id}-misfit ${id}-problem`,
    });
    this.#area.value = call.draft ?? '';
    tellTyping(this.#area, () => options.tell(this.#area.value), options.signal);
    const send = (): void => options.answer(this.#area.value);
    this.#area.addEventListener('keydown', (event) => {
      const isMain = event.ctrlKey || event.metaKey;
      if (event.key !== 'Enter' || !isMain || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      send();
    });
    // Not by color alone, which is too pale for text in light themes.
    this.#misfit = el('p', 'note warning misfit', {}, [icon('warning'), this.#misfitText]);
    this.#misfitText.id = `${id}-misfit`;
    this.#problem = el('p', 'fault', { id: `${id}-problem`, role: 'alert' });
    this.#done = el('p', 'dim');
    this.#explain = button({
      label: t('Use as Result'),
      look: 'secondary',
      run: () => {
        this.#area.value = this.#call.misfit ?? '';
        options.tell(this.#area.value);
        this.#area.focus();
      },
    });
    this.#explain.title = t('Tells the model what is wrong with its arguments');
    const use = button({
      label: t('Send Result'),
      keys: 'Ctrl+Enter',
      look: 'secondary',
      run: send,
    });
    const others = button({ label: t('Answer With…'), run: options.answerWith });
    others.title = t('Answer with a mock, a model, a tool, or an MCP server');
    this.#buttons = [use, others];
    this.#form = el('div', 'call-form', {}, [this.#area, el('div', 'buttons', {}, [use, others])]);
    this.element = el('div', 'call', { role: 'group', 'aria-label': t('Result of {0}', name) }, [
      el('label', 'name', { for: id, dir: 'auto' }, [t('Result of {0}', name)]),
      el('div', 'misfit-row', {}, [this.#misfit, this.#explain]),
      this.#form,
      ...[this.#problem, this.#done],
    ]);
    this.show(call);
  }

  show(call: ChatCall): void {
    this.#call = call;
    const { misfit, result, isAsked = false, problem } = call;
    setText(this.#misfitText, misfit === undefined ? '' : visible(misfit));
    this.#misfit.hidden = misfit === undefined;
    const isOpen = result === undefined;
    this.#explain.hidden = misfit === undefined || !isOpen;
    this.#form.hidden = !isOpen;
    for (const each of this.#buttons) each.disabled = isAsked;
    setText(this.#problem, problem === undefined ? '' : visible(problem));
    this.#problem.hidden = problem === undefined;
    const words = isAsked ? t('Waiting for the answer…') : result && sourceText(result);
    setText(this.#done, words ?? '');
    this.#done.hidden = words === undefined;
  }

  focus(): void {
    this.#area.focus();
  }
}
