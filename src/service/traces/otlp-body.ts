import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { exportTraces } from '../../api/trace.ts';
import { parseBodyText, readBytes, tooLarge } from '../http/body.ts';
import { MalformedBody } from '../http/malformed-body.ts';
import { checkMediaType, mediaTypeOf, unsupported } from '../http/media-type.ts';

const [protobuf = ''] = exportTraces.takes ?? [];
/** As collectors of OpenTelemetry take by default; of compressed ones, what comes out counts. */
const LIMIT_BYTES = 20 * 1024 * 1024;

const unpacked = promisify(gunzip);

export const isProtobuf = (headers: Headers): boolean => mediaTypeOf(headers) === protobuf;

/** The body of an exporter in the shape of OTLP's JSON, whatever it was sent as. */
export async function readExport(request: Request): Promise<unknown> {
  const { headers } = request;
  const packed = await readBytes(request, LIMIT_BYTES, tooLarge('request', LIMIT_BYTES));
  const mediaType = mediaTypeOf(headers);
  if (mediaType === '' && packed.byteLength === 0) return undefined;
  checkMediaType(mediaType, protobuf);
  const bytes = await unpack(packed, (headers.get('content-encoding') ?? '').trim().toLowerCase());
  if (mediaType !== protobuf) return parseBodyText(bytes);
  // Only for those who send it.
  const { readTraceRequest } = await import('./otlp-protobuf.ts');
  return readTraceRequest(bytes);
}

async function unpack(bytes: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === '' || encoding === 'identity') return bytes;
  if (encoding !== 'gzip')
    throw unsupported(`Compress with gzip or not at all, not "${encoding}".`);
  try {
    return await unpacked(bytes, { maxOutputLength: LIMIT_BYTES });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge('request', LIMIT_BYTES);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MalformedBody(reason, cause, 'compressed with gzip, as its header says');
  }
}
