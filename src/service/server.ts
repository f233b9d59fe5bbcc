import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import { Hono } from 'hono';
import type { Hold } from './hold.ts';
import { refuseForeignPages } from './http/guard.ts';
import { bodyWithoutEchoes, longTextsIn } from './http/echoes.ts';
import { readWindowAnswer, readWindowKeys } from './http/window-keys.ts';
import { streamOf } from './http/json-stream.ts';
import { jsonObject, type JsonText } from './http/json-text.ts';
import { openApiDocument } from './http/openapi.ts';
import { storeTrouble } from './http/store-trouble.ts';
import { Problem } from './http/problem.ts';
import type { Route } from './http/route.ts';
import { FileSender, fileHeaders } from './http/file-stream.ts';
import { unservedCalls } from './http/unserved.ts';
import type { ErrorAnswer } from './http/validate.ts';
import { problemBody } from './http/validate.ts';
import { restrictedKeyOf, type Keys, type Opened } from './keys.ts';
import { errorText } from './log.ts';
import type { WindowKeys } from './models/window-keys.ts';
import type { WindowModels } from './models/window-models.ts';
import type { Observer } from './observe/observer.ts';
import type { Services } from './services.ts';
import { serviceVersion } from './version.ts';

interface Variables {
  requestId: string;
  /** Unset for a request whose key is in its body. */
  opened: Opened | undefined;
  /** The path as it is described, when there is one. */
  route: string | undefined;
  /** The body, when it has been read. */
  sent: unknown;
}
type Server = Hono<{ Variables: Variables }>;
type ServerContext = Context<{ Variables: Variables }>;

export interface ServerParts {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly keys: Keys;
  readonly hold: Hold;
  /** Set when keys of providers come from the windows that hold the service. */
  readonly windowKeys?: WindowKeys | undefined;
  readonly windowModels?: WindowModels | undefined;
  /** Compressing pays on a network only: on a socket of this machine it costs more than it saves. */
  readonly compress: boolean;
  readonly observer: Observer;
}

/** Characters of an answer that is sent in parts: to make its bytes at once takes too long. */
const STREAM_FROM = 1024 * 1024;
const COMPRESS_FROM_BYTES = 16 * 1024;
const compressed = promisify(gzip);

/** All routes as one fetch function; `listen.ts` puts it on a socket. */
export function createServer(parts: ServerParts): Server {
  const server: Server = new Hono();
  const bodyKeyPaths = new Set(
    parts.routes.flatMap(({ endpoint, takesKeyInBody }) => (takesKeyInBody ? [endpoint.path] : [])),
  );
  const readsKeyFromBody = ({ method, path }: { method: string; path: string }): boolean =>
    method === 'POST' && bodyKeyPaths.has(path);
  server.use((context, next) => observed(context, parts.observer, next));
  server.use(async (context, next) => {
    const started = performance.now();
    context.set('requestId', randomUUID());
    context.header('x-request-id', context.get('requestId'));
    refuseForeignPages(context.req.raw.headers);
    const key = context.req.header('x-api-key');
    if (key !== undefined || !readsKeyFromBody(context.req)) {
      context.set('opened', authenticate(parts.keys, key ?? ''));
    }
    await next();
    logRequest(context, parts.services, started);
  });
  addLocalRoutes(server, parts);
  const files = new FileSender(parts.services.log);
  addUnserved(server);
  for (const one of parts.routes) addRoute(server, one, parts, files);
  addMethodAnswers(server, parts.routes);
  server.notFound((context) => answerError(context, unknownPath(context), parts.services));
  server.onError((error, context) => answerError(context, error, parts.services));
  return server;
}

