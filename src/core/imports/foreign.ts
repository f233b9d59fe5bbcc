import { ImportError, type ForeignKind } from './import-error.ts';

/** What begins like this is no text, whatever its name says: read as one it would become a column of signs. */
const beginnings: readonly (readonly [ForeignKind, readonly number[]])[] = [
  ['utf-32', [0xff, 0xfe, 0, 0]],
  ['utf-32', [0, 0, 0xfe, 0xff]],
  ['xls', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  // Gzip, bzip2, xz, Zstandard, 7-Zip, RAR.
  ['packed', [0x1f, 0x8b]],
  ['packed', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41]],
  ['packed', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['packed', [0x28, 0xb5, 0x2f, 0xfd]],
  ['packed', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['packed', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  // RTF, PDF, PNG, JPEG, GIF, SQLite, Arrow.
  ['other', [0x7b, 0x5c, 0x72, 0x74, 0x66]],
  ['other', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['other', [0x89, 0x50, 0x4e, 0x47]],
  ['other', [0xff, 0xd8, 0xff]],
  ['other', [0x47, 0x49, 0x46, 0x38]],
  [
    'other',
    [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66, 0x6f, 0x72, 0x6d, 0x61, 0x74, 0x20, 0x33, 0],
  ],
  ['other', [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31, 0]],
];

const messages: Readonly<Record<ForeignKind, string>> = {
  'utf-32': 'The file is UTF-32 text. Save it as UTF-8 and import it again.',
  xls: 'The file is a workbook of Excel 97-2003 (.xls). Save it as .xlsx and import it again.',
  packed: 'The file is compressed. Unpack it and import what is in it.',
  page: 'The file is a web page. Save the table of it as CSV or .xlsx.',
  other: 'The file is a document, an image or a database, and not a table.',
};

function kindOf(head: Uint8Array): ForeignKind | undefined {
  const found = beginnings.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte));
  if (found !== undefined) return found[0];
  const start = new TextDecoder().decode(head.subarray(0, 200)).trimStart();
  if (/^<(?:!doctype html|html|table)[\s>]/i.test(start)) return 'page';
  return /^<\?xml\s/.test(start) ? 'other' : undefined;
}

/** Undefined: it may be a text. */
export function foreignFault(head: Uint8Array): ImportError | undefined {
  const what = kindOf(head);
  return what && new ImportError(messages[what], { fault: { kind: 'foreign', what } });
}
