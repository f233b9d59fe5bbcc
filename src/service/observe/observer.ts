/** A request of this service that has been answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path with its parameters' names: never what a caller put there. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** A request that was made to a provider. */
export interface AskedModel {
  readonly provider: string;
  readonly model: string;
  readonly outcome: 'completed' | 'failed';
  readonly seconds: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export type SpanValue = string | number;

/** Events for whatever measures them. Nothing here waits, and nothing here fails. */
export interface Observer {
  requestAnswered(request: AnsweredRequest): void;
  rowsClaimed(count: number): void;
  /** Rows of a claim that was taken away: cancelled, or its lease ran out. */
  claimLost(rowCount: number): void;
  cellComputed(type: string, status: string): void;
  modelAsked(asked: AskedModel): void;
  /**
   * Work that shows up as a span of a trace, inside of the one around it. `parent` is the header
   * `traceparent` of whoever asked for it.
   */
  inSpan<Result>(span: SpanFacts, work: () => Promise<Result>): Promise<Result>;
}

export interface SpanFacts {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes: Readonly<Record<string, SpanValue>>;
  readonly parent?: string | undefined;
  /** Attributes that only the end shows. */
  readonly ended?: () => Readonly<Record<string, SpanValue>>;
}

/** When nobody measures. */
export const unobserved: Observer = {
  requestAnswered: () => undefined,
  rowsClaimed: () => undefined,
  claimLost: () => undefined,
  cellComputed: () => undefined,
  modelAsked: () => undefined,
  inSpan: (_span, work) => work(),
};
