import type { FindResult, Scope } from '../../../protocol/grid-work.ts';
import { mostHits } from '../../../protocol/grid-work.ts';
import type { Announcer } from '../../common/announcer.ts';
import { button } from '../../common/buttons.ts';
import { el, setText } from '../../common/dom.ts';
import { t, spellNumber } from '../../common/language.ts';
import { asFindResult } from '../work-guards.ts';
import { explain, type Host } from '../connection.ts';
import type { Cursor } from '../cursor/cursor.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { isTextKey } from '../edit/typing.ts';

export interface FindBarOptions {
  readonly host: Host;
  readonly model: SheetModel;
  readonly cursor: Cursor;
  readonly announcer: Announcer;
  readonly signal: AbortSignal;
}

const typingMs = 250;

function toggle(label: string, sign: string, changed: () => void): HTMLButtonElement {
  const element = el('button', 'button quiet toggle', {
    type: 'button',
    'aria-label': label,
    'aria-pressed': 'false',
  });
  element.title = label;
  element.append(sign);
  element.addEventListener('click', () => {
    element.setAttribute('aria-pressed', String(!isOn(element)));
    changed();
  });
  return element;
}
const hasFocus = (within: Element): boolean => {
  const { activeElement: now } = document;
  if (now === null || !within.contains(now)) return false;
  return !(now instanceof HTMLButtonElement && (now.hidden || now.disabled));
};
const isOn = (element: HTMLElement): boolean => element.getAttribute('aria-pressed') === 'true';

