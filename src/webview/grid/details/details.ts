import type { CellAddress, CellDetail } from '../../../protocol/grid-cells.ts';
import type { UnsavedEdit } from '../../../protocol/grid-edits.ts';
import { el } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { button } from '../../common/buttons.ts';
import { language, spellPrice, t } from '../../common/language.ts';
import { statusPresentation } from '../rows/cells.ts';
import { explain } from '../connection.ts';
import { readJson } from './json-nodes.ts';
import { jsonTree, revealed } from './json-tree.ts';
import { spellLatency } from '../around/status-line.ts';

export interface DetailsActions {
  readonly fetch: (address: CellAddress, signal: AbortSignal) => Promise<CellDetail>;
  readonly openValue: (address: CellAddress) => void;
  readonly edit: () => void;
  readonly run: (address: CellAddress) => void;
  readonly close: () => void;
  /** The user dragged the edge. */
  readonly resized: (size: number) => void;
}

/** The cell that the details are of. */
export interface Subject extends CellAddress {
  readonly position: number;
  readonly isComputed: boolean;
  readonly unsaved: UnsavedEdit | undefined;
}

const waitMs = 60;
const smallest = 220;

const kindNames = {
  missing: t('No cell in this row'),
  notRun: t('Not run yet'),
  null: t('Null: no value'),
  empty: t('Empty text'),
  text: t('Text'),
  number: t({ message: 'Number', comment: 'a value' }),
  boolean: t('Boolean'),
  json: 'JSON',
} as const;

function section(
  title: string,
  content: readonly (Node | string)[],
  tools: readonly Node[] = [],
): HTMLElement {
  return el('section', 'detail', {}, [
    el('div', 'detail-head', {}, [el('h3', '', {}, [title]), ...tools]),
    ...content,
  ]);
}

function facts(entries: readonly (readonly [string, string | Node | undefined])[]): HTMLElement {
  const list = el('dl', 'detail-facts');
  for (const [name, value] of entries) {
    if (value === undefined || value === '') continue;
    list.append(el('dt', '', {}, [name]), el('dd', '', { dir: 'auto' }, [value]));
  }
  return list;
}

function spellMetric(name: string, value: string | number | null): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (/price|cost/i.test(name)) return spellPrice(value);
  if (/latency|duration/i.test(name)) return spellLatency(value);
  return value.toLocaleString(language, { maximumFractionDigits: 6 });
}

/** What the service is known to measure of a request. */
const knownMetrics: Readonly<Record<string, string>> = {
  request_count: t('Request count'),
  request_ids: t('Request IDs'),
  latency_ms: t('Latency'),
  price: t('Cost'),
  cut_off_count: t('Answers cut off'),
  input_tokens: t('Input tokens'),
  output_tokens: t('Output tokens'),
  trace_ids: t('Trace IDs'),
};

