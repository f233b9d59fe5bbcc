/** Made-up rows, the same for the same place every time. Runs in the page. */
import {
  cellKinds,
  pageSize,
  previewLength,
  type CellDetail,
  type CellKind,
  type GridPage,
} from '../../../src/protocol/grid-cells.ts';
import type { GridColumn, RowOrder } from '../../../src/protocol/grid-sheet.ts';

const words =
  'refund invoice delivery account password upgrade shipping answer customer order question model prompt token latency reply'.split(
    ' ',
  );

function noise(row: number, column: number): number {
  let value = (row * 2654435761) ^ (column * 40503);
  value = Math.imul(value ^ (value >>> 15), 2246822519);
  return (value ^ (value >>> 13)) >>> 0;
}

let prose = '';
for (let index = 0; prose.length < 60_000; index++)
  prose += `${words[noise(index, 7) % words.length]} `;

interface Recipe extends Partial<GridColumn> {
  readonly title: string;
}

const recipes: readonly Recipe[] = [
  { title: 'Question', type: 'TEXT', icon: 'symbol-string', editable: true },
  { title: 'Category', type: 'TEXT', icon: 'symbol-string', editable: true },
  { title: 'Answer', type: 'CODE_EXECUTION', icon: 'code', computed: true, sources: ['Question'] },
  { title: 'Context', type: 'TEXT', icon: 'symbol-string', editable: true },
  { title: 'Score', type: 'MATH_OPERATOR', icon: 'symbol-operator', computed: true, numeric: true },
  { title: 'Passed', type: 'ASSERT_VALID', icon: 'pass', computed: true, output: true },
  { title: 'Extracted', type: 'JSON_PATH', icon: 'json', computed: true, sources: ['Answer'] },
  { title: 'Notes', type: 'TEXT', icon: 'symbol-string', editable: true },
];

export function makeColumns(count: number): GridColumn[] {
  const columns: GridColumn[] = [];
  for (let index = 0; index < count; index++) {
    const recipe = recipes[index] ?? {
      title: `Column ${index + 1}`,
      type: 'TEXT',
      icon: 'symbol-string',
      editable: true,
    };
    columns.push({
      id: `c${index}`,
      type: 'TEXT',
      icon: 'symbol-string',
      editable: false,
      computed: false,
      system: false,
      output: false,
      sources: [],
      numeric: false,
      ...recipe,
    });
  }
  return columns;
}

export interface MadeCell {
  readonly kind: CellKind;
  readonly text: string;
  readonly status: string;
  readonly error?: string;
}

const statuses = [
  'completed',
  'completed',
  'completed',
  'stale',
  'running',
  'queued',
  'failed',
  'cancelled',
];

export function cellOf(column: GridColumn, rowIndex: number): MadeCell {
  const place = Number(column.id.slice(1));
  const random = noise(rowIndex, place);
  const status = column.computed ? (statuses[random % statuses.length] ?? '') : '';
  const failure = status === 'failed' ? { error: 'TypeError: answer is undefined (line 3)' } : {};
  switch (column.title) {
    case 'Question':
      return {
        kind: 'text',
        text: `How do I get my ${words[random % words.length]} ${rowIndex}?`,
        status,
      };
    case 'Category':
      return (
        special[rowIndex % 12] ?? { kind: 'text', text: words[random % words.length] ?? '', status }
      );
    case 'Answer':
      if (random % 11 === 0) return { kind: 'notRun', text: '', status: 'stale' };
      return {
        kind: 'text',
        text: prose.slice(random % 20_000, (random % 20_000) + 90),
        status,
        ...failure,
      };
    case 'Context':
      return {
        kind: 'text',
        text: prose.slice(random % 30_000, (random % 30_000) + 2000 + (random % 18_000)),
        status,
      };
    case 'Score':
      return {
        kind: 'number',
        text: rowIndex % 50 === 3 ? '9007199254740993' : (random / 1e7).toFixed(3),
        status,
        ...failure,
      };
    case 'Passed':
      return { kind: 'boolean', text: String(random % 3 > 0), status, ...failure };
    case 'Extracted':
      return {
        kind: 'json',
        text: `{"score":${random % 100},"big":9007199254740993,"tags":["a","b"]}`,
        status,
        ...failure,
      };
    default:
      return { kind: 'text', text: `v${random % 100_000}`, status };
  }
}

const special: Readonly<Record<number, MadeCell>> = {
  2: { kind: 'null', text: '', status: '' },
  3: { kind: 'empty', text: '', status: '' },
  4: { kind: 'missing', text: '', status: '' },
  5: { kind: 'text', text: 'null', status: '' },
  6: { kind: 'text', text: 'שלום עולם 123', status: '' },
  7: { kind: 'text', text: 'safe\u202Egnp.exe', status: '' },
  8: { kind: 'text', text: '42', status: '' },
  9: { kind: 'text', text: 'line one\nline two\tend', status: '' },
};

export interface PageSource {
  readonly columns: readonly GridColumn[];
  readonly rows: number;
  readonly order: RowOrder;
}

export function makePage(
  page: number,
  generation: number,
  { columns, rows, order }: PageSource,
): GridPage {
  const from = page * pageSize;
  const count = Math.max(0, Math.min(pageSize, rows - from));
  const rowIndices = Array.from({ length: count }, (_, place) =>
    order === 'asc' ? from + place : rows - 1 - from - place,
  );
  const words: string[] = [];
  const made: GridPage['columns'] = Object.fromEntries(
    columns.map((column) => {
      const cells = rowIndices.map((rowIndex) => cellOf(column, rowIndex));
      const status = cells.map((cell) => {
        const known = words.indexOf(cell.status);
        return known >= 0 ? known : words.push(cell.status) - 1;
      });
      const errors = Object.fromEntries(
        cells.flatMap(({ error }, place) => (error === undefined ? [] : [[place, error]])),
      );
      return [
        column.id,
        {
          text: cells.map(({ text }) => text.slice(0, previewLength)),
          kind: cells.map(({ kind }) => cellKinds.indexOf(kind)),
          status,
          cut: cells.flatMap(({ text }, place) => (text.length > previewLength ? [place] : [])),
          errors,
        },
      ];
    }),
  );
  return { page, generation, rowIndices, statuses: words, columns: made };
}

export function makeCell(
  columns: readonly GridColumn[],
  rowIndex: number,
  columnId: string,
): CellDetail {
  const column = columns.find(({ id }) => id === columnId);
  if (column === undefined) throw new Error(`There is no column ${columnId}.`);
  const { kind, text, status, error } = cellOf(column, rowIndex);
  return {
    id: `00000000-0000-8000-8000-${String(rowIndex).padStart(12, '0')}`,
    rowIndex,
    columnId,
    columnTitle: column.title,
    columnType: column.type,
    editable: column.editable,
    status,
    kind,
    text,
    cut: false,
    ...(kind === 'json' && { json: text }),
    ...(error !== undefined && { error }),
    ...(column.computed && {
      metrics: { price: 0.000123, latency_ms: 1234, output_tokens: 412, estimated_count: 1 },
      inputHash: 'b3f1c0de',
      executionId: 'exec-42',
      lastComputedVersion: 12,
    }),
    sheetVersion: 17,
    updatedAt: '2026-11-27T10:00:00.123456+00:00',
  };
}
