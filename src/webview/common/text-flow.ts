import { el } from './dom.ts';
import { t } from './language.ts';
import { revealInPieces } from './reveal.ts';
import type { Piece } from './reveal.ts';

/** A block that is longer than this ends with its line: growing costs the layout of one block. */
const longBlock = 2000;
const mayBeFence = /^ {0,3}(?:`{0,2}|`{3,}[^`]{0,80}|~{0,2}|~{3,}.{0,80})$/;
/** What can only be read together with what follows: half a line end, half a character, a joiner. */
const unfinished = /(?:\r|[\u200c\u200d]*[\ud800-\udbff]?)$/;
const opensFence = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;

const framed = (language: string, code: HTMLElement): HTMLElement =>
  el('div', 'fence', {}, [el('div', 'language', {}, [language.trim() || t('code')]), code]);

/** A block of code that is whole, as a flow shows it. */
export function codeBlock(language: string, text: string): HTMLElement {
  const flow = new TextFlow({ fences: false });
  flow.add(text);
  flow.end();
  flow.element.className = 'code';
  return framed(language, flow.element);
}

export interface FlowOptions {
  /** Markdown's code fences become blocks of code. False: all of it is code. */
  readonly fences: boolean;
}

/**
 * Text that grows at its end. What is there is never touched again, so thirty thousand pieces cost
 * thirty thousand times one piece.
 */
export class TextFlow {
  readonly element: HTMLElement;
  readonly #hasFences: boolean;
  /** Where blocks go: the element, or the code that is open. */
  #holder: HTMLElement;
  #block: HTMLElement | undefined;
  #blockLength = 0;
  /** The fence that is open. */
  #fence: string | undefined;
  #isLineStart = true;
  /** The beginning of a line that may yet become a fence. */
  #held = '';
  /** An unfinished character at the end of what has come. */
  #tail = '';
  /** The last character of the block, which a joiner at the beginning of a piece looks at. */
  #context = '';
  /** To be put into the page with the next `#commit`. */
  #pending = '';

  constructor({ fences }: FlowOptions) {
    this.#hasFences = fences;
    this.element = el('div', fences ? 'flow' : 'flow code');
    this.#holder = this.element;
  }

  add(text: string): void {
    const come = this.#tail + text;
    this.#tail = unfinished.exec(come)?.[0] ?? '';
    const whole = come.slice(0, come.length - this.#tail.length).replaceAll('\r\n', '\n');
    let rest = this.#held + whole;
    this.#held = '';
    while (rest !== '') {
      const end = rest.indexOf('\n');
      const line = end < 0 ? rest : rest.slice(0, end);
      if (this.#hasFences && this.#isLineStart) {
        if (end < 0 && mayBeFence.test(line)) {
          this.#held = rest;
          break;
        }
        if (end >= 0 && this.#turnsAtFence(line)) {
          rest = rest.slice(end + 1);
          continue;
        }
      }
      this.#put(end < 0 ? line : `${line}\n`);
      this.#isLineStart = end >= 0;
      rest = end < 0 ? '' : rest.slice(end + 1);
    }
    this.#commit();
  }

  /** Nothing follows: what was held back is shown. */
  end(): void {
    const held = this.#held + this.#tail;
    this.#held = '';
    this.#tail = '';
    if (held === '' || this.#turnsAtFence(held)) return;
    this.#put(held);
    this.#commit();
  }

  /** True when the line opens or closes a block of code. */
  #turnsAtFence(line: string): boolean {
    if (this.#fence !== undefined) {
      const bare = line.trim();
      const closes = bare.startsWith(this.#fence) && /^(?:`+|~+)$/.test(bare);
      if (!closes) return false;
      this.#commit();
      this.#fence = undefined;
      this.#holder = this.element;
      this.#block = undefined;
      return true;
    }
    const [, fence, language = ''] = opensFence.exec(line) ?? [];
    if (fence === undefined) return false;
    this.#commit();
    this.#fence = fence;
    this.#holder = el('div', 'code');
    this.element.append(framed(language, this.#holder));
    this.#block = undefined;
    return true;
  }

  #put(text: string): void {
    this.#pending += text;
    this.#blockLength += text.length;
    if (this.#blockLength < longBlock || !this.#pending.endsWith('\n')) return;
    // The end of the block is the end of the line.
    this.#pending = this.#pending.slice(0, -1);
    this.#commit();
    this.#block = undefined;
    this.#blockLength = 0;
  }

  #commit(): void {
    const text = this.#pending;
    this.#pending = '';
    if (text === '') return;
    if (this.#block === undefined) {
      const isCode = !this.#hasFences || this.#fence !== undefined;
      this.#block = el('div', 'block', { dir: isCode ? 'ltr' : 'auto' });
      this.#holder.append(this.#block);
      this.#blockLength = text.length;
      this.#context = '';
    }
    for (const piece of this.#piecesOf(text)) {
      const last = this.#block.lastChild;
      if (piece.isSign) this.#block.append(el('span', 'sign', {}, [piece.text]));
      else if (last instanceof Text) last.appendData(piece.text);
      else this.#block.append(piece.text);
    }
  }
  #piecesOf(text: string): readonly Piece[] {
    const [first, ...rest] = revealInPieces(this.#context + text);
    const known = this.#context.length;
    const last = /.$/su.exec(text)?.[0] ?? '';
    // A character that is shown as a sign joins nothing.
    this.#context = revealInPieces(last).some(({ isSign }) => isSign) ? '' : last;
    if (first === undefined || known === 0) return first === undefined ? [] : [first, ...rest];
    return [{ ...first, text: first.text.slice(known) }, ...rest].filter(
      (piece) => piece.text !== '',
    );
  }
}