const metricName = (name: string): string => {
  const known = Object.hasOwn(knownMetrics, name) ? knownMetrics[name] : undefined;
  if (known !== undefined) return known;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Beside the rows: everything known of the cell under the cursor. */
export class Details {
  readonly element = el('aside', 'details', {
    'aria-label': t('Cell details'),
    tabindex: '-1',
  });
  readonly edge: HTMLElement;
  readonly #actions: DetailsActions;
  readonly #title = el('h2', 'detail-title', { dir: 'auto' });
  readonly #body = el('div', 'detail-body', {
    tabindex: '0',
    role: 'region',
    'aria-label': t('Value and details'),
  });
  #subject: Subject | undefined;
  #request: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(actions: DetailsActions, size: number | undefined, signal: AbortSignal) {
    this.#actions = actions;
    this.edge = el('div', 'details-edge', {
      role: 'separator',
      tabindex: '0',
      'aria-label': t('Size of the details'),
      'aria-valuemin': String(smallest),
    });
    this.#resize(size ?? 360);
    this.element.append(
      el('div', 'detail-bar', {}, [
        this.#title,
        button({ label: t('Close details'), icon: 'close', isIconOnly: true, run: actions.close }),
      ]),
      this.#body,
    );
    this.edge.addEventListener('pointerdown', (event) => this.#drag(event), { signal });
    this.edge.addEventListener('keydown', (event) => this.#edgePressed(event), { signal });
    signal.addEventListener('abort', () => {
      clearTimeout(this.#timer);
      this.#request?.abort();
    });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  toggle(isOpen: boolean): void {
    this.element.hidden = !isOpen;
    this.edge.hidden = !isOpen;
    if (isOpen) this.refresh();
    else this.#request?.abort();
  }

  /** The cursor moved, or the cell under it changed. */
  show(subject: Subject | undefined, columnTitle: string): void {
    const isSame =
      subject?.rowIndex === this.#subject?.rowIndex &&
      subject?.columnId === this.#subject?.columnId;
    this.#subject = subject;
    if (!this.isOpen) return;
    this.#title.replaceChildren(
      ...(subject
        ? [revealed(columnTitle), ' · ', t('row {0}', subject.position + 1)]
        : [t('No cell')]),
    );
    if (!isSame) this.#body.setAttribute('aria-busy', 'true');
    this.refresh();
  }

  refresh(): void {
    clearTimeout(this.#timer);
    if (!this.isOpen) return;
    this.#timer = setTimeout(() => void this.#load(), waitMs);
  }

  focus(): void {
    this.#body.focus();
  }

  async #load(): Promise<void> {
    this.#request?.abort();
    const subject = this.#subject;
    if (subject === undefined) {
      this.#body.replaceChildren(el('p', 'hint', {}, [t('Move to a cell to see its value.')]));
      return;
    }
    const request = new AbortController();
    this.#request = request;
    const { columnId, rowIndex } = subject;
    try {
      const detail = await this.#actions.fetch({ columnId, rowIndex }, request.signal);
      if (!request.signal.aborted) this.#draw(detail, subject);
    } catch (error) {
      if (!request.signal.aborted) this.#drawError(error);
    }
    if (!request.signal.aborted) this.#body.removeAttribute('aria-busy');
  }

  #drawError(error: unknown): void {
    const { message, hint } = explain(error);
    this.#body.replaceChildren(
      el('div', 'banner error', { role: 'alert' }, [
        icon('warning'),
        el('span', 'banner-text', {}, [hint ? `${message} ${hint}` : message]),
        button({ label: t('Retry'), look: 'secondary', run: () => void this.#load() }),
      ]),
    );
  }

  #draw(detail: CellDetail, subject: Subject): void {
    const { scrollTop } = this.#body;
    const hadTree = this.#body.querySelector('.json-tree')?.contains(document.activeElement);
    const kind = kindNames[detail.kind];
    const { word, look } = statusPresentation(detail.status);
    const status = el('span', `count ${look}`, {}, [el('span', 'badge', {}, [word])]);
    const valueTools = [
      button({
        label: t('Open value in an editor'),
        icon: 'go-to-file',
        isIconOnly: true,
        run: () => this.#actions.openValue(subject),
      }),
      ...(detail.editable
        ? [
            button({
              label: t('Edit'),
              icon: 'edit',
              keys: 'F2',
              isIconOnly: true,
              run: this.#actions.edit,
            }),
          ]
        : []),
      ...(subject.isComputed
        ? [
            button({
              label: t('Run this cell'),
              icon: 'play',
              isIconOnly: true,
              run: () => this.#actions.run(subject),
            }),
          ]
        : []),
    ];
    const parts: HTMLElement[] = [
      facts([
        [t('Type'), kind],
        [t('Status'), detail.status === '' ? undefined : status],
        [t('Column type'), detail.columnType],
      ]),
    ];
    if (subject.unsaved !== undefined) {
      parts.push(
        section(t('Your text, not saved yet'), [this.#text(subject.unsaved.text ?? 'null')]),
      );
    }
    if (detail.error !== undefined) {
      parts.push(
        section(t('Error'), [
          el('pre', 'detail-error', { dir: 'auto', tabindex: '0' }, [revealed(detail.error)]),
        ]),
      );
    }
    parts.push(...this.#value(detail, valueTools));
    const metrics = Object.entries(detail.metrics ?? {});
    if (metrics.length > 0) {
      parts.push(
        section(t('Metrics'), [
          facts(metrics.map(([name, value]) => [metricName(name), spellMetric(name, value)])),
        ]),
      );
    }
    parts.push(section(t('Cell'), [this.#cellFacts(detail)]));
    this.#body.replaceChildren(...parts);
    this.#body.scrollTop = scrollTop;
    if (hadTree) this.#body.querySelector<HTMLElement>('.json-tree [tabindex="0"]')?.focus();
  }

  #value(detail: CellDetail, tools: readonly Node[]): readonly HTMLElement[] {
    const parts: HTMLElement[] = [];
    const cut = detail.cut
      ? [
          el('p', 'hint', {}, [
            t('Too long to show in full here. Open it in an editor to see all of it.'),
          ]),
        ]
      : [];
    // Also of a cell that is stale by now: what it shows is half an answer still.
    if (Number(detail.metrics?.['cut_off_count'] ?? 0) > 0) {
      const words = t('Cut off at the token limit: raise the limit, or ask for less.');
      cut.push(el('p', 'hint', {}, [words]));
    }
    const node = detail.json === undefined ? undefined : readJson(detail.json);
    if (node !== undefined && (node.kind === 'object' || node.kind === 'array')) {
      parts.push(section(t('Value'), [jsonTree(node), ...cut], tools));
      if (detail.kind === 'text') parts.push(section(t('As text'), [this.#text(detail.text)]));
    } else if (detail.text !== '' || detail.kind === 'text') {
      parts.push(section(t('Value'), [this.#text(detail.json ?? detail.text), ...cut], tools));
    } else {
      parts.push(section(t('Value'), [el('p', 'hint', {}, [kindNames[detail.kind]])], tools));
    }
    if (detail.displayText !== undefined) {
      parts.push(section(t('Shown as'), [this.#text(detail.displayText)]));
    }
    return parts;
  }

  #text(text: string): HTMLElement {
    return el('pre', 'detail-text', { dir: 'auto', tabindex: '0' }, [revealed(text)]);
  }

  #cellFacts(detail: CellDetail): HTMLElement {
    const updated = detail.updatedAt;
    const time =
      updated === undefined ? undefined : el('time', '', { datetime: updated }, [updated]);
    if (time !== undefined && updated !== undefined) time.title = localTime(updated);
    return facts([
      [t('Updated'), time],
      [t('Computed at version'), detail.lastComputedVersion?.toString()],
      [t('Sheet version'), detail.sheetVersion?.toString()],
      [t('Execution'), detail.executionId],
      [t('Input hash'), detail.inputHash],
      [t('Row index'), String(detail.rowIndex)],
      [t('Cell ID'), detail.id],
    ]);
  }

  #resize(size: number): number {
    const whole = Math.round(Math.max(smallest, Math.min(size, window.innerWidth * 0.7)));
    document.documentElement.style.setProperty('--details-size', `${whole}px`);
    this.edge.setAttribute('aria-valuenow', String(whole));
    return whole;
  }

  #drag(begin: PointerEvent): void {
    const stop = new AbortController();
    const { signal } = stop;
    const isBelow = getComputedStyle(this.edge).cursor === 'ns-resize';
    const box = this.element.getBoundingClientRect();
    this.edge.setPointerCapture(begin.pointerId);
    let size = isBelow ? box.height : box.width;
    const { clientX, clientY } = begin;
    const start = size;
    this.edge.addEventListener(
      'pointermove',
      (event) => {
        size = this.#resize(start + (isBelow ? clientY - event.clientY : clientX - event.clientX));
      },
      { signal },
    );
    const end = (): void => {
      stop.abort();
      this.#actions.resized(size);
    };
    this.edge.addEventListener('pointerup', end, { signal });
    this.edge.addEventListener('pointercancel', end, { signal });
  }

  #edgePressed(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: 24,
      ArrowUp: 24,
      ArrowRight: -24,
      ArrowDown: -24,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const size = Number(this.edge.getAttribute('aria-valuenow') ?? '360');
    this.#actions.resized(this.#resize(size + step));
  }
}

/** The instant in the zone of this machine, named; the text that was sent stays as it is. */
function localTime(sent: string): string {
  const date = new Date(sent);
  if (Number.isNaN(date.getTime())) return sent;
  return date.toLocaleString(language, { dateStyle: 'full', timeStyle: 'long' });
}