async function observed(
  context: ServerContext,
  observer: Observer,
  next: () => Promise<void>,
): Promise<void> {
  const started = performance.now();
  const { method } = context.req;
  const route = (): string => context.get('route') ?? 'other';
  const span = {
    name: method,
    kind: 'server',
    attributes: { 'http.request.method': method },
    parent: context.req.header('traceparent'),
    ended: () => ({ 'http.route': route(), 'http.response.status_code': context.res.status }),
  } as const;
  await observer.inSpan(span, next);
  const seconds = (performance.now() - started) / 1000;
  observer.requestAnswered({ method, route: route(), status: context.res.status, seconds });
}

function authenticate(keys: Keys, key: string): Opened {
  const opened = keys.opened(key);
  if (opened !== undefined) return opened;
  throw new Problem(
    401,
    'unauthorized',
    'The API key is missing or not valid. Send the key of this service in the X-API-KEY header.',
  );
}

/**
 * `{name}` in our path templates is `:name` to the router. Names of prompt templates may hold
 * slashes, which older clients send as they are.
 */
const routerPath = (path: string): string =>
  path
    .replace(/\/prompt-templates\/\{name\}$/, '/prompt-templates/:name{.+}')
    .replace(/\{(\w+)\}/g, ':$1');

function addRoute(
  server: Server,
  { endpoint, answer }: Route,
  parts: ServerParts,
  files: FileSender,
): void {
  server.on(endpoint.method, routerPath(endpoint.path), async (context) => {
    context.set('route', endpoint.path);
    const reply = await answer(context.req.raw, {
      params: context.req.param(),
      opened: context.get('opened'),
      authenticate: (key) => authenticate(parts.keys, key),
      onBody: (sent) => {
        context.set('sent', sent);
      },
      services: parts.services,
    });
    if (reply.file !== undefined) {
      return context.body(await files.open(reply.file), 200, fileHeaders(reply.file));
    }
    if (reply.bytes !== undefined) {
      const { mediaType, content } = reply.bytes;
      const headers = { 'content-type': mediaType, 'cache-control': 'no-store' };
      return context.body(new Uint8Array(content), reply.status as 200, headers);
    }
    if (reply.body === undefined) return context.body(null, reply.status as 204);
    return send(context, reply.status, reply.body, parts.compress);
  });
}

async function send(
  context: ServerContext,
  status: number,
  answer: JsonText,
  compress: boolean,
): Promise<Response> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  };
  const wanted = /\bgzip\b/.test(context.req.header('accept-encoding') ?? '');
  const { length } = answer;
  const isPacked = compress && wanted && length >= COMPRESS_FROM_BYTES;
  const all = isPacked
    ? { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }
    : headers;
  if (length >= STREAM_FROM) {
    return context.body(streamOf(answer, isPacked), status as 200, all);
  }
  const { body } = answer;
  if (!isPacked) return context.body(body, status as 200, all);
  return context.body(new Uint8Array(await compressed(body, { level: 1 })), status as 200, all);
}

const held = { 'content-type': 'text/plain', 'cache-control': 'no-store' };

function addLocalRoutes(
  server: Server,
  { routes, hold, windowKeys, windowModels }: ServerParts,
): void {
  const document = (): object => openApiDocument(routes.map(({ endpoint }) => endpoint));
  server.get('/openapi.json', (context) => context.json(document()));
  server.get('/_local/health', (context) =>
    context.json({
      ok: true,
      version: serviceVersion,
      pid: process.pid,
      takes_keys: windowKeys !== undefined,
      restricted_key: restrictedKeyOf(context.req.header('x-api-key') ?? ''),
    }),
  );
  server.get('/_local/hold', (context) => context.body(hold.stream(), 200, held));
  if (windowKeys === undefined) return;
  server.post('/_local/hold', async (context) => {
    const { window: id, ...set } = await readWindowKeys(context.req.raw);
    const release = windowKeys.add(set);
    return context.body(
      hold.stream((send) => {
        const offersModels = set.modelRequests > 0;
        const detach = windowModels?.attach({ id: id ?? randomUUID(), offersModels, send });
        return () => {
          detach?.();
          release();
        };
      }),
      200,
      held,
    );
  });
  server.post('/_local/answers/:id', async (context) => {
    const answer = await readWindowAnswer(context.req.raw);
    const isAwaited = windowModels?.answer(context.req.param('id'), answer) === true;
    return context.body(null, isAwaited ? 204 : 410);
  });
}

