import { el } from '../common/dom.ts';
import { TextFlow } from '../common/text-flow.ts';
import { markdownNodes } from './markdown.ts';
import { SectionReader } from './markdown-sections.ts';
import { updateNodes } from './update-nodes.ts';

/** How long Markdown is made in one go: frames are to come in between. */
const sliceMs = 8;
/** The section that grows is made anew after so many times what that took the last time. */
const restFactor = 4;
/** What is put into the page before it is laid out for the first time, in characters. */
const layoutLength = 4000;
/** A group of sections that is as long is left alone by what comes behind it. */
const groupLength = 4000;
/** A longer section that does not end is shown as it is written, until the text is whole. */
const longestRest = 16_000;

/**
 * Markdown that grows at its end. A section that has ended is made once; the last one is made anew,
 * as often as its length allows, and what stays the same in it stays in the page.
 */
export class LiveMarkdown {
  readonly element = el('div', 'markdown');
  /** Where sections go, and how much is in it. */
  #group = el('div', 'group');
  #groupLength = 0;
  readonly #onGrow: () => void;
  #reader = new SectionReader();
  #text = '';
  /** Sections that have ended and are not in the page. */
  #waiting: string[] = [];
  /** What stands for the section that has not ended. */
  #last: readonly Node[] = [];
  /** The code that grows, or the text that is too long to be made anew, and how much of it is there. */
  #flow: TextFlow | undefined;
  #flowLength = 0;
  #nextAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onGrow` is called when the page has more of it. */
  constructor(onGrow: () => void) {
    this.#onGrow = onGrow;
    this.element.append(this.#group);
  }

  add(text: string): void {
    this.#text += text;
    this.#waiting.push(...this.#reader.read(text));
    this.#showSoon();
  }

  /** The text is whole. */
  end(): void {
    if (this.#reader.hasReaching) {
      this.#showWhole();
      return;
    }
    const rest = this.#reader.rest;
    this.#reader = new SectionReader();
    if (rest !== '') this.#waiting.push(rest);
    this.#nextAt = 0;
    this.#showSoon();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #showSoon(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#nextAt - performance.now();
    if (wait <= 0) this.#show();
    else this.#timer = setTimeout(() => this.#show(), wait);
  }

  #show(): void {
    this.#timer = undefined;
    const began = performance.now();
    let made = 0;
    while (this.#waiting.length > 0 && performance.now() < began + sliceMs) {
      const section = this.#waiting.shift() ?? '';
      this.#replaceLast(markdownNodes(section));
      this.#last = [];
      this.#groupLength += section.length;
      if (this.#groupLength > groupLength) this.#beginGroup();
      made += section.length;
      // Within the slice: it lays out what has come, which takes longer than to make it.
      if (made > layoutLength) {
        made = 0;
        this.#onGrow();
      }
    }
    if (this.#waiting.length > 0) {
      this.#timer = setTimeout(() => this.#show());
      return;
    }
    this.#showRest();
    this.#onGrow();
    const end = performance.now();
    this.#nextAt = end + restFactor * (end - began);
  }

  /** The section that has not ended. */
  #showRest(): void {
    const { rest, isCode } = this.#reader;
    if (isCode || rest.length > longestRest) {
      if (this.#flow === undefined) {
        this.#flow = new TextFlow({ fences: true });
        this.#replaceLast([this.#flow.element], true);
      }
      this.#flow.add(rest.slice(this.#flowLength));
      this.#flowLength = rest.length;
    } else {
      this.#replaceLast(rest === '' ? [] : markdownNodes(rest));
    }
  }

  #replaceLast(nodes: readonly Node[], isFlow = false): void {
    if (!isFlow) this.#flow = undefined;
    this.#flowLength = 0;
    this.#last = updateNodes(this.#group, this.#last, nodes);
  }

  /** What is in a group that has ended, and out of sight, costs nothing while more comes. */
  #beginGroup(): void {
    const ended = this.#group;
    // Its size is known by then, so that nothing moves.
    requestAnimationFrame(() => requestAnimationFrame(() => ended.classList.add('ended')));
    this.#group = el('div', 'group');
    this.#groupLength = 0;
    this.element.append(this.#group);
  }

  /** All of it at once, since each part may say what another one means. */
  #showWhole(): void {
    this.close();
    this.#timer = undefined;
    this.#flow = undefined;
    this.#last = [];
    this.element.replaceChildren(el('div', 'group', {}, markdownNodes(this.#text)));
    this.#onGrow();
  }
}
