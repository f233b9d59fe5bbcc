import type { AuthClient, GoogleAuth } from 'google-auth-library';
import { ConfigurationError, isCancellation, isPromptTablesError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import type { ProviderContext, ProviderRequest } from '../provider.ts';

const scopes = 'https://www.googleapis.com/auth/cloud-platform';
const maxAttempts = 3;

/** Holds the path of a key file, or its content. */
export const keyFileVariable = 'GOOGLE_APPLICATION_CREDENTIALS';

/** The way of the call that needs a token now. */
interface Transport {
  fetchJson: (request: ProviderRequest) => Promise<unknown>;
  /** What it threw last. */
  failure: unknown;
}

const wayOf =
  (context: ProviderContext): Transport['fetchJson'] =>
  (request) =>
    context.fetchJson(request);

/** One set of credentials: the library keeps its token until it is nearly over. */
interface Account {
  readonly auth: GoogleAuth;
  readonly transport: Transport;
}

/**
 * By client, which its logger stands for, and there by credentials: a token is for many calls, and
 * gone when its client is.
 */
const accounts = new WeakMap<Logger, Map<string, Account>>();

export interface GoogleAccess {
  readonly headers: Readonly<Record<string, string>>;
  /** The project that the credentials belong to. */
  readonly projectId: string | undefined;
}

async function loadLibrary() {
  try {
    // By its default: in a bundle, this CommonJS package has no other export.
    return (await import('#google-auth')).default;
  } catch (cause) {
    throw new ConfigurationError(
      { kind: 'google-library' },
      { hint: { kind: 'set-google-token' }, cause },
    );
  }
}

/** The library's requests go the way of all others: same proxy, same certificates. */
function fetchThrough(transport: Transport): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const body = request.method === 'GET' ? undefined : await request.text();
    try {
      const answer = await transport.fetchJson({
        method: request.method === 'GET' ? 'GET' : 'POST',
        url: request.url,
        headers: Object.fromEntries(request.headers),
        body,
      });
      return Response.json(answer);
    } catch (error) {
      // Not thrown: it was tried often enough, and the library would begin anew.
      transport.failure = error;
      return Response.json({ error: 'failed' }, { status: 400 });
    }
  };
}

function parseKey(text: string): Mapping {
  let key: unknown;
  try {
    key = JSON.parse(text) as unknown;
  } catch {
    // Not the cause of the error below: it would quote the key.
  }
  if (isMapping(key)) return key;
  throw new ConfigurationError(
    { kind: 'google-credentials-not-json' },
    { hint: { kind: 'set-key-file' } },
  );
}

/** What the library warns of, credentials out of foreign hands: these are the user's own. */
function keyFrom(source: string | undefined) {
  if (source === undefined) return {};
  return source.startsWith('{') ? { credentials: parseKey(source) } : { keyFilename: source };
}

async function accountOf(source: string | undefined, context: ProviderContext): Promise<Account> {
  const { GoogleAuth } = await loadLibrary();
  const known = accounts.get(context.logger) ?? new Map<string, Account>();
  accounts.set(context.logger, known);
  const key = source ?? '';
  let account = known.get(key);
  if (account === undefined) {
    const transport = { fetchJson: wayOf(context), failure: undefined };
    const auth = new GoogleAuth({
      scopes,
      ...keyFrom(source),
      clientOptions: { transporterOptions: { fetchImplementation: fetchThrough(transport) } },
    });
    account = { auth, transport };
    known.set(key, account);
  }
  return account;
}

function explained(error: unknown, source: string | undefined): unknown {
  if (isPromptTablesError(error) || isCancellation(error)) return error;
  // Without the library's words where they may quote the key file.
  const isQuote = error instanceof SyntaxError || (source !== undefined && source.startsWith('{'));
  const words = !isQuote && error instanceof Error ? error.message : '';
  return new ConfigurationError(
    { kind: 'google-credentials', words },
    { hint: { kind: 'set-key-file-or-sign-in' } },
  );
}

async function accessOf(
  source: string | undefined,
  context: ProviderContext,
): Promise<{ readonly client: AuthClient; readonly headers: Headers }> {
  for (let attempt = 1; ; attempt += 1) {
    const account = await accountOf(source, context);
    account.transport.fetchJson = wayOf(context);
    account.transport.failure = undefined;
    try {
      const client = await account.auth.getClient();
      return { client, headers: await client.getRequestHeaders() };
    } catch (error) {
      const failure = explained(account.transport.failure ?? error, source);
      // Another call shared this request for a token, and was cancelled.
      const isOthers = isCancellation(failure) && context.signal?.aborted !== true;
      if (!isOthers || attempt >= maxAttempts) throw failure;
    }
  }
}

/**
 * Headers that open Google Cloud: the access token of `CLOUDSDK_AUTH_ACCESS_TOKEN`; else the credentials of `GOOGLE_APPLICATION_CREDENTIALS` (a path,
 * or the key itself); else those of the machine.
 */
export async function googleAccess(context: ProviderContext): Promise<GoogleAccess> {
  // Neither the token of the environment nor one that its key file would be signed in for.
  const token = context.isStranger
    ? await context.requireSecret('CLOUDSDK_AUTH_ACCESS_TOKEN')
    : await context.secret('CLOUDSDK_AUTH_ACCESS_TOKEN');
  if (token !== undefined) {
    return { headers: { authorization: `Bearer ${token}` }, projectId: undefined };
  }
  const source = await context.variable(keyFileVariable);
  const { client, headers } = await accessOf(source, context);
  const authorization = headers.get('authorization');
  if (authorization !== null) context.hide(authorization.replace(/^Bearer /, ''));
  return {
    headers: Object.fromEntries(headers),
    projectId: client.projectId ?? undefined,
  };
}
