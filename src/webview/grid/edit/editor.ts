import type { CellAddress } from '../../../protocol/grid-cells.ts';
import { el } from '../../common/dom.ts';
import { t } from '../../common/language.ts';
import { isFieldKey } from './typing.ts';
import type { Viewport } from '../rows/viewport.ts';

/** Where an edit takes place. */
export interface EditPlace extends CellAddress {
  readonly position: number;
  readonly columnTitle: string;
}

/** Where the cursor goes after an edit. */
export type AfterEdit = 'stay' | 'down' | 'right' | 'left';

export interface EditStart {
  readonly place: EditPlace;
  /** Text to begin with; a promise while the whole value is fetched. */
  readonly text: string | Promise<string>;
  /** What was there, as the user saw it; null for no value. */
  readonly base: Promise<string | null>;
}

export interface FinishedEdit {
  readonly place: EditPlace;
  readonly text: string;
  readonly base: string | null;
}

export interface EditorOptions {
  readonly viewport: Viewport;
  readonly columnIndex: (columnId: string) => number;
  readonly committed: (edit: FinishedEdit) => void;
  readonly failed: (error: unknown) => void;
  /** The editor closed: the grid takes the focus again and moves on. */
  readonly closed: (after: AfterEdit) => void;
  /** The text so far, to be kept in case the view goes away. Undefined: nothing to keep. */
  readonly drafted: (draft: FinishedEdit | undefined) => void;
  /** The edit ended and the cell is to stay as it was. */
  readonly leftAlone: () => void;
  readonly signal: AbortSignal;
}

const labelOf = ({ columnTitle, position }: EditPlace): string =>
  t('Edit {0}, row {1}', columnTitle, position + 1);

const asTyped = (base: string | null): string => (base ?? '').replaceAll(/\r\n?/g, '\n');

interface Edit {
  /** Rows move: its row is what an edit belongs to. */
  place: EditPlace;
  readonly base: Promise<string | null>;
  /** Settled value of `base`, once known. */
  knownBase: string | null | undefined;
}

/** One text area that floats over the cell being edited, wherever that cell scrolls. */
export class CellEditor {
  readonly element = el('textarea', 'editor', {
    rows: '1',
    spellcheck: 'false',
    dir: 'auto',
    autocomplete: 'off',
  });
  readonly #options: EditorOptions;
  #edit: Edit | undefined;

  constructor(options: EditorOptions) {
    this.#options = options;
    const { signal } = options;
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.#pressed(event), { signal });
    this.element.addEventListener('input', () => this.#typed(), { signal });
    this.element.addEventListener('blur', () => this.#left(), { signal });
  }

  get place(): EditPlace | undefined {
    return this.#edit?.place;
  }

  async begin({ place, text, base }: EditStart): Promise<void> {
    this.commit('stay');
    const edit: Edit = { place, base, knownBase: undefined };
    this.#edit = edit;
    const { element } = this;
    element.setAttribute('aria-label', labelOf(place));
    element.value = typeof text === 'string' ? text : '';
    element.readOnly = typeof text !== 'string';
    element.placeholder = element.readOnly ? t('Loading the whole value…') : '';
    element.hidden = false;
    this.reposition();
    element.focus({ preventScroll: true });
    element.setSelectionRange(element.value.length, element.value.length);
    try {
      const whole = await text;
      edit.knownBase = await base;
      if (this.#edit !== edit) return;
      if (element.readOnly) {
        element.value = whole;
        element.readOnly = false;
        element.placeholder = '';
        element.setSelectionRange(whole.length, whole.length);
      }
      // What was typed while the base was fetched.
      if (element.value !== asTyped(edit.knownBase)) this.#typed();
      this.reposition();
    } catch (error) {
      if (this.#edit !== edit) return;
      this.#close('stay');
      this.#options.failed(error);
    }
  }

  /** Sends what was typed, if it differs from what was there. */
  commit(after: AfterEdit): void {
    const edit = this.#edit;
    if (edit === undefined) return;
    const { value: text, readOnly } = this.element;
    this.#close(after);
    if (readOnly) return;
    const send = (base: string | null): void => {
      // A text area knows one line end only: what it made of the others is no edit.
      if (text === asTyped(base)) this.#options.leftAlone();
      else this.#options.committed({ place: edit.place, text, base });
    };
    if (edit.knownBase !== undefined) send(edit.knownBase);
    else edit.base.then(send, this.#options.failed);
  }

  cancel(): void {
    if (this.#edit === undefined) return;
    this.#close('stay');
    this.#options.leftAlone();
  }

  /** Its row is at another position now. */
  moveTo(position: number): void {
    const edit = this.#edit;
    if (edit === undefined) return;
    edit.place = { ...edit.place, position };
    this.element.setAttribute('aria-label', labelOf(edit.place));
    this.reposition();
  }

  /** Follows its cell after scrolling and resizing. */
  reposition(): void {
    const edit = this.#edit;
    if (edit === undefined) return;
    const { viewport, columnIndex } = this.#options;
    const box = viewport.boxOf(edit.place.position, columnIndex(edit.place.columnId));
    const { style } = this.element;
    if (box === undefined) return;
    style.transform = `translate(${box.left}px, ${box.top}px)`;
    style.width = `${Math.max(box.width, 200)}px`;
    style.height = `${viewport.rowHeight}px`;
    const tallest = viewport.rowHeight * 8;
    style.height = `${Math.min(tallest, Math.max(viewport.rowHeight, this.element.scrollHeight + 2))}px`;
  }

  #close(after: AfterEdit): void {
    this.#edit = undefined;
    this.element.hidden = true;
    this.#options.drafted(undefined);
    this.#options.closed(after);
  }

  #typed(): void {
    const edit = this.#edit;
    if (edit === undefined) return;
    this.reposition();
    if (edit.knownBase === undefined) return;
    this.#options.drafted({ place: edit.place, text: this.element.value, base: edit.knownBase });
  }

  /** Another window in front is no reason to end an edit; another place in this one is. */
  #left(): void {
    if (document.hasFocus()) this.commit('stay');
  }

  #pressed(event: KeyboardEvent): void {
    const { key, shiftKey, altKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    if (event.isComposing) return;
    if (key === 'Escape') this.cancel();
    else if (key === 'Enter' && (altKey || shiftKey)) this.#insert('\n');
    else if (key === 'Enter') this.commit(isControl ? 'stay' : 'down');
    else if (key === 'Tab' && !isControl && !altKey) this.commit(shiftKey ? 'left' : 'right');
    else if (isControl && key.toLowerCase() === 's') this.commit('stay');
    else {
      // What is left is for VS Code: the draft stays while its palette is open.
      if (isFieldKey(event)) event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #insert(text: string): void {
    const { element } = this;
    if (element.readOnly) return;
    element.setRangeText(text, element.selectionStart, element.selectionEnd, 'end');
    this.#typed();
  }
}
