import { crc32 } from 'node:zlib';
import { unzipSync } from 'fflate';
import sax from 'sax';
import { ImportError } from './import-error.ts';

/** What is told of a part while it is read; names are without their prefixes. */
export interface PartReader {
  open(name: string, attribute: (name: string) => string | undefined): void;
  close?(name: string): void;
  text?(text: string): void;
}

export interface PackageSheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** Of a chart it has no cells. */
  readonly hasCells: boolean;
  /** Undefined: the workbook does not say where it is. */
  readonly part: string | undefined;
}

/** A workbook as its parts say it is. */
export interface Package {
  readonly sheets: readonly PackageSheet[];
  /** Books of older Macs count days from 1904 on. */
  readonly is1904: boolean;
  readonly strings: string | undefined;
  readonly styles: string | undefined;
}

/** What no program that writes workbooks does: its cells can't be trusted. */
export const noWorkbook = (reason: string, cause?: unknown): ImportError =>
  new ImportError(`The file is not a whole Excel workbook (.xlsx): ${reason}`, {
    cause,
    fault: { kind: 'no-workbook', reason },
  });

const PIECE = 256 * 1024;
const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Reads XML that has to be whole: a part that is cut off, or damaged, is none. */
export function readXml(part: string, bytes: Uint8Array, reader: PartReader): void {
  const fail = (cause: unknown): never => {
    if (cause instanceof ImportError) throw cause;
    const [why = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    throw noWorkbook(`${part}: ${why}`, cause);
  };
  const parser = sax.parser(true);
  parser.onerror = fail;
  parser.onopentag = ({ name, attributes }) => {
    reader.open(withoutPrefix(name), (wanted) => {
      if (Object.hasOwn(attributes, wanted)) return attributes[wanted];
      const prefixed = Object.keys(attributes).find((one) => one.endsWith(`:${wanted}`));
      return prefixed === undefined ? undefined : attributes[prefixed];
    });
  };
  parser.onclosetag = (name) => reader.close?.(withoutPrefix(name));
  parser.ontext = (text) => reader.text?.(text);
  parser.oncdata = parser.ontext;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (let at = 0; at < bytes.length; at += PIECE) {
      parser.write(decoder.decode(bytes.subarray(at, at + PIECE), { stream: true }));
    }
    parser.write(decoder.decode()).close();
  } catch (error) {
    fail(error);
  }
}

const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;

export interface Directory {
  readonly end: number;
  readonly start: number;
  readonly size: number;
  readonly count: number;
}

/** Undefined where it is kept elsewhere, as in very large files. */
export function directoryOf(bytes: Uint8Array): Directory | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = bytes.length - END_LENGTH;
  for (let end = last; end >= Math.max(0, last - 0xffff); end -= 1) {
    if (view.getUint32(end, true) !== END) continue;
    const count = view.getUint16(end + 10, true);
    const size = view.getUint32(end + 12, true);
    const start = view.getUint32(end + 16, true);
    const isPlain = count !== 0xffff && start !== 0xffffffff && start + size <= end;
    return isPlain ? { end, start, size, count } : undefined;
  }
  return undefined;
}

export interface Entry {
  readonly name: string;
  /** All of it. */
  readonly bytes: Uint8Array;
  readonly checksum: number;
}

/** Undefined where they are not what the directory promises. */
export function entriesOf(
  bytes: Uint8Array,
  { start, end, count }: Directory,
): readonly Entry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Entry[] = [];
  for (let at = start; entries.length < count;) {
    if (at + ENTRY_LENGTH > end || view.getUint32(at, true) !== CENTRAL) return undefined;
    const [names = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    );
    const next = at + ENTRY_LENGTH + names + extra + comment;
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + names)),
      bytes: bytes.subarray(at, next),
      checksum: view.getUint32(at + 16, true),
    });
    at = next;
  }
  return entries;
}

/** One part, unpacked; undefined where the file has none of that name. */
export function partOf(bytes: Uint8Array, name: string): Uint8Array | undefined {
  let part: Uint8Array | undefined;
  try {
    part = unzipSync(bytes, { filter: (one) => one.name === name })[name];
  } catch (error) {
    throw noWorkbook(`${name}: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  const directory = directoryOf(bytes);
  const entries = directory && entriesOf(bytes, directory);
  const promised = entries?.findLast((one) => one.name === name)?.checksum ?? 0;
  if (part !== undefined && promised !== 0 && crc32(part) !== promised) {
    throw noWorkbook(`${name}: its checksum is wrong.`);
  }
  return part;
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

const folderOf = (part: string): string => part.slice(0, part.lastIndexOf('/') + 1);

function pathOf(folder: string, target: string): string {
  const path = new URL(target, `file:///${folder}`).pathname.slice(1);
  return decodeURIComponent(path);
}

/** What a part refers to, by id. */
function relationsOf(bytes: Uint8Array, part: string): ReadonlyMap<string, Relation> {
  const folder = folderOf(part);
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const found = new Map<string, Relation>();
  const content = partOf(bytes, name);
  if (content === undefined) return found;
  readXml(name, content, {
    open(tag, attribute) {
      const [id, target] = [attribute('Id'), attribute('Target')];
      if (tag !== 'Relationship' || id === undefined || target === undefined) return;
      if (attribute('TargetMode') === 'External') return;
      const type = attribute('Type')?.split('/').at(-1) ?? '';
      found.set(id, { type, target: pathOf(folder, target) });
    },
  });
  return found;
}

export function packageOf(bytes: Uint8Array): Package {
  const main = [...relationsOf(bytes, '').values()].find(({ type }) => type === 'officeDocument');
  const workbook = main?.target ?? 'xl/workbook.xml';
  const content = partOf(bytes, workbook);
  if (content === undefined) throw noWorkbook(`${workbook} is missing.`);
  const relations = relationsOf(bytes, workbook);
  const sheets: PackageSheet[] = [];
  let is1904 = false;
  readXml(workbook, content, {
    open(tag, attribute) {
      if (tag === 'workbookPr') is1904 = ['1', 'true'].includes(attribute('date1904') ?? '');
      if (tag !== 'sheet') return;
      const relation = relations.get(attribute('id') ?? '');
      sheets.push({
        name: attribute('name') ?? '',
        isHidden: (attribute('state') ?? 'visible') !== 'visible',
        hasCells: relation === undefined || relation.type === 'worksheet',
        part: relation?.target,
      });
    },
  });
  const target = (wanted: string): string | undefined =>
    [...relations.values()].find(({ type }) => type === wanted)?.target;
  return { sheets, is1904, strings: target('sharedStrings'), styles: target('styles') };
}
