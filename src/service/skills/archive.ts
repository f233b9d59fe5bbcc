import { Zip, ZipDeflate, unzipSync } from 'fflate';
import { invalid } from '../http/problem.ts';
import type { Files } from './files.ts';

const MOST_BYTES = 20 * 1024 * 1024;
const MOST_ENTRIES = 2000;
/** Fixed, so that the same files are the same archive. ZIP knows no time before 1980. */
const WRITTEN_AT = new Date(1980, 0, 1, 12);

/** The files of a ZIP file. Throws a 400 for one that is damaged, too large or holds no text. */
export function unpacked(archive: Uint8Array): { path: string; content: string }[] {
  let bytes = 0;
  let entries = 0;
  let files: Readonly<Record<string, Uint8Array>>;
  try {
    files = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        bytes += originalSize;
        entries += 1;
        if (bytes > MOST_BYTES || entries > MOST_ENTRIES) {
          throw invalid('The archive has more than 20 MB or 2,000 files in it.');
        }
        return !name.endsWith('/');
      },
    });
  } catch (error) {
    // Its own errors are plain ones with a number.
    if (error instanceof Error && 'status' in error) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(`The archive isn't a ZIP file that can be read (${reason}).`);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return Object.entries(files).map(([path, content]) => {
    try {
      return { path, content: decoder.decode(content) };
    } catch {
      throw invalid(`"${path.slice(0, 100)}" in the archive is not UTF-8 text.`);
    }
  });
}

/** A ZIP file, one file of it after the other. */
export async function* packed(files: Files): AsyncGenerator<Uint8Array, void, undefined> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    ready.push(piece);
  });
  for (const [path, content] of files) {
    const entry = new ZipDeflate(path, { level: 6 });
    entry.mtime = WRITTEN_AT;
    zip.add(entry);
    entry.push(new TextEncoder().encode(content), true);
    const pieces = ready;
    ready = [];
    yield Buffer.concat(pieces);
  }
  zip.end();
  yield Buffer.concat(ready);
}
