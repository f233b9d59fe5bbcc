import type { Comparison, SideCell } from './compare.ts';
import { shortened } from '../../core/shortened.ts';
import { literal as markdownLiteral } from '../../core/exports/markdown.ts';

type Translate = (message: string, ...args: (string | number)[]) => string;

const longest = 200;

/** In headings, too, whose end may be marked by a `#`. */
const literal = (text: string): string =>
  markdownLiteral(text).replaceAll(/(?<!&)#/g, String.raw`\#`);

function cellText(cell: SideCell | undefined, t: Translate): string {
  if (cell?.error !== undefined) return `*${t('failed')}* ${literal(cut(cell.error))}`;
  if (cell?.value === undefined) return `*${t('no value')}*`;
  if (cell.value === 'null') return '*null*';
  if (cell.value === '""') return `*${t('empty')}*`;
  return literal(cut(cell.value.startsWith('"') ? (JSON.parse(cell.value) as string) : cell.value));
}

const cut = (text: string): string => shortened(text, longest);

/** 1, 2, 3, 7 -> 1–3, 7 */
export function rangesText(indices: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const index of indices) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([from, to]) => (from === to ? String(from) : `${String(from)}–${String(to)}`))
    .join(', ');
}

export interface ReportHeading {
  readonly sheet: string;
  readonly before: string;
  readonly after: string;
  /** Titles of columns by their id. */
  readonly titles: ReadonlyMap<string, string>;
}

function columnLines({ columns }: Comparison, t: Translate): readonly string[] {
  const { added, removed, changed } = columns;
  const changes = changed.flatMap(({ before, after }) => [
    ...(before.title === after.title
      ? []
      : [
          t('{0} is now called {1}', `**${literal(before.title)}**`, `**${literal(after.title)}**`),
        ]),
    ...(before.type === after.type
      ? []
      : [t('{0} was {1} and is {2}', `**${literal(after.title)}**`, before.type, after.type)]),
    ...(before.config === after.config
      ? []
      : [
          `${t('{0} is configured differently:', `**${literal(after.title)}**`)}<br>${literal(cut(before.config))}<br>→ ${literal(cut(after.config))}`,
        ]),
  ]);
  const list = [
    ...added.map(({ title, type }) => `${t('added')}: **${literal(title)}** (${type})`),
    ...removed.map(({ title, type }) => `${t('removed')}: **${literal(title)}** (${type})`),
    ...changes,
  ];
  return [
    `## ${t('Columns')}`,
    '',
    ...(list.length === 0 ? [t('No column has changed.')] : list.map((line) => `- ${line}`)),
  ];
}

function rowLines({ rows, shown }: Comparison, t: Translate): readonly string[] {
  const named = (what: string, count: number, indices: readonly number[]): string => {
    const rest = count - indices.length;
    const more = rest > 0 ? ` ${t('and {0} more', rest)}` : '';
    return `- ${what}: ${String(count)}${count === 0 ? '' : ` (${t('row index')} ${rangesText(indices)}${more})`}`;
  };
  return [
    `## ${t('Rows')}`,
    '',
    t('{0} rows before, {1} after.', rows.before, rows.after),
    '',
    named(t('added'), rows.added, shown.added),
    named(t('removed'), rows.removed, shown.removed),
    `- ${t('changed')}: ${String(rows.changed)}`,
  ];
}

function cellLines(
  { cells, shown }: Comparison,
  { titles }: ReportHeading,
  t: Translate,
): readonly string[] {
  if (cells === 0) return [`## ${t('Changed cells')}`, '', t('No cell has changed.')];
  const table = shown.cells.map(({ rowIndex, columnId, before, after }) => {
    const title = literal(titles.get(columnId) ?? columnId);
    return `| ${String(rowIndex)} | ${title} | ${cellText(before, t)} | ${cellText(after, t)} |`;
  });
  const rest = cells - shown.cells.length;
  return [
    `## ${t('Changed cells')}`,
    '',
    ...(rest > 0 ? [t('The first {0} of {1}.', shown.cells.length, cells), ''] : []),
    `| ${t('Row index')} | ${t('Column')} | ${t('Before')} | ${t('After')} |`,
    '| --- | --- | --- | --- |',
    ...table,
  ];
}

/** A comparison as a Markdown document. */
export function reportOf(comparison: Comparison, heading: ReportHeading, t: Translate): string {
  return [
    `# ${literal(heading.sheet)}`,
    '',
    t('From {0} to {1}', `**${literal(heading.before)}**`, `**${literal(heading.after)}**`),
    '',
    ...columnLines(comparison, t),
    '',
    ...rowLines(comparison, t),
    '',
    ...cellLines(comparison, heading, t),
    '',
  ].join('\n');
}
