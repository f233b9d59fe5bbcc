import type { AnswerOf, BodyOf, QueryOf } from '../../api/endpoint.ts';
import {
  analyseRequests,
  getRequest,
  logRequest,
  searchRequests,
  suggestRequestValues,
} from '../../api/request-log.ts';
import type { CallOptions } from '../http/call.ts';
import { stringifyJson } from '../http/json.ts';
import type { EitherSpelling } from '../spelling.ts';
import { snakeFields } from '../spelling.ts';
import type { ApiContext } from '../tables/context.ts';
import type { LogRequestInput } from './log-body.ts';
import { logBody } from './log-body.ts';

/** `{ request_id, id, prompt_version, status, ... }`: both ids are the same. */
export type LoggedRequest = AnswerOf<typeof logRequest>;
/**
 * `{ request_id, prompt_blueprint, provider, model, input_tokens, output_tokens, price, latency_ms,
 * ... }`: US dollars, milliseconds, ISO 8601.
 */
export type RequestDetail = AnswerOf<typeof getRequest>;
/** `{ totalRequests, totalTokens, totalCost, averageLatency, stats }`: US dollars, seconds. */
export type RequestAnalytics = AnswerOf<typeof analyseRequests>;
/** `{ items, page, pages, total, has_next, ... }`; `latency` of an item is in seconds. */
export type RequestsPage = AnswerOf<typeof searchRequests>;

interface SearchFields {
  /** `{ logic: 'AND', filters: [{ field, operator, value }] }`; groups may nest. */
  readonly filterGroup?: Readonly<Record<string, unknown>> | undefined;
  readonly q?: string | undefined;
  /** Together with `sortOrder`. */
  readonly sortBy?: string | undefined;
  readonly sortOrder?: 'asc' | 'desc' | undefined;
  readonly page?: number | undefined;
  /** Up to 25. Default 10. */
  readonly perPage?: number | undefined;
  readonly includePromptName?: boolean | undefined;
}
interface SuggestionFields {
  readonly field: string;
  readonly prefix?: string | undefined;
  readonly metadataKey?: string | undefined;
  readonly promptId?: number | undefined;
  readonly filterGroup?: Readonly<Record<string, unknown>> | string | undefined;
}
interface AnalyticsFields {
  /** As in a search. */
  readonly filterGroup?: Readonly<Record<string, unknown>> | undefined;
  readonly q?: string | undefined;
  /** Metadata key by whose values the cost is grouped. */
  readonly metadataCostBreakdownKey?: string | undefined;
}
/** In camelCase or in snake_case. */
export type RequestAnalyticsQuery = EitherSpelling<AnalyticsFields>;
/** In camelCase or in snake_case. */
export type RequestSearch = EitherSpelling<SearchFields>;
/** In camelCase or in snake_case. */
export type RequestSuggestions = EitherSpelling<SuggestionFields>;

/** What `client.logRequest` is. */
export type LogRequest = ReturnType<typeof makeLogRequest>;

/** Logs a request that was made with another client. */
export const makeLogRequest =
  ({ call }: ApiContext) =>
  // Async, so that what makes no request is a rejection too, and never a thrown surprise.
  async (request: LogRequestInput, options: CallOptions = {}): Promise<LoggedRequest> =>
    call(logRequest, { params: {}, body: logBody(request) }, options);

/** What `client.requests` is. */
export type Requests = ReturnType<typeof makeRequests>;

/** Logged requests. */
export function makeRequests({ call }: ApiContext) {
  return {
    /** A logged request with its blueprint, tokens and price. */
    get: (requestId: number, options: CallOptions = {}): Promise<RequestDetail> =>
      call(getRequest, { params: { id: String(requestId) } }, options),

    /** One page. The service allows 10 searches a minute. */
    search: (search: RequestSearch = {}, options: CallOptions = {}): Promise<RequestsPage> => {
      const body: BodyOf<typeof searchRequests> = snakeFields(search);
      return call(searchRequests, { params: {}, body }, options);
    },

    /** Counts, costs (US dollars), tokens and latencies (seconds) of the requests that fit. */
    analytics: (
      query: RequestAnalyticsQuery = {},
      options: CallOptions = {},
    ): Promise<RequestAnalytics> => {
      const body: BodyOf<typeof analyseRequests> = snakeFields(query);
      return call(analyseRequests, { params: {}, body }, options);
    },

    /** Values that a field has, for completing what is typed. */
    suggestions: async (
      wanted: RequestSuggestions,
      options: CallOptions = {},
    ): Promise<readonly unknown[]> => {
      const { filter_group: group, ...rest } = snakeFields(wanted);
      const query = {
        ...rest,
        ...(group !== undefined && {
          filter_group: typeof group === 'string' ? group : stringifyJson(group),
        }),
      } as QueryOf<typeof suggestRequestValues>;
      return (await call(suggestRequestValues, { params: {}, query }, options)).values;
    },
  };
}
