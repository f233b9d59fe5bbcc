import { parseJson } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { Database } from '../store/database.ts';
import type { RequestRecord } from './records.ts';
import type { RequestQuery } from './search-conditions.ts';
import { requestConditions } from './search-conditions.ts';

/** As many of the newest requests are summed up; more would hold up other answers. */
const MOST = 50_000;
const SHOWN = 50;

export interface AnalyticsQuery extends RequestQuery {
  readonly metadata_cost_breakdown_key?: string | null | undefined;
}

type Row = Pick<
  RequestRecord,
  | 'provider'
  | 'model'
  | 'prompt_id'
  | 'status'
  | 'error_type'
  | 'output_kind'
  | 'turn_count'
  | 'tool_call_count'
  | 'input_tokens'
  | 'output_tokens'
  | 'cached_tokens'
  | 'thinking_tokens'
  | 'price'
  | 'started_at'
  | 'latency_ms'
  | 'trace_id'
  | 'tags_json'
  | 'metadata_json'
  | 'tool_names_json'
  | 'output_object_json'
> & { readonly prompt_name: string | null };

const columns: readonly (keyof RequestRecord)[] = [
  'provider',
  'model',
  'prompt_id',
  'status',
  'error_type',
  'output_kind',
  'turn_count',
  'tool_call_count',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'thinking_tokens',
  'price',
  'started_at',
  'latency_ms',
  'trace_id',
  'tags_json',
  'metadata_json',
  'tool_names_json',
  'output_object_json',
];

const intervals = [
  { interval: 'second', bucketSizeMs: 1000, most: 5 * 60_000, digits: 19 },
  { interval: 'minute', bucketSizeMs: 60_000, most: 6 * 3_600_000, digits: 16 },
  { interval: 'hour', bucketSizeMs: 3_600_000, most: 4 * 86_400_000, digits: 13 },
  { interval: 'day', bucketSizeMs: 86_400_000, most: Infinity, digits: 10 },
] as const;

const total = (rows: readonly Row[], of: (row: Row) => number | null): number =>
  rows.reduce((sum, row) => sum + (of(row) ?? 0), 0);

const tokensOf = ({ input_tokens: input, output_tokens: output }: Row): number =>
  (input ?? 0) + (output ?? 0);

const seconds = ({ latency_ms: latency }: Row): number => latency / 1000;

const average = (rows: readonly Row[], of: (row: Row) => number): number =>
  rows.length === 0 ? 0 : total(rows, of) / rows.length;

function percentile(sorted: readonly number[], share: number): number {
  const at = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1);
  return sorted[Math.max(0, at)] ?? 0;
}

function grouped<Key>(rows: readonly Row[], keysOf: (row: Row) => readonly Key[]): [Key, Row[]][] {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    for (const key of keysOf(row)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [row]);
      else group.push(row);
    }
  }
  return [...groups].sort(([, left], [, right]) => right.length - left.length);
}

const one = <Value>(value: Value | null | ''): Value[] =>
  value === null || value === '' ? [] : [value];

const list = (text: string): string[] => parseJson(text) as string[];
const keys = (text: string): string[] => Object.keys(parseJson(text) as Mapping);

const sums = (rows: readonly Row[]) => ({
  requests: rows.length,
  cost: total(rows, ({ price }) => price),
  tokens: total(rows, tokensOf),
  inputTokens: total(rows, (row) => row.input_tokens),
  outputTokens: total(rows, (row) => row.output_tokens),
});

type Bucket = (row: Row) => string;

function stats(rows: readonly Row[], bucket: Bucket): Mapping[] {
  return grouped(rows, (row) => [bucket(row)])
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([date, group]) => {
      const kinds = (kind: string): number =>
        group.filter(({ output_kind: own }) => own === kind).length;
      const toolCalls = group.map((row) => row.tool_call_count).sort((a, b) => a - b);
      return {
        date,
        dateLabel: date.replace('T', ' '),
        ...sums(group),
        latency: average(group, seconds),
        cachedTokens: total(group, (row) => row.cached_tokens),
        thinkingTokens: total(group, (row) => row.thinking_tokens),
        traceShare: group.filter((row) => row.trace_id !== null).length / group.length,
        statusCounts: Object.fromEntries(
          grouped(group, (row) => [row.status]).map(([status, own]) => [status, own.length]),
        ),
        outputShapeCounts: {
          json: kinds('json'),
          toolCall: kinds('tool_call'),
          plainText: kinds('plain_text'),
        },
        avgTurnCount: average(group, (row) => row.turn_count),
        avgToolCallCount: average(group, (row) => row.tool_call_count),
        toolCallCountP95: percentile(toolCalls, 0.95),
      };
    });
}

const shares = [
  ['p50_latency', 0.5],
  ['p90_latency', 0.9],
  ['p95_latency', 0.95],
] as const;

/** Latencies of each bucket, as pairs of its date and seconds. */
function latencies(rows: readonly Row[], bucket: Bucket): Record<string, [string, number][]> {
  const result: Record<string, [string, number][]> = { average_latency: [] };
  for (const [name] of shares) result[name] = [];
  const buckets = grouped(rows, (row) => [bucket(row)]).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [date, group] of buckets) {
    const sorted = group.map(seconds).sort((a, b) => a - b);
    result['average_latency']?.push([date, average(group, seconds)]);
    for (const [name, share] of shares) result[name]?.push([date, percentile(sorted, share)]);
  }
  return result;
}

const byName = <Value>(
  groups: readonly [string, Row[]][],
  make: (rows: Row[]) => Value,
): Record<string, Value> =>
  Object.fromEntries(groups.slice(0, SHOWN).map(([name, rows]) => [name, make(rows)]));

