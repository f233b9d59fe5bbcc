import type { Cell } from '../../api/cell.ts';
import type { Row } from '../../api/row.ts';
import type { RequestsPage } from '../../core/index.ts';
import type { GridColumn } from '../../protocol/grid-sheet.ts';
import { pairsIn } from '../shell/pairs-in.ts';
import type { Translate } from '../shell/translate.ts';

/** A logged request as a search gives it. */
export type FoundRequest = RequestsPage['items'][number];

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Without the digits that only reckoning in binary makes. */
export const exact = (value: unknown): number | undefined =>
  typeof value === 'number' ? Number(value.toPrecision(10)) : undefined;

/** `2026-01-31 12:00:00`, here: sorted as text it is sorted as time. */
export const sortableTime = (text: string): string => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toLocaleString('sv-SE');
};

/** Failed as the service says it; hosted ones may not say. */
export const isFailed = ({ status }: FoundRequest): boolean =>
  typeof status === 'string' && status.toUpperCase() === 'ERROR';

/** What the service sorts by, by the column that shows it. */
export const sortFields: Readonly<Record<string, string>> = {
  time: 'request_start_time',
  latency: 'latency_ms',
  input: 'input_tokens',
  output: 'output_tokens',
  cost: 'cost',
  status: 'status',
};

interface LogColumn {
  readonly column: GridColumn;
  readonly read: (request: FoundRequest) => unknown;
}

/** What is shown of a logged request. */
export function logColumns(t: Translate): readonly LogColumn[] {
  const make = (
    id: string,
    title: string,
    icon: string,
    read: LogColumn['read'],
    numeric = false,
  ): LogColumn => ({
    column: {
      ...{ id, title, icon, numeric, type: numeric ? 'NUMBER' : 'TEXT', sources: [] },
      ...{ editable: false, computed: false, system: false, output: false },
    },
    read,
  });
  return [
    make('time', t('Started'), 'output', ({ request_start_time: at }) => {
      const text = textIn(at);
      return text === undefined ? undefined : sortableTime(text);
    }),
    make('prompt', t('Prompt'), 'comment-discussion', ({ prompt_name: name }) => name),
    make(
      'version',
      t('Version'),
      'git-branch',
      ({ prompt_version_number: version }) => version,
      true,
    ),
    make('model', t('Model'), 'sparkle', ({ engine }) => engine),
    make('status', t('Status'), 'info', ({ status }) => status),
    make('latency', t('Latency (s)'), 'graph', ({ latency }) => exact(latency), true),
    make('input', t('Tokens in'), 'symbol-numeric', ({ input_tokens: count }) => count, true),
    make('output', t('Tokens out'), 'symbol-numeric', ({ output_tokens: count }) => count, true),
    make('cost', t('Cost (USD)'), 'symbol-numeric', ({ price }) => exact(price), true),
    make('scores', t('Scores'), 'pass', ({ scores }) => pairsIn(scores)),
    make('tags', t('Tags'), 'symbol-array', ({ tags_array: tags }) =>
      listIn(tags).length === 0 ? undefined : tags,
    ),
    make('metadata', t('Metadata'), 'json', ({ metadata }) => pairsIn(metadata)),
    make('provider', t('Provider'), 'server', ({ provider_type: provider }) => provider),
    make('id', t('Request'), 'symbol-numeric', ({ id }) => id, true),
  ];
}

/** Requests as rows, so that everything which reads rows of a sheet reads them too. */
export function rowOf(request: FoundRequest, index: number, columns: readonly LogColumn[]): Row {
  const cells = columns.flatMap(
    ({ column: { id }, read }): readonly (readonly [string, Cell])[] => {
      // What the service does not tell is no cell: never zero, never an empty text.
      const value = read(request) ?? undefined;
      if (value === undefined) return [];
      const isError = id === 'status' && isFailed(request);
      const reason = [request['error_type'], request['error_message']].filter(textIn).join(': ');
      return [
        [
          id,
          {
            ...{ id: `${request.id}:${id}`, column_id: id, row_index: index, value },
            status: isError ? 'error' : 'completed',
            ...(isError && reason !== '' && { error: reason }),
          },
        ],
      ];
    },
  );
  return { row_index: index, cells: Object.fromEntries(cells) };
}
