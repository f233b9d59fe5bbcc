import { invalid, unprocessable } from '../http/problem.ts';
import { ownValue } from '../../api/own-value.ts';

const sortColumns: Readonly<Record<string, string>> = {
  request_start_time: 'started_at',
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  cost: 'price',
  latency_ms: 'latency_ms',
  status: 'status',
};

/** `order by`, the ids last, so that pages do not overlap. */
export function searchOrder({
  sort_by: by,
  sort_order: order,
}: {
  readonly sort_by?: string | null | undefined;
  readonly sort_order?: string | null | undefined;
}): string {
  if ((by ?? null) === null && (order ?? null) === null) return 'started_at desc, id desc';
  if ((by ?? null) === null || (order ?? null) === null) {
    throw invalid('Give sort_by and sort_order together.');
  }
  const column = ownValue(sortColumns, by ?? '');
  if (column === undefined) {
    throw unprocessable(
      ['body', 'sort_by'],
      `Requests are sorted by ${Object.keys(sortColumns).join(', ')}.`,
      'enum',
    );
  }
  const direction = order ?? 'desc';
  // Unknown values come last in either direction, in either database.
  return `case when ${column} is null then 1 else 0 end, ${column} ${direction}, id ${direction}`;
}
