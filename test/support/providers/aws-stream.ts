/** Writes the AWS event stream encoding, with Node's own checksum. */
import { crc32 } from 'node:zlib';

function header(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  const head = Buffer.alloc(1 + name.length + 3);
  head.writeUInt8(name.length, 0);
  head.write(name, 1);
  head.writeUInt8(7, 1 + name.length);
  head.writeUInt16BE(bytes.length, 2 + name.length);
  return Buffer.concat([head, bytes]);
}

export function awsMessage(
  headers: Readonly<Record<string, string>>,
  payload: Uint8Array | string,
  /** Headers in bytes, of types that are no text. */
  more: Uint8Array = new Uint8Array(),
): Buffer {
  const head = Buffer.concat([
    ...Object.entries(headers).map(([name, value]) => header(name, value)),
    more,
  ]);
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(12 + head.length + body.length + 4, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, head, body]);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(message));
  return Buffer.concat([message, end]);
}

export const awsEvent = (type: string, payload: object): Buffer =>
  awsMessage(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify(payload),
  );

export const awsException = (type: string, payload: object): Buffer =>
  awsMessage(
    { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' },
    JSON.stringify(payload),
  );

/** An event of a Claude model as InvokeModelWithResponseStream wraps it. */
export const awsChunk = (event: object): Buffer =>
  awsEvent('chunk', {
    bytes: Buffer.from(JSON.stringify(event)).toString('base64'),
    p: 'abcdefghij',
  });

export const awsStreamHeaders = { 'content-type': 'application/vnd.amazon.eventstream' };