/** A known path with another method: 405, and OPTIONS tells which methods there are. */
function addMethodAnswers(server: Server, routes: readonly Route[]): void {
  const methods = new Map<string, string[]>();
  for (const { endpoint } of routes) {
    const path = routerPath(endpoint.path);
    methods.set(path, [...(methods.get(path) ?? []), endpoint.method]);
  }
  for (const [path, known] of methods) {
    const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    server.all(path, (context) => {
      context.header('allow', allow);
      if (context.req.method === 'OPTIONS') return context.body(null, 204);
      throw new Problem(405, 'method_not_allowed', `This path answers to ${allow}.`);
    });
  }
}

/** First of all, because names of prompt templates may look like their paths. */
function addUnserved(server: Server): void {
  for (const { method, path, problem } of unservedCalls) {
    // A name may be anything, an id of the service's own is a number.
    const numbered = path.replace(/\{(prompt_template_id|workflow_id)\}/, ':$1{[0-9]+}');
    server.on(method, routerPath(numbered), (context) => {
      context.set('route', path);
      throw problem();
    });
  }
}

const unknownPath = (context: ServerContext): Problem =>
  new Problem(404, 'not_found', `There is nothing at ${context.req.path}. See /openapi.json.`);

/** Official clients show `error` alone when a workflow can't be started: there it is the sentence. */
const isRunOfWorkflow = (path: string): boolean => /^\/workflows\/[^/]+\/run$/.test(path);

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

/** What is answered to an error that the caller can do something about. */
function knownBody(context: ServerContext, error: unknown): ErrorAnswer | undefined {
  const known = problemBody(error);
  if (known === undefined) return undefined;
  const { path } = context.req;
  const address = [path, decoded(path), context.req.query(), context.get('sent')];
  const body = bodyWithoutEchoes(known.body, longTextsIn(address));
  const { message, error: code } = body;
  const shown = isRunOfWorkflow(path) ? { ...body, error: message, code } : body;
  return { status: known.status, body: shown };
}

function answerError(context: ServerContext, error: unknown, services: Services): Response {
  const requestId = context.get('requestId');
  context.header('x-request-id', requestId);
  context.header('cache-control', 'no-store');
  const known = knownBody(context, error);
  const fields = { requestId, method: context.req.method, path: context.req.path };
  if (known !== undefined) {
    services.log.info('Request refused', {
      ...fields,
      status: known.status,
      reason: known.body['message'],
    });
    return context.json(known.body, known.status as 400);
  }
  const trouble = storeTrouble(error);
  const status = trouble?.status ?? 500;
  services.log.error('Request failed', { ...fields, status, error: errorText(error) });
  if (trouble !== undefined) {
    const { message, code } = trouble;
    return context.json(
      { success: false, message, error: code, request_id: requestId },
      status as 503,
    );
  }
  const body = jsonObject({
    success: false,
    message: 'The service failed to answer. Its log has the reason under this request id.',
    error: 'internal_error',
    request_id: requestId,
  });
  return context.body(body.text, 500, { 'content-type': 'application/json; charset=utf-8' });
}

function logRequest(context: ServerContext, { log }: Services, started: number): void {
  const { method, path } = context.req;
  // Errors have been logged with their reason.
  if (context.error !== undefined || context.res.status >= 400) return;
  const level = method === 'GET' || method === 'HEAD' ? 'debug' : 'info';
  log[level]('Request answered', {
    requestId: context.get('requestId'),
    method,
    path,
    status: context.res.status,
    ms: Math.round((performance.now() - started) * 10) / 10,
  });
}
