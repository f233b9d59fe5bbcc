import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { RequestInit, Response } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { RequestDispatcher } from '../../core/platform/connections.ts';
import { systemClock } from '../../core/http/delay.ts';
import { Reach, connectFaultOf } from '../../core/http/reach.ts';
import { CellProblem } from '../engine/problem.ts';
import { AllowedHosts, variable } from './allowed-hosts.ts';

const MAX_REDIRECTS = 5;
const CONNECT_MS = 10_000;
const TIME_MS = 60_000;
const MAX_BYTES = 8 * 2 ** 20;

/** Headers that say who asks; they are not for another host. */
const ownHeaders = new Set(['accept', 'content-type', 'user-agent', 'accept-encoding']);

class Refused extends Error {
  override readonly name = 'Refused';
}

export interface EgressRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

export interface EgressAnswer {
  readonly status: number;
  /** Without parameters, in lower case. */
  readonly contentType: string;
  readonly text: string;
}

/** Methods that change nothing, by the rules of HTTP. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Follows what is said of a call that broke off after it may have reached its server. */
export const mayHaveTakenEffect =
  'It may have taken effect anyway: check that before you run the cell again.';

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** The deepest cause has the words that help. */
export function reasonOf(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < 8 && at instanceof Error && at.cause instanceof Error; depth += 1) {
    at = at.cause;
  }
  return at instanceof Error ? at.message : String(at);
}

/**
 * Requests of columns to other machines: only to hosts that are allowed, by the address that is
 * really connected to, at every redirect. Errors name the host and nothing else of the address.
 */
export class Egress {
  readonly #allowed: AllowedHosts;
  readonly #agent: Agent;
  readonly #reach = new Reach(systemClock);

  /** `resolve` stands for the DNS. */
  constructor(allowedHosts: readonly string[], resolve: typeof lookup = lookup) {
    const allowed = new AllowedHosts(allowedHosts);
    const look: LookupFunction = (host, options, done) => {
      resolve(host, { ...options, all: true }, (error, found) => {
        if (error) {
          done(error, '');
          return;
        }
        // What is checked here is what the socket connects to: no second question to the DNS.
        const fitting = found.filter(({ address }) => allowed.allowsAddress(host, address));
        const [first] = fitting;
        if (first === undefined) {
          done(
            new Refused(
              `${host} leads to an address that is not public. List the address itself in ${variable} to allow it.`,
            ),
            '',
          );
        } else if (options.all === true) done(null, fitting);
        else done(null, first.address, first.family);
      });
    };
    this.#allowed = allowed;
    this.#agent = new Agent({
      connect: { lookup: look, timeout: CONNECT_MS },
      headersTimeout: TIME_MS,
      bodyTimeout: TIME_MS,
      maxResponseSize: MAX_BYTES,
      maxHeaderSize: 64 * 1024,
    });
  }

  /** The address as a URL, or a CellProblem that says why nothing is sent there. */
  check(address: string): URL {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw new CellProblem('invalid_config', 'The address is not an http or https address.');
    }
    if (url.username !== '' || url.password !== '') {
      throw new CellProblem(
        'invalid_config',
        'The address must not hold a user name or password. Put them into a header.',
      );
    }
    if (this.#allowed.allowsUrl(url)) return url;
    throw new CellProblem(
      'not_allowed',
      `Requests to ${url.host} are not allowed. Add the host to ${variable} (in VS Code: the setting promptTables.localService.allowedHosts) and restart the local service.`,
    );
  }

  /**
   * A fetch that keeps to the rules; for clients that bring their own. Rejects with Errors.
   * `onAnswer` hears of the status of every answer, redirects too.
   */
  async fetch(
    address: string | URL,
    init: RequestInit = {},
    onAnswer: (status: number) => void = () => undefined,
  ): Promise<Response> {
    let url = this.check(String(address));
    let { method = 'GET', body = null } = init;
    let headers = new Headers(init.headers as HeadersInit);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const answer = await this.#fetchOnce(url, {
        ...init,
        method,
        body,
        headers: [...headers] as [string, string][],
        redirect: 'manual',
        dispatcher: this.#agent,
      });
      onAnswer(answer.status);
      const location = answer.headers.get('location');
      if (!isRedirect(answer.status) || location === null) return answer;
      await answer.body?.cancel();
      if (!URL.canParse(location, url)) throw new Refused(`${url.host} redirects to nowhere.`);
      const next = this.check(new URL(location, url).href);
      if (next.origin !== url.origin) {
        headers = new Headers([...headers].filter(([name]) => ownHeaders.has(name)));
      }
      const isRead = method === 'GET' || method === 'HEAD';
      if (answer.status === 303 || (answer.status < 303 && !isRead)) {
        method = 'GET';
        body = null;
        headers.delete('content-type');
      }
      url = next;
    }
    throw new Refused(`${url.host} redirects too often.`);
  }

  /** A host that connections were waited for in vain is not waited for again at once. */
  async #fetchOnce(url: URL, init: RequestInit): Promise<Response> {
    const { origin } = url;
    this.#reach.throwIfSlow(origin);
    // Most services never reach anything by it.
    const { fetch } = (await import('undici/lib/web/fetch/index.js')).default;
    const began = performance.now();
    try {
      const answer = await fetch(url, init);
      this.#reach.answered(origin);
      return answer;
    } catch (error) {
      if (isConnectFault(error)) {
        this.#reach.failed(origin, error, performance.now() - began);
      }
      throw error;
    }
  }

  /** A whole answer as text. Throws CellProblems; rejects when the signal aborts. */
  async send({ signal, url, ...request }: EgressRequest): Promise<EgressAnswer> {
    const { host } = this.check(url);
    const late = AbortSignal.timeout(TIME_MS);
    let isDone = false;
    /** A sentence more where the server may have done what it was asked for. */
    const reported = (sentence: string, error: unknown): string => {
      const isUnsent = !isDone && (error instanceof Refused || isConnectFault(error));
      return safeMethods.has(request.method) || isUnsent
        ? sentence
        : `${sentence} ${mayHaveTakenEffect}`;
    };
    try {
      const init = {
        method: request.method,
        headers: { ...request.headers },
        ...(request.body !== undefined && { body: request.body }),
        signal: AbortSignal.any([signal, late]),
      };
      const answer = await this.fetch(url, init, (status) => {
        // These two send the request itself to another place.
        isDone = status !== 307 && status !== 308;
      });
      return {
        status: answer.status,
        contentType: (answer.headers.get('content-type') ?? '')
          .replace(/;.*$/s, '')
          .trim()
          .toLowerCase(),
        text: await readText(answer, host),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CellProblem) throw error;
      const limit = String(TIME_MS / 1000);
      const [code, sentence] = late.aborted
        ? (['timed_out', `${host} did not answer within ${limit} s.`] as const)
        : ([
            'request_failed',
            `The request to ${host} failed: ${withStop(reasonOf(error))}`,
          ] as const);
      throw new CellProblem(code, reported(sentence, error), { cause: error });
    }
  }

  /** For clients that send by themselves: it connects to nothing that is not allowed. */
  get dispatcher(): RequestDispatcher {
    return this.#agent;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

const isConnectFault = (error: unknown): boolean => connectFaultOf(error) !== undefined;

export const withStop = (sentence: string): string =>
  /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;

/** Counts after decompression: a small answer can hold a large one. */
async function readText(answer: Response, host: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > MAX_BYTES) {
      throw new CellProblem(
        'limit_exceeded',
        `The answer of ${host} is larger than ${String(MAX_BYTES / 2 ** 20)} MiB.`,
      );
    }
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
