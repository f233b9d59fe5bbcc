import assert from 'node:assert/strict';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import type { Description, Schema } from './description.ts';
import type { ServiceProcess } from './service-process.ts';
import { timeLimit } from '../time-limit.ts';

export interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent instead of `body`, as it is. */
  readonly rawBody?: string | Uint8Array;
  /** Another key than the right one; null for none. */
  readonly key?: string | null;
}

export interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Says whether a difference from the description is a known one. */
export interface Judge {
  status(endpoint: Endpoint, status: number): boolean;
  fault(endpoint: Endpoint, status: number, fault: ErrorObject): boolean;
}

const answerLimitMs = timeLimit(15_000);
const errorBody: Schema = {
  type: 'object',
  required: ['success', 'message', 'error'],
  properties: {
    success: { enum: [false] },
    message: { type: 'string', minLength: 1 },
    error: { type: 'string', minLength: 1 },
  },
};

/**
 * The description offers two schemas for 422, of which any body fits both at once, and `oneOf` allows
 * one only: the one that is meant is used.
 */
const validationBody: Schema = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: { type: 'array', items: { type: ['string', 'integer'] } },
          msg: { type: 'string' },
          type: { type: 'string' },
        },
      },
    },
  },
};

/** Calls the service and holds every single answer against the public description. */
export class Conversation {
  readonly #service: ServiceProcess;
  readonly #description: Description;
  readonly #judge: Judge;
  /** `GET /path 200`: what has been seen. */
  readonly seen = new Set<string>();

  constructor(service: ServiceProcess, description: Description, judge: Judge) {
    this.#service = service;
    this.#description = description;
    this.#judge = judge;
  }

  async call(endpoint: Endpoint, call: Call = {}): Promise<Reply> {
    const response = await this.#send(endpoint, call);
    const text = await response.text();
    const { status } = response;
    this.seen.add(`${endpoint.method} ${endpoint.path} ${status}`);
    const where = `${endpoint.method} ${endpoint.path} answered ${status}: ${text.slice(0, 500)}`;
    const requestId = response.headers.get('x-request-id');
    assert.ok(requestId, `no request id: ${where}`);
    if (status >= 500) assert.fail(`${where}\n${this.#service.logOf(requestId)}`);
    // The description speaks of a text; the status of nothing.
    if (status === 204) {
      assert.equal(text, '', where);
      return { status, body: {} };
    }
    const mediaType = response.headers.get('content-type') ?? '';
    // A file, which is none of the description's schemas.
    if (status === 200 && endpoint.media?.includes(mediaType)) return { status, body: {} };
    assert.match(mediaType, /^application\/json/, where);
    const body = JSON.parse(text) as Reply['body'];
    this.#check(endpoint, status, body, where);
    return { status, body };
  }

  #send(
    endpoint: Endpoint,
    { params = {}, query = {}, body, rawBody, key }: Call,
  ): Promise<Response> {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent((params[name] ?? '').replace(/\p{Cs}/gu, '\ufffd')),
    );
    const url = new URL(path, this.#service.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    return fetch(url, {
      method: endpoint.method,
      headers: {
        ...(key !== null && { 'x-api-key': key ?? this.#service.key }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: sent as BodyInit }),
      signal: AbortSignal.timeout(answerLimitMs),
    });
  }

  #check(endpoint: Endpoint, status: number, body: Reply['body'], where: string): void {
    if (status < 400) {
      const parsed = endpoint.answer.safeParse(body);
      assert.ok(parsed.success, `our own client can't read it: ${where}`);
    }
    const schema = this.#schemaOf(endpoint, status);
    if (schema === undefined) {
      assert.ok(this.#judge.status(endpoint, status), `not a documented status: ${where}`);
    }
    for (const wanted of this.#wanted(status, schema)) {
      const faults = this.#description
        .faults(wanted, body)
        .filter((fault) => !this.#judge.fault(endpoint, status, fault));
      assert.deepEqual(faults, [], where);
    }
  }

  /** Errors have all their parts here, whatever little the description asks for. */
  #wanted(status: number, described: Schema | undefined): readonly Schema[] {
    if (status === 422) return [validationBody];
    return [...(described ? [described] : []), ...(status < 400 ? [] : [errorBody])];
  }

  #schemaOf(endpoint: Endpoint, status: number): Schema | undefined {
    const operation = this.#description.operation(endpoint.method, endpoint.path);
    return operation && this.#description.answer(operation, status);
  }
}
