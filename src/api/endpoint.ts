import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * One endpoint of the service, declared once and read by three: the client calls it, the local
 * service answers it, the contract test compares it with the public description.
 */
export interface Endpoint<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Unique operation name, in the words of the public description. */
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  /** Path template below the base URL, parameters in braces. */
  readonly path: string;
  /** Schemas of the path parameters: enforced by the service only, the client just encodes them. */
  readonly params: z.ZodObject<Params>;
  /** Schemas of the query, with the documented defaults and bounds (enforced by the service). */
  readonly query: z.ZodObject<Query>;
  readonly body: Body;
  readonly answer: Answer;
  /** Media types of an answer that is a file and not JSON. */
  readonly media?: readonly string[];
  /** Media types of a body, beside JSON. Another one is refused (415) where there are some. */
  readonly takes?: readonly string[];
  /** Statuses that count as success for the client. */
  readonly ok: readonly number[];
  /** Whether doing it twice equals doing it once. */
  readonly repeatable: boolean;
}

export function endpoint<
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(declaration: Endpoint<Params, Query, Body, Answer>): Endpoint<Params, Query, Body, Answer> {
  return declaration;
}

/** Path parameters as a caller gives them. */
export type ParamsOf<E extends Endpoint> = Readonly<Record<keyof z.output<E['params']>, string>>;
/** Query as a caller gives it: everything optional, unparsed. */
export type QueryOf<E extends Endpoint> = z.input<E['query']>;
export type BodyOf<E extends Endpoint> = z.input<E['body']>;
export type AnswerOf<E extends Endpoint> = z.output<E['answer']>;