function metadataValues(rows: readonly Row[], wanted: string | null | undefined): Mapping[] {
  const entries = (row: Row): string[] =>
    Object.entries(parseJson(row.metadata_json) as Mapping)
      .filter(([key]) => !wanted || key === wanted)
      .map((entry) => JSON.stringify(entry));
  return grouped(rows, entries)
    .map(([entry, group]) => {
      const [key, value] = JSON.parse(entry) as [string, string];
      return { key, value, label: wanted ? value : `${key} = ${value}`, ...sums(group) };
    })
    .sort((left, right) => right.cost - left.cost)
    .slice(0, SHOWN);
}

function toolsLatency(tools: readonly [string, Row[]][]): Mapping[] {
  return tools.slice(0, SHOWN).map(([toolName, rows]) => {
    const sorted = rows.map(seconds).sort((a, b) => a - b);
    return {
      toolName,
      requests: rows.length,
      avgLatencySeconds: average(rows, seconds),
      minLatencySeconds: sorted[0] ?? null,
      maxLatencySeconds: sorted.at(-1) ?? null,
    };
  });
}

const counted = (groups: readonly [string, Row[]][], name: string): Mapping[] =>
  groups.slice(0, SHOWN).map(([key, rows]) => ({ [name]: key, requests: rows.length }));

function summary(rows: readonly Row[], query: AnalyticsQuery): Mapping {
  const times = rows.map((row) => row.started_at);
  const span =
    times.reduce((a, b) => Math.max(a, b), 0) - times.reduce((a, b) => Math.min(a, b), Infinity);
  const chosen = intervals.find(({ most }) => !(span > most)) ?? intervals[3];
  const { interval, bucketSizeMs, digits } = chosen;
  const bucket: Bucket = (row) => new Date(row.started_at).toISOString().slice(0, digits);
  const models = grouped(rows, (row) => one(row.model));
  const providers = grouped(rows, (row) => one(row.provider));
  const prompts = grouped(rows, (row) => one(row.prompt_id).map(String));
  const tools = grouped(rows, (row) => list(row.tool_names_json));
  const requestsByDay = (group: readonly Row[]): [string, number][] =>
    grouped(group, (row) => [bucket(row)])
      .map(([date, own]): [string, number] => [date, own.length])
      .sort(([a], [b]) => (a < b ? -1 : 1));
  const series = (group: readonly Row[]) => latencies(group, bucket);
  const inputTokens = total(rows, (row) => row.input_tokens);
  const cached = total(rows, (row) => row.cached_tokens);
  return {
    chartInterval: {
      interval,
      bucketSizeMs,
      bucketMinutes: bucketSizeMs / 60_000 >= 1 ? bucketSizeMs / 60_000 : null,
    },
    averageLatency: average(rows, seconds),
    totalCost: total(rows, ({ price }) => price),
    totalTokens: total(rows, tokensOf),
    totalRequests: rows.length,
    totalCachedTokens: cached,
    totalThinkingTokens: total(rows, (row) => row.thinking_tokens),
    cacheTokenRatio: inputTokens === 0 ? null : cached / inputTokens,
    stats: stats(rows, bucket),
    mostUsedModels: models.slice(0, SHOWN).map(([name, own]) => [name, own.length]),
    modelRequestsByDay: byName(models, requestsByDay),
    mostUsedPromptTemplates: prompts.slice(0, SHOWN).map(([promptId, own]) => ({
      promptId,
      requests: own.length,
      promptName: own[0]?.prompt_name ?? null,
    })),
    promptTemplateRequestsByDay: byName(prompts, requestsByDay),
    providerRequestsByDay: byName(providers, requestsByDay),
    latency: Object.fromEntries(
      Object.entries(series(rows)).map(([name, pairs]) => [name, Object.fromEntries(pairs)]),
    ),
    latencyByModelByDay: byName(models, series),
    latencyByPromptTemplateByDay: byName(prompts, series),
    latencyByProviderByDay: byName(providers, series),
    errorTypes: counted(
      grouped(rows, (row) => one(row.error_type)),
      'errorType',
    ),
    providerBreakdown: providers.map(([provider, own]) => ({ provider, ...sums(own) })),
    promptBreakdown: prompts.slice(0, SHOWN).map(([promptId, own]) => ({ promptId, ...sums(own) })),
    tagsBreakdown: grouped(rows, (row) => list(row.tags_json))
      .slice(0, SHOWN)
      .map(([tag, own]) => ({ tag, ...sums(own) })),
    metadataKeysTop: counted(
      grouped(rows, (row) => keys(row.metadata_json)),
      'key',
    ),
    outputKeysTop: counted(
      grouped(rows, (row) => keys(row.output_object_json)),
      'key',
    ),
    toolsLatency: toolsLatency(tools),
    toolsUsageBars: counted(tools, 'name'),
    metadataValueBreakdown: metadataValues(rows, query.metadata_cost_breakdown_key),
  };
}

/** Sums over the requests that a query means; over the newest ones where they are very many. */
export async function analyse(
  database: Database,
  workspaceId: number,
  query: AnalyticsQuery,
): Promise<Mapping> {
  const { sql, values } = requestConditions(database.dialect, workspaceId, query);
  const rows = await database.scan<Row>(
    `select ${columns.join(', ')}, (select name from prompts p where p.id = requests.prompt_id) as prompt_name
     from requests where ${sql} order by started_at desc, id desc limit ${String(MOST)}`,
    values,
  );
  return summary(rows, query);
}
