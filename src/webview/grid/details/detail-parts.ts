import type { CellAddress, CellDetail } from '../../../protocol/grid-cells.ts';
import type { UnsavedEdit } from '../../../protocol/grid-edits.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import { spellLatency } from '../around/status-line.ts';
import { button } from '../../common/buttons.ts';
import { el } from '../../common/dom.ts';
import { language, spellPrice, t } from '../../common/language.ts';
import { statusPresentation } from '../rows/cells.ts';
import { readJson } from './json-nodes.ts';
import { jsonTree, revealed } from './json-tree.ts';

/** The cell that the details are of. */
export interface Subject extends CellAddress {
  readonly position: number;
  readonly canRun: boolean;
  readonly unsaved: UnsavedEdit | undefined;
}

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
  estimated_count: t('Requests with estimated tokens'),
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

const textElement = (text: string): HTMLElement =>
  el('pre', 'detail-text', { dir: 'auto', tabindex: '0' }, [revealed(text)]);

/** What can be done with the value. */
function valueTools(
  detail: CellDetail,
  { canRun, columnId, rowIndex }: Subject,
  actions: GridActions,
): readonly HTMLElement[] {
  const tool = (label: string, icon: string, run: () => void, keys?: string): HTMLElement =>
    button({ label, icon, isIconOnly: true, run, ...(keys !== undefined && { keys }) });
  const run = (): void => actions.run({ kind: 'cell', cell: { columnId, rowIndex } });
  return [
    tool(t('Open value in an editor'), 'go-to-file', actions.openValue),
    ...(detail.editable ? [tool(t('Edit'), 'edit', actions.edit, 'F2')] : []),
    ...(canRun ? [tool(t('Run this cell'), 'play', run)] : []),
  ];
}

/** Everything that is known of a cell. */
export function detailParts(
  detail: CellDetail,
  subject: Subject,
  actions: GridActions,
): readonly HTMLElement[] {
  const { word, look } = statusPresentation(detail.status);
  const status = el('span', `count ${look}`, {}, [el('span', 'badge', {}, [word])]);
  const metrics = Object.entries(detail.metrics ?? {});
  const isEstimated = Number(detail.metrics?.['estimated_count'] ?? 0) > 0;
  const spelled = (name: string, value: string | number | null): string => {
    const words = spellMetric(name, value);
    const isCount = typeof value === 'number' && name.endsWith('_tokens');
    return isCount && isEstimated ? t('about {0}', words) : words;
  };
  const { unsaved } = subject;
  return [
    facts([
      [t('Type'), kindNames[detail.kind]],
      [t('Status'), detail.status === '' ? undefined : status],
      [t('Column type'), detail.columnType],
    ]),
    ...(unsaved === undefined
      ? []
      : [section(t('Your text, not saved yet'), [textElement(unsaved.text ?? 'null')])]),
    ...(detail.error === undefined
      ? []
      : [
          section(t('Error'), [
            el('pre', 'detail-error', { dir: 'auto', tabindex: '0' }, [revealed(detail.error)]),
          ]),
        ]),
    ...valueParts(detail, valueTools(detail, subject, actions)),
    ...(metrics.length === 0
      ? []
      : [
          section(t('Metrics'), [
            facts(metrics.map(([name, value]) => [metricName(name), spelled(name, value)])),
          ]),
        ]),
    section(t('Cell'), [cellFacts(detail)]),
  ];
}

function valueParts(detail: CellDetail, tools: readonly Node[]): readonly HTMLElement[] {
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
    if (detail.kind === 'text') parts.push(section(t('As text'), [textElement(detail.text)]));
  } else if (detail.text !== '' || detail.kind === 'text') {
    parts.push(section(t('Value'), [textElement(detail.json ?? detail.text), ...cut], tools));
  } else {
    parts.push(section(t('Value'), [el('p', 'hint', {}, [kindNames[detail.kind]])], tools));
  }
  if (detail.displayText !== undefined) {
    parts.push(section(t('Shown as'), [textElement(detail.displayText)]));
  }
  return parts;
}

function cellFacts(detail: CellDetail): HTMLElement {
  const updated = detail.updatedAt;
  const time = updated === undefined ? undefined : el('time', '', { datetime: updated }, [updated]);
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

/** The instant in the zone of this machine, named; the text that was sent stays as it is. */
function localTime(sent: string): string {
  const date = new Date(sent);
  if (Number.isNaN(date.getTime())) return sent;
  return date.toLocaleString(language, { dateStyle: 'full', timeStyle: 'long' });
}
