import type { OutputChange, OutputPart } from '../../protocol/run.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { LiveMarkdown } from './live-markdown.ts';
import { warmUpMarkdown } from './markdown-warm-up.ts';
import { TextFlow } from '../common/text-flow.ts';

/** How near the end still counts as there, in pixels. */
const nearEnd = 40;
/** How long a place to scroll to is waited for while the text before it is laid out. */
const restoreMs = 5000;

interface PartView {
  readonly kind: OutputPart['kind'];
  readonly element: HTMLElement;
  /** Where the text is. */
  readonly body: HTMLElement;
  readonly title: HTMLElement | undefined;
  text: string;
  /** The text as it is written, and as Markdown: made when it is first shown so. */
  flow: TextFlow | undefined;
  markdown: LiveMarkdown | undefined;
}

export interface OutputOptions {
  readonly loadImage: (id: string) => Promise<string>;
  readonly onFault: (error: unknown) => void;
  /** The text was scrolled, by a person or by what came. */
  readonly onScroll?: () => void;
}

/** The answer as it comes: new text is put at the end, what is there stays as it is. */
export class OutputView {
  readonly element = el('section', 'output', { 'aria-label': t('Output'), tabindex: '0' });
  readonly #content = el('div', 'parts');
  readonly #tools = el('div', 'parts');
  readonly #empty = el('p', 'dim empty');
  readonly #options: OutputOptions;
  readonly #parts = new Map<string, PartView>();
  #isMarkdown = true;
  #isOver = true;
  #isAtEnd = true;
  /** Stops the way back to a place of an earlier page. */
  #stopRestoring = (): void => undefined;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.element.append(this.#empty, this.#content, this.#tools);
    this.element.addEventListener(
      'scroll',
      () => {
        const { scrollHeight, scrollTop, clientHeight } = this.element;
        this.#isAtEnd = scrollHeight - scrollTop - clientHeight < nearEnd;
        this.#options.onScroll?.();
      },
      { passive: true },
    );
    for (const act of ['wheel', 'pointerdown', 'keydown'] as const) {
      this.element.addEventListener(act, () => this.#stopRestoring(), { passive: true });
    }
  }

  /** How far the text was scrolled, in pixels; undefined: it follows what comes. */
  get place(): number | undefined {
    return this.#isAtEnd ? undefined : this.element.scrollTop;
  }

