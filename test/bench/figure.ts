/** A line of the table of `npm run bench`, and of test/bench/results.json. */
export interface Figure {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly limit?: number;
  /** Whether the limit is kept; left out where there is none. */
  readonly pass?: boolean;
}
