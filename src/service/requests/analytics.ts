import { parseJson } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { Database } from '../store/database.ts';
import { TimeSlice } from '../turn.ts';
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
> & {
  readonly prompt_name: string | null;
  /** The part of time that it is drawn in. */
  bucket?: string;
};

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

class Groups<Key> {
  readonly #groups = new Map<Key, Row[]>();

  add(row: Row, keys: readonly Key[]): void {
    for (const key of keys) {
      const group = this.#groups.get(key);
      if (group === undefined) this.#groups.set(key, [row]);
      else group.push(row);
    }
  }

  /** The largest first. */
  get sorted(): [Key, Row[]][] {
    return [...this.#groups].sort(([, left], [, right]) => right.length - left.length);
  }
}

function grouped<Key>(rows: readonly Row[], keysOf: (row: Row) => readonly Key[]): [Key, Row[]][] {
  const groups = new Groups<Key>();
  for (const row of rows) groups.add(row, keysOf(row));
  return groups.sorted;
}

/** The same for all rows there are, in turns with others. */
async function groupedInTurns<Key>(
  rows: readonly Row[],
  keysOf: (row: Row) => readonly Key[],
  slice: TimeSlice,
): Promise<[Key, Row[]][]> {
  const groups = new Groups<Key>();
  for (const row of rows) {
    groups.add(row, keysOf(row));
    if (slice.isOver) await slice.rest();
  }
  return groups.sorted;
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

type Dated = readonly [date: string, rows: Row[]];

const bucketOf = ({ bucket = '' }: Row): string => bucket;

/** In the order of time. */
const dated = (groups: readonly Dated[]): Dated[] =>
  groups.toSorted(([left], [right]) => (left < right ? -1 : 1));

function stats(buckets: readonly Dated[]): Mapping[] {
  return buckets.map(([date, group]) => {
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
function latencies(buckets: readonly Dated[]): Record<string, [string, number][]> {
  const result: Record<string, [string, number][]> = { average_latency: [] };
  for (const [name] of shares) result[name] = [];
  for (const [date, group] of buckets) {
    const sorted = group.map(seconds).sort((a, b) => a - b);
    result['average_latency']?.push([date, average(group, seconds)]);
    for (const [name, share] of shares) result[name]?.push([date, percentile(sorted, share)]);
  }
  return result;
}

type Named = readonly (readonly [name: string, rows: Row[]])[];

/** Of the largest groups, in turns with others. */
async function byName<Value>(
  groups: Named,
  make: (buckets: readonly Dated[]) => Value,
  slice: TimeSlice,
): Promise<Record<string, Value>> {
  const result: [string, Value][] = [];
  for (const [name, rows] of groups.slice(0, SHOWN)) {
    result.push([name, make(dated(grouped(rows, (row) => [bucketOf(row)])))]);
    await slice.rest();
  }
  return Object.fromEntries(result);
}

const requestsByDay = (buckets: readonly Dated[]): [string, number][] =>
  buckets.map(([date, { length }]) => [date, length]);

async function metadataValues(
  rows: readonly Row[],
  wanted: string | null | undefined,
  slice: TimeSlice,
): Promise<Mapping[]> {
  const entries = (row: Row): string[] =>
    Object.entries(parseJson(row.metadata_json) as Mapping)
      .filter(([key]) => !wanted || key === wanted)
      .map((entry) => JSON.stringify(entry));
  return (await groupedInTurns(rows, entries, slice))
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

/** Says of each request when it is drawn; answers the width of what is drawn. */
async function putIntoBuckets(rows: readonly Row[], slice: TimeSlice) {
  let [first, last] = [Infinity, 0];
  for (const { started_at: at } of rows) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  const chosen = intervals.find(({ most }) => !(last - first > most)) ?? intervals[3];
  for (const row of rows) {
    row.bucket = new Date(row.started_at).toISOString().slice(0, chosen.digits);
    if (slice.isOver) await slice.rest();
  }
  return chosen;
}

/** Looks at all requests a few times, never at all of them in one piece. */
async function summary(rows: readonly Row[], query: AnalyticsQuery): Promise<Mapping> {
  const slice = new TimeSlice();
  const { interval, bucketSizeMs } = await putIntoBuckets(rows, slice);
  const groups = <Key>(keysOf: (row: Row) => readonly Key[]): Promise<[Key, Row[]][]> =>
    groupedInTurns(rows, keysOf, slice);
  const buckets = dated(await groups((row) => [bucketOf(row)]));
  const models = await groups((row) => one(row.model));
  const providers = await groups((row) => one(row.provider));
  const prompts = await groups((row) => one(row.prompt_id).map(String));
  const tools = await groups((row) => list(row.tool_names_json));
  const inputTokens = total(rows, (row) => row.input_tokens);
  const cached = total(rows, (row) => row.cached_tokens);
  const named = <Value>(of: Named, make: (own: readonly Dated[]) => Value) =>
    byName(of, make, slice);
  await slice.rest();
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
    stats: stats(buckets),
    mostUsedModels: models.slice(0, SHOWN).map(([name, own]) => [name, own.length]),
    modelRequestsByDay: await named(models, requestsByDay),
    mostUsedPromptTemplates: prompts.slice(0, SHOWN).map(([promptId, own]) => ({
      promptId,
      requests: own.length,
      promptName: own[0]?.prompt_name ?? null,
    })),
    promptTemplateRequestsByDay: await named(prompts, requestsByDay),
    providerRequestsByDay: await named(providers, requestsByDay),
    latency: Object.fromEntries(
      Object.entries(latencies(buckets)).map(([name, pairs]) => [name, Object.fromEntries(pairs)]),
    ),
    latencyByModelByDay: await named(models, latencies),
    latencyByPromptTemplateByDay: await named(prompts, latencies),
    latencyByProviderByDay: await named(providers, latencies),
    errorTypes: counted(await groups((row) => one(row.error_type)), 'errorType'),
    providerBreakdown: providers.map(([provider, own]) => ({ provider, ...sums(own) })),
    promptBreakdown: prompts.slice(0, SHOWN).map(([promptId, own]) => ({ promptId, ...sums(own) })),
    tagsBreakdown: (await groups((row) => list(row.tags_json)))
      .slice(0, SHOWN)
      .map(([tag, own]) => ({ tag, ...sums(own) })),
    metadataKeysTop: counted(await groups((row) => keys(row.metadata_json)), 'key'),
    outputKeysTop: counted(await groups((row) => keys(row.output_object_json)), 'key'),
    toolsLatency: toolsLatency(tools),
    toolsUsageBars: counted(tools, 'name'),
    metadataValueBreakdown: await metadataValues(rows, query.metadata_cost_breakdown_key, slice),
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
