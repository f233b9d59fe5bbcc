import type { z } from 'zod';
import type { Endpoint } from '../../api/endpoint.ts';
import { isMapping } from '../../core/mapping.ts';
import type { Opened } from '../keys.ts';
import type { Services } from '../services.ts';
import { readBody } from './body.ts';
import { MalformedBody } from './malformed-body.ts';
import { readFileBody } from './file-body.ts';
import { unfitNames } from './names.ts';
import type { JsonText } from './json-text.ts';
import type { ValidationDetail } from './problem.ts';
import { Problem } from './problem.ts';
import { folderOf, type SentFile } from './sent-file.ts';
import { parseBody, parseParams, parseQuery, unfit } from './validate.ts';

/** What has happened, and been paid for, is written down whatever it is called. */
const isLog = new Set(['log_request', 'track_request']);

/** A request whose parts have all been checked. */
export interface Call<E extends Endpoint> {
  readonly params: z.output<E['params']>;
  readonly query: z.output<E['query']>;
  readonly body: z.output<E['body']>;
  /** The file of a body that may hold one (`takesFile`), where an empty text stands in its place. */
  readonly file: SentFile | undefined;
  readonly headers: Headers;
  readonly workspaceId: number;
  /** Of a window in Restricted Mode: so is the work that it begins. */
  readonly isRestricted: boolean;
  readonly services: Services;
}

export interface Reply {
  readonly status: number;
  /** Undefined for an answer without a body. */
  readonly body: JsonText | undefined;
  /** A file instead of a body. */
  readonly file?: FileReply;
  /** Bytes of another type than JSON instead of a body. */
  readonly bytes?: BytesReply;
}

export interface BytesReply {
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** A file that is made while it is sent. */
export interface FileReply {
  readonly mediaType: string;
  readonly fileName: string;
  /** Not read any further when the caller goes away. */
  readonly pieces: AsyncGenerator<Uint8Array, void, undefined>;
}

export const ok = (body: JsonText): Reply => ({ status: 200, body });
export const created = (body: JsonText): Reply => ({ status: 201, body });
export const accepted = (body: JsonText): Reply => ({ status: 202, body });
export const fileAnswer = (file: FileReply): Reply => ({ status: 200, body: undefined, file });
export const noContent: Reply = { status: 204, body: undefined };

/** An endpoint with the function that answers it. */
export interface Route {
  readonly endpoint: Endpoint;
  /** Official clients send the key of some endpoints as `api_key` in the body, and no header. */
  readonly takesKeyInBody: boolean;
  readonly answer: (request: Request, context: RouteContext) => Promise<Reply>;
}

export interface RouteContext {
  readonly params: Readonly<Record<string, string>>;
  /** Undefined when the request had no header with a key: then the body has it. */
  readonly opened: Opened | undefined;
  /** Throws a 401 for a key that opens no workspace. */
  readonly authenticate: (key: string) => Opened;
  /** Called with the body as soon as it has been read. */
  readonly onBody: (sent: unknown) => void;
  readonly services: Services;
}

export interface RouteOptions {
  /** The body may hold a file, so it may be large. */
  readonly takesFile?: boolean;
  readonly takesKeyInBody?: boolean;
  /** Reads a body that is not, or not always, JSON; throws MalformedBody. */
  readonly read?: (request: Request) => Promise<unknown>;
}

/** Puts the checks of the endpoint's schemas in front of a handler. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<Reply>,
  options: RouteOptions = {},
): Route {
  return {
    endpoint,
    takesKeyInBody: options.takesKeyInBody ?? false,
    answer: async (request, { params, opened, authenticate, onBody, services }) => {
      const { sent, file, fault } = await sentBody(request, services, options);
      onBody(sent);
      try {
        const { workspaceId, isRestricted } = opened ?? authenticate(keyIn(sent));
        const checkedParams = parseParams(endpoint, params);
        const query = parseQuery(endpoint, new URL(request.url).searchParams);
        if (fault !== undefined) throw unfit(endpoint, [fault]);
        const unfitting = isLog.has(endpoint.name) ? [] : unfitNames(sent);
        if (unfitting.length > 0) throw unfit(endpoint, unfitting);
        const body = checkedBody(endpoint, request, sent);
        checkWorkspace(workspaceId, query, body);
        const { headers } = request;
        const given = { params: checkedParams, query, body, file, headers };
        return await handle({ ...given, workspaceId, isRestricted, services });
      } finally {
        await file?.close();
      }
    },
  };
}

const keyIn = (sent: unknown): string =>
  typeof sent === 'object' && sent !== null && 'api_key' in sent && typeof sent.api_key === 'string'
    ? sent.api_key
    : '';

const isWithoutBody = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Some calls name a workspace, though each key has its own: another one isn't there. */
function checkWorkspace(workspaceId: number, ...parts: readonly unknown[]): void {
  for (const part of parts) {
    const named = isMapping(part) ? part['workspace_id'] : undefined;
    if (named !== undefined && named !== null && named !== workspaceId) {
      throw new Problem(
        404,
        'not_found',
        'This workspace was not found: the API key belongs to another one. Leave workspace_id out.',
      );
    }
  }
}

interface SentBody {
  readonly sent: unknown;
  readonly file?: SentFile | undefined;
  readonly fault?: ValidationDetail;
}

async function sentBody(
  request: Request,
  { database }: Services,
  { takesFile = false, read = readBody }: RouteOptions,
): Promise<SentBody> {
  if (isWithoutBody(request)) return { sent: undefined };
  try {
    if (takesFile) return await readFileBody(request, folderOf(database));
    return { sent: await read(request) };
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    return {
      sent: undefined,
      fault: { loc: ['body'], msg: error.message, type: 'json_invalid' },
    };
  }
}

function checkedBody<E extends Endpoint>(
  endpoint: E,
  request: Request,
  sent: unknown,
): z.output<E['body']> {
  if (isWithoutBody(request)) return undefined as z.output<E['body']>;
  // A body where none is expected is ignored, as the public service does (SDKs send `{}`).
  if (endpoint.body.safeParse(undefined).success && (sent === null || isEmptyObject(sent))) {
    return parseBody(endpoint, undefined);
  }
  return parseBody(endpoint, sent);
}

const isEmptyObject = (sent: unknown): boolean =>
  typeof sent === 'object' && sent !== null && Object.keys(sent).length === 0;
