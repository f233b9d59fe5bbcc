import { isMapping } from '../../core/mapping.ts';
import { parseBodyText, readBytes, tooLarge } from '../http/body.ts';
import { MalformedBody } from '../http/malformed-body.ts';
import { checkMediaType, mediaTypeOf } from '../http/media-type.ts';

const MULTIPART = 'multipart/form-data';
const LIMIT_BYTES = 20 * 1024 * 1024;

/**
 * The fields of a body, whatever it was sent as: those of JSON, or of the part `metadata` (or
 * `json`) with the files of the ZIP file `archive` (or `zip`) behind those that `list` names.
 */
export const readSkillBody =
  (list: 'files' | 'file_updates') =>
  async (request: Request): Promise<unknown> => {
    const { headers } = request;
    const bytes = await readBytes(request, LIMIT_BYTES, tooLarge('request', LIMIT_BYTES));
    const mediaType = mediaTypeOf(headers);
    if (mediaType === '' && bytes.byteLength === 0) return undefined;
    checkMediaType(mediaType, MULTIPART);
    if (mediaType !== MULTIPART) return parseBodyText(bytes);
    const parts = await partsOf(bytes, headers.get('content-type') ?? '');
    const metadata = parts.get('metadata') ?? parts.get('json') ?? '{}';
    const fields = (await parseBodyText(await bytesOf(metadata))) ?? {};
    const archive = parts.get('archive') ?? parts.get('zip');
    if (archive === null || !isMapping(fields)) return fields;
    // Only for those who send one.
    const { unpacked } = await import('./archive.ts');
    const named = Array.isArray(fields[list]) ? (fields[list] as unknown[]) : [];
    return { ...fields, [list]: [...named, ...unpacked(await bytesOf(archive))] };
  };

async function partsOf(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    const body = new Uint8Array(bytes);
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MalformedBody(reason.slice(0, 200), cause, MULTIPART);
  }
}

const bytesOf = async (part: FormDataEntryValue): Promise<Uint8Array> =>
  typeof part === 'string' ? Buffer.from(part) : new Uint8Array(await part.arrayBuffer());
