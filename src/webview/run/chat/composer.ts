import type { ChatDraft } from '../../../protocol/chat.ts';
import { button } from '../../common/buttons.ts';
import { el, setText } from '../../common/dom.ts';
import { t } from '../../common/language.ts';
import { tellTyping } from './typing.ts';

export interface ComposerOptions {
  /** Resolves when it was taken, or was not. */
  readonly send: (draft: ChatDraft) => Promise<void>;
  readonly tell: (draft: ChatDraft) => void;
  readonly signal: AbortSignal;
}

/** Where the next message is written. Enter sends it, Shift+Enter begins a line. */
export class Composer {
  readonly element: HTMLElement;
  readonly #area: HTMLTextAreaElement;
  readonly #send: HTMLButtonElement;
  readonly #editing: HTMLElement;
  readonly #editingText = el('span', '');
  readonly #hint = el('p', 'dim composer-hint', { id: 'composer-hint' });
  readonly #options: ComposerOptions;
  #edits: number | null = null;
  /** Pressed twice, it is sent once. */
  #isSending = false;

  constructor(options: ComposerOptions) {
    this.#options = options;
    this.#area = el('textarea', 'area', {
      ...{ rows: '2', dir: 'auto', 'aria-label': t('Message') },
      'aria-describedby': 'composer-hint',
    });
    this.#send = button({
      label: t('Send'),
      keys: 'Enter',
      look: 'secondary',
      run: () => this.send(),
    });
    this.#editing = el('div', 'editing', { role: 'status' }, [
      this.#editingText,
      button({ label: t('Cancel'), run: () => this.edit(null, '') }),
    ]);
    this.element = el('div', 'composer', {}, [
      this.#editing,
      el('div', 'composer-row', {}, [this.#area, this.#send]),
      this.#hint,
    ]);
    tellTyping(this.#area, () => options.tell(this.draft), options.signal);
    this.#area.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      if (event.key === 'Escape' && this.#edits !== null) {
        this.edit(null, '');
        event.preventDefault();
      }
      if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.send();
    });
    this.#showEditing();
  }

  get draft(): ChatDraft {
    return { text: this.#area.value, edits: this.#edits };
  }

  take({ text, edits }: ChatDraft): void {
    this.#edits = edits;
    this.#area.value = text;
    this.#showEditing();
  }

  /** The text of a turn, to be sent in its place; null: a new message again. */
  edit(turn: number | null, text: string): void {
    this.take({ text, edits: turn });
    this.#options.tell(this.draft);
    this.#area.focus();
  }

  clear(): void {
    this.take({ text: '', edits: null });
  }

  send(): void {
    if (this.#send.disabled || this.#isSending) return;
    this.#isSending = true;
    void this.#options.send(this.draft).finally(() => (this.#isSending = false));
  }

  focus(): void {
    this.#area.focus();
  }

  /** `hint`: what a message does now, or why there can be none. */
  show({ canSend, hint }: { readonly canSend: boolean; readonly hint: string }): void {
    this.#send.disabled = !canSend;
    setText(this.#hint, hint);
    this.#hint.hidden = hint === '';
  }

  #showEditing(): void {
    this.#editing.hidden = this.#edits === null;
    if (this.#edits !== null) {
      setText(
        this.#editingText,
        t('Editing the message of turn {0}. What followed it is kept as superseded.', this.#edits),
      );
    }
  }
}