  /** Goes back there as soon as there is text enough, unless somebody scrolls meanwhile. */
  goTo(place: number): void {
    this.#stopRestoring();
    this.#isAtEnd = false;
    const until = performance.now() + restoreMs;
    let isOver = false;
    this.#stopRestoring = () => (isOver = true);
    const tryIt = (): void => {
      if (isOver) return;
      this.element.scrollTop = place;
      const isThere = Math.abs(this.element.scrollTop - place) < 2;
      if (!isThere && performance.now() < until) requestAnimationFrame(tryIt);
    };
    tryIt();
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  /** What stands there instead of an answer. */
  showEmpty(text: string): void {
    setText(this.#empty, text);
    this.#empty.hidden = !this.isEmpty;
  }

  clear(): void {
    this.#stopRestoring();
    for (const { markdown } of this.#parts.values()) markdown?.close();
    this.#parts.clear();
    this.#content.replaceChildren();
    this.#tools.replaceChildren();
    this.#isOver = false;
    this.#isAtEnd = true;
    if (this.#isMarkdown) warmUpMarkdown();
  }

  apply(changes: readonly OutputChange[]): void {
    for (const change of changes) this.#change(change);
    if (changes.length > 0) this.#empty.hidden = true;
    if (changes.length > 0) this.#followEnd();
  }

  #followEnd(): void {
    if (this.#isAtEnd) this.element.scrollTop = this.element.scrollHeight;
  }

  /** The answer is whole, or will never be. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const part of this.#parts.values()) {
      part.flow?.end();
      part.markdown?.end();
      if (part.kind === 'tool') this.#layOut(part);
    }
  }

  set markdown(isMarkdown: boolean) {
    if (this.#isMarkdown === isMarkdown) return;
    this.#isMarkdown = isMarkdown;
    if (isMarkdown) warmUpMarkdown();
    for (const part of this.#parts.values()) if (part.kind === 'text') this.#show(part);
    this.#followEnd();
  }

  #change({ id, kind, title, text, replace }: OutputChange): void {
    const known = this.#parts.get(id);
    const part = known?.kind === kind ? known : this.#make(id, kind);
    if (title !== undefined && part.title !== undefined) setText(part.title, title);
    if (kind === 'image') {
      this.#showImage(part, id, replace ? text : part.text + text);
      return;
    }
    if (replace) {
      part.text = '';
      part.flow = undefined;
      part.markdown?.close();
      part.markdown = undefined;
      part.body.replaceChildren();
    }
    part.text += text;
    part.flow?.add(text);
    part.markdown?.add(text);
    if (part.body.childElementCount === 0) this.#show(part);
  }

  #make(id: string, kind: OutputPart['kind']): PartView {
    const title = kind === 'tool' || kind === 'json' ? el('span', 'part-title') : undefined;
    const body = el('div', 'part-body');
    const element = this.#frame(kind, title, body);
    const part: PartView = {
      kind,
      element,
      body,
      title,
      text: '',
      flow: undefined,
      markdown: undefined,
    };
    const before = this.#parts.get(id);
    before?.markdown?.close();
    if (before === undefined) (kind === 'tool' ? this.#tools : this.#content).append(element);
    else before.element.replaceWith(element);
    this.#parts.set(id, part);
    return part;
  }

  #frame(kind: OutputPart['kind'], title: HTMLElement | undefined, body: HTMLElement): HTMLElement {
    switch (kind) {
      case 'text':
        return el('div', 'part text', {}, [body]);
      case 'thinking':
        return el('details', 'part thinking', {}, [el('summary', '', {}, [t('Thinking')]), body]);
      case 'tool':
      case 'json': {
        const word = kind === 'tool' ? t('Tool call') : t('Other content');
        const heading = el('h3', 'part-head', {}, [`${word} `, title ?? '']);
        return el('div', `part ${kind}`, {}, [heading, body]);
      }
      case 'image':
        return el('figure', 'part image');
    }
  }

  /** Puts the text into the page, as Markdown or as it is written; what is there already goes on growing. */
  #show(part: PartView): void {
    const isMarkdown = part.kind === 'text' && this.#isMarkdown;
    part.body.replaceChildren(isMarkdown ? this.#markdownOf(part) : this.#flowOf(part));
  }

  #markdownOf(part: PartView): HTMLElement {
    if (part.markdown === undefined) {
      const markdown = new LiveMarkdown(() => this.#followEnd());
      markdown.add(part.text);
      if (this.#isOver) markdown.end();
      part.markdown = markdown;
    }
    return part.markdown.element;
  }

  #flowOf(part: PartView): HTMLElement {
    if (part.flow === undefined) {
      const flow = new TextFlow({ fences: part.kind === 'text' || part.kind === 'thinking' });
      flow.add(part.text);
      if (this.#isOver) flow.end();
      part.flow = flow;
    }
    return part.flow.element;
  }

  /** The arguments of a tool that are whole. Those that broke off are no JSON and stay as they came. */
  #layOut(part: PartView): void {
    let json: string;
    try {
      json = JSON.stringify(JSON.parse(part.text), null, 2);
    } catch {
      return;
    }
    const flow = new TextFlow({ fences: false });
    flow.add(json);
    part.flow = flow;
    part.body.replaceChildren(flow.element);
  }

  #showImage(part: PartView, id: string, source: string): void {
    part.text = source;
    if (source.startsWith('data:')) {
      part.element.replaceChildren(el('img', '', { src: source, alt: t('Image of the model') }));
      return;
    }
    const fault = el('p', 'fault', { role: 'alert' });
    const load = button({
      label: t('Load image'),
      look: 'secondary',
      run: (pressed) => {
        pressed.disabled = true;
        setText(fault, '');
        this.#options.loadImage(id).then(
          (data) => this.#showImage(part, id, data),
          (error: unknown) => {
            pressed.disabled = false;
            setText(fault, error instanceof Error ? error.message : String(error));
            this.#options.onFault(error);
          },
        );
      },
    });
    const host = URL.canParse(source) ? new URL(source).host : source;
    const caption = el('figcaption', 'dim', {}, [t('An image on {0}, not loaded yet.', host)]);
    part.element.replaceChildren(caption, load, fault);
  }
}
