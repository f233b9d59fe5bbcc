import type { Session } from '../store/database.ts';
import type { VersionRecord } from '../store/records.ts';
import type { VersionScore } from './version-score.ts';

export interface HistoryPoint extends Partial<VersionScore> {
  readonly version_id: string;
  readonly version_number: number;
  readonly name: string | null;
  readonly created_at: string;
  /** The same as `aggregate_score`. */
  readonly score: number;
}

type Stored = Pick<VersionRecord, 'id' | 'number' | 'name' | 'created_at' | 'score_json'>;

/** One point for each saved version that had a score, the oldest first; `last`: of the newest so many. */
export async function readHistory(
  session: Session,
  sheetKey: number,
  last: number | undefined,
): Promise<HistoryPoint[]> {
  const found = await session.query<Stored>(
    `select id, number, name, created_at, score_json from versions
     where sheet_key = ? and is_complete = 1 and score_json <> '{}' order by number desc
     ${last === undefined ? '' : 'limit ?'}`,
    [sheetKey, ...(last === undefined ? [] : [last])],
  );
  return found.reverse().flatMap((version): HistoryPoint[] => {
    const score = JSON.parse(version.score_json) as VersionScore;
    if (score.aggregate_score === null) return [];
    return [
      {
        version_id: version.id,
        version_number: version.number,
        name: version.name,
        created_at: new Date(version.created_at).toISOString(),
        score: score.aggregate_score,
        ...score,
      },
    ];
  });
}

/** At most so many points: of each run of neighbours the lowest and the highest stay. */
export function sample(points: readonly HistoryPoint[], most: number): readonly HistoryPoint[] {
  if (points.length <= most) return points;
  const buckets = Math.max(1, Math.floor(most / 2));
  const sampled: HistoryPoint[] = [];
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const from = Math.floor((bucket * points.length) / buckets);
    const to = Math.floor(((bucket + 1) * points.length) / buckets);
    sampled.push(...extremes(points.slice(from, to)));
  }
  return sampled;
}

function extremes(points: readonly HistoryPoint[]): HistoryPoint[] {
  let [lowest] = points;
  let highest = lowest;
  for (const point of points) {
    if (lowest !== undefined && point.score < lowest.score) lowest = point;
    if (highest !== undefined && point.score > highest.score) highest = point;
  }
  return points.filter((point) => point === lowest || point === highest);
}
