/** `delimited`: CSV, TSV and their kin. */
export type FileFormat = 'delimited' | 'json' | 'jsonl' | 'xlsx' | 'parquet';

/** Endings of names, without the dot. */
export const importEndings = {
  delimited: ['csv', 'tsv', 'tab', 'txt', 'psv'],
  json: ['json'],
  jsonl: ['jsonl', 'ndjson'],
  xlsx: ['xlsx', 'xlsm'],
  parquet: ['parquet'],
} as const satisfies Record<FileFormat, readonly string[]>;

const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

const byEnding = (name: string): FileFormat | undefined => {
  const ending = endingOf(name);
  for (const [format, endings] of Object.entries(importEndings)) {
    if ((endings as readonly string[]).includes(ending)) return format as FileFormat;
  }
  return undefined;
};

export const canBeImported = (name: string): boolean => byEnding(name) !== undefined;

const startsWith = (head: Uint8Array, text: string): boolean =>
  Array.from(text).every((sign, at) => head[at] === sign.charCodeAt(0));

const BEGINNING = 4096;

/** Whatever its name says: no header of a table begins like that. */
const isJsonForCertain = (text: string): boolean =>
  /^(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:/.test(text);

/** As `formatOf` sees it; a text that is named as a table may be JSON all the same. */
export const holdsJson = (head: Uint8Array): boolean =>
  isJsonForCertain(startOf(head.subarray(0, BEGINNING)));

/** JSON is in UTF-8 nearly always; signs of other encodings do not change how it begins. */
const startOf = (head: Uint8Array): string =>
  new TextDecoder('utf-8').decode(head).replaceAll('\0', '').trimStart();

/** Detected by its first bytes if they are plain, else by its name, else by how its text begins. */
export function formatOf(name: string, head: Uint8Array): FileFormat {
  if (startsWith(head, 'PAR1')) return 'parquet';
  if (startsWith(head, 'PK\u0003\u0004')) return 'xlsx';
  const byName = byEnding(name);
  if (byName === 'delimited' && !holdsJson(head)) return byName;
  if (byName === 'xlsx' || byName === 'parquet' || byName === 'jsonl') return byName;
  return formatOfText(head, byName ?? 'delimited');
}

function formatOfText(head: Uint8Array, otherwise: FileFormat): FileFormat {
  const text = startOf(head);
  if (/^\[\s*(?:\{|\])/.test(text)) return 'json';
  if (!text.startsWith('{')) return otherwise;
  const [first = ''] = text.split('\n', 1);
  return isObject(first) ? 'jsonl' : 'json';
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false; // what is asked
  }
}
