import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const known: Readonly<Record<string, readonly [number, string, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'headers_too_large',
    'The address and the headers of the request are longer than the 16 KB that are accepted.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'request_timeout',
    'The request did not arrive whole in time. Send it again.',
  ],
};

/** Answers what is no HTTP, or too much of it, before any route could. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, phrase, code, message] = known[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'malformed_request',
    'The request is not valid HTTP.',
  ];
  const body = bodyOf(message, code);
  socket.end(
    [
      `HTTP/1.1 ${String(status)} ${phrase}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${String(Buffer.byteLength(body))}`,
      `X-Request-Id: ${randomUUID()}`,
      '',
      body,
    ].join('\r\n'),
  );
}

const bodyOf = (message: string, error: string): string =>
  JSON.stringify({ success: false, message, error });

const headers = (): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-request-id': randomUUID(),
});

/** Answers HTTP whose address or Host makes no sense, so that no route can be looked for. */
export function unreadable(error: unknown): Response {
  const isRequest = error instanceof Error && error.name === 'RequestError';
  const message = isRequest
    ? 'The address or the Host header of the request is missing or malformed.'
    : 'The service failed to answer.';
  return new Response(bodyOf(message, isRequest ? 'malformed_request' : 'internal_error'), {
    status: isRequest ? 400 : 500,
    headers: headers(),
  });
}

/** Answers an `Expect` other than `100-continue`, which alone has a meaning. */
export function answerUnexpected(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, { ...headers(), connection: 'close' });
  response.end(
    bodyOf(
      'The Expect header asks for something that this service does not do. Leave it out.',
      'expectation_failed',
    ),
  );
}
