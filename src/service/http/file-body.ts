import { FILE_LIMIT_BYTES, parseBodyText, tooLarge } from './body.ts';
import { FileScanner, type ScanTarget } from './file-scanner.ts';
import { SentFile } from './sent-file.ts';

const MEBIBYTE = 1024 * 1024;
/** Base64 takes four bytes for three; the rest is the JSON around it. */
const BODY_LIMIT_BYTES = Math.ceil((FILE_LIMIT_BYTES * 4) / 3) + MEBIBYTE;
/** JSON beside the file: the ids of many requests, for example. */
const JSON_LIMIT_BYTES = 10 * MEBIBYTE;
const FIELD = 'file_content_base64';
/** Is no base64, so that the check of the body refuses the field. */
const NOT_BASE64 = '!';

/** Base64 that comes in parts of any length. */
class Base64 {
  #rest = '';
  isValid = true;

  /** The bytes that are whole by now; the last four letters wait for the end, which may be padded. */
  decode(text: string): Buffer {
    const all = this.#rest + text;
    const length = Math.max(0, Math.floor((all.length - 1) / 4) * 4);
    const part = all.slice(0, length);
    this.#rest = all.slice(length);
    if (!/^[A-Za-z0-9+/]*$/.test(part)) this.isValid = false;
    return Buffer.from(this.isValid ? part : '', 'base64');
  }

  end(): Buffer {
    if (!/^(?:[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/](?:=|[A-Za-z0-9+/])))?$/.test(this.#rest)) {
      this.isValid = false;
    }
    const last = Buffer.from(this.isValid ? this.#rest : '', 'base64');
    this.#rest = '';
    return last;
  }
}

/** What the scanner finds, until it is on the disk. */
class Found implements ScanTarget {
  #base64 = new Base64();
  #decoded: Buffer[] = [];
  /** JSON beside the file, in Latin-1. */
  jsonText = '';
  hasFile = false;
  /** What is on the disk counts no more: of a key that stands there twice the last one counts. */
  isNew = false;

  json(text: string): void {
    this.jsonText += text;
  }

  begin(): void {
    this.#base64 = new Base64();
    this.#decoded = [];
    this.hasFile = true;
    this.isNew = true;
  }

  file(text: string): void {
    this.#decoded.push(this.#base64.decode(text));
  }

  end(): string {
    this.#decoded.push(this.#base64.end());
    return this.#base64.isValid ? '' : NOT_BASE64;
  }

  /** What has been decoded since the last time. */
  take(): readonly Buffer[] {
    return this.#decoded.splice(0);
  }
}

export interface FileBody {
  /** The body, with an empty text in place of the file's. */
  readonly sent: unknown;
  /** Undefined when the body had none. Whoever has read the body closes it. */
  readonly file: SentFile | undefined;
}

/**
 * Reads a JSON body that may hold a file in base64: it goes to the disk as it comes, so that a large
 * one takes no more memory than a small one, and nobody waits for it to be parsed.
 */
export async function readFileBody({ headers, body }: Request, folder: string): Promise<FileBody> {
  if (Number(headers.get('content-length') ?? 0) > BODY_LIMIT_BYTES) throw tooLarge('file');
  const found = new Found();
  const scanner = new FileScanner(FIELD, found);
  let file: SentFile | undefined;
  let size = 0;
  try {
    for await (const piece of body ?? []) {
      size += piece.byteLength;
      if (size > BODY_LIMIT_BYTES) throw tooLarge('file');
      scanner.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
      if (found.jsonText.length > JSON_LIMIT_BYTES) throw tooLarge('request');
      if (!found.hasFile) continue;
      file ??= await SentFile.create(folder);
      if (found.isNew) file.clear();
      found.isNew = false;
      for (const bytes of found.take()) await file.append(bytes);
      if (file.byteCount > FILE_LIMIT_BYTES) throw tooLarge('file');
    }
    return { sent: await parseBodyText(Buffer.from(found.jsonText, 'latin1')), file };
  } catch (error) {
    await file?.close();
    throw error;
  }
}