/** Finds a text in the rows on screen, and says in how many of them it has looked. */
export class FindBar {
  readonly element = el('div', 'work-bar find', {
    role: 'search',
    'aria-label': t('Find in sheet'),
  });
  readonly #options: FindBarOptions;
  readonly #input = el('input', 'input', {
    type: 'text',
    'aria-label': t('Find'),
    placeholder: t('Find'),
    spellcheck: 'false',
  });
  readonly #status = el('span', 'bar-status', { role: 'status' });
  readonly #matchCase = toggle(t('Match case'), 'Aa', () => void this.#search('loaded'));
  readonly #pattern = toggle(t('Regular expression'), '.*', () => void this.#search('loaded'));
  readonly #previous: HTMLButtonElement;
  readonly #next: HTMLButtonElement;
  readonly #all: HTMLButtonElement;
  #result: FindResult | undefined;
  #columnIds: readonly string[] = [];
  #at = -1;
  #asked: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FindBarOptions) {
    this.#options = options;
    const { model, signal } = options;
    const icons = { isIconOnly: true } as const;
    this.#previous = button({
      ...{ label: t('Previous hit'), keys: 'Shift+Enter', icon: 'arrow-up', ...icons },
      run: () => this.#go(-1),
    });
    this.#next = button({
      ...{ label: t('Next hit'), keys: 'Enter', icon: 'arrow-down', ...icons },
      run: () => this.#go(1),
    });
    this.#all = button({
      label: t('Search all rows'),
      look: 'secondary',
      run: () => void this.#search('all'),
    });
    const close = button({ label: t('Close'), icon: 'close', ...icons, run: () => this.close() });
    const tools = [this.#matchCase, this.#pattern, this.#previous, this.#next];
    this.element.append(this.#input, ...tools, this.#status, this.#all, close);
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.#pressed(event), { signal });
    this.#input.addEventListener('input', () => this.#typed(), { signal });
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
    model.changes.eachFrame(['generation'], () => this.#outdated());
  }

  open(): void {
    this.element.hidden = false;
    this.#input.focus();
    this.#input.select();
    if (this.#input.value !== '') void this.#search('loaded');
    else this.#show('');
  }

  close(): void {
    this.#asked?.abort();
    this.element.hidden = true;
    this.#mark([]);
    this.#options.cursor.focus();
  }

  /** Rows have moved: places of hits are of no use any more. */
  #outdated(): void {
    if (!this.element.hidden && this.#result !== undefined) this.#typed();
  }

  /** Cells with hits look it, also those that are not gone to. */
  #mark(hits: FindResult['hits']): void {
    const { view } = this.#options.model;
    const marked = new Map<string, Set<number>>();
    for (const [row, place] of hits) {
      const columnId = this.#columnIds[place] ?? '';
      const rows = marked.get(columnId) ?? new Set();
      marked.set(columnId, rows.add(row));
    }
    view.hits = hits.length === 0 ? undefined : marked;
  }

  #typed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#search('loaded'), typingMs);
  }

  async #search(scope: Scope): Promise<void> {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#result = undefined;
    this.#at = -1;
    const text = this.#input.value;
    if (text === '') {
      this.#mark([]);
      this.#show('');
      return;
    }
    const asked = new AbortController();
    this.#asked = asked;
    const { host, model } = this.#options;
    this.#columnIds = model.shown.map(({ column }) => column.id);
    this.#show(t('Searching…'));
    try {
      const request = {
        ...{ text, scope, columnIds: this.#columnIds },
        ...{ isPattern: isOn(this.#pattern), matchCase: isOn(this.#matchCase) },
      };
      const result = asFindResult(await host.ask('find', request, asked.signal));
      if (asked.signal.aborted) return;
      this.#result = result;
      this.#mark(result.hits);
      this.#goToNearest();
    } catch (error) {
      if (asked.signal.aborted) return;
      this.#mark([]);
      this.#show(explain(error).message, true);
    }
  }

  /** The first hit at or after the cursor. */
  #goToNearest(): void {
    const { hits } = this.#result ?? { hits: [] };
    const { row, column } = this.#options.model.selection.cursor;
    const isAfter = ([position, place]: readonly [number, number]): boolean =>
      position > row || (position === row && place >= column);
    const at = hits.findIndex(isAfter);
    this.#at = at < 0 ? hits.length - 1 : at - 1;
    this.#go(1);
  }

  #go(step: 1 | -1): void {
    const { cursor, model } = this.#options;
    const hits = this.#result?.hits ?? [];
    this.#at = hits.length === 0 ? -1 : (this.#at + step + hits.length) % hits.length;
    const hit = hits[this.#at];
    if (hit !== undefined) {
      const column = model.columnIndex(this.#columnIds[hit[1]] ?? '');
      cursor.goTo({ row: hit[0], column: Math.max(0, column) });
    }
    this.#show(this.#said());
  }

  #said(): string {
    const result = this.#result;
    if (result === undefined) return '';
    const { hits, count: found, scanned, total } = result;
    const rows =
      total === undefined ? t('{0} loaded rows', spellNumber(scanned)) : this.#rows(result);
    if (found === 0) return t('No hits in {0}', rows);
    const said = t('{0} of {1} in {2}', spellNumber(this.#at + 1), spellNumber(found), rows);
    return found > mostHits
      ? t('{0}; you can go to the first {1}', said, spellNumber(hits.length))
      : said;
  }

  #rows({ scanned, total = scanned }: FindResult): string {
    return scanned >= total
      ? t('all {0} rows', spellNumber(total))
      : t('{0} loaded rows of {1}', spellNumber(scanned), spellNumber(total));
  }

  #show(text: string, isFault = false): void {
    setText(this.#status, text);
    this.#status.classList.toggle('fault', isFault);
    const { hits = [], scanned = 0, total } = this.#result ?? {};
    this.#previous.disabled = this.#next.disabled = hits.length === 0;
    const isPart = this.#result !== undefined && (total === undefined || scanned < total);
    const hadFocus = this.element.contains(document.activeElement);
    this.#all.hidden = !isPart;
    // Enter goes on to the next hit, whichever button has just gone or is of no use any more.
    if (hadFocus && !hasFocus(this.element)) this.#input.focus();
  }

  #pressed(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    if (key === 'Escape') this.close();
    else if (key === 'Enter' && event.target === this.#input) this.#enter(shiftKey ? -1 : 1);
    else if (key === 'F3') this.#go(shiftKey ? -1 : 1);
    else if (isControl && key.toLowerCase() === 'f') this.#input.select();
    else {
      if (event.target === this.#input && isTextKey(event)) event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #enter(step: 1 | -1): void {
    if (this.#result === undefined) void this.#search('loaded');
    else this.#go(step);
  }
}
