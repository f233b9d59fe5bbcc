import { randomUUID } from 'node:crypto';
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
  const body = JSON.stringify({ success: false, message, error: code });
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
