/** The lines of a document of a prompt: front matter, then blocks that begin with a header. */

/** `=== user` begins a message, `--- text` a part of one; fields in JSON may follow. */
const header = /^(===|---) ([a-z][\w-]*)[ \t]*(\{.*)?$/;
const escaped = /^\\+(?:===|---) [a-z][\w-]*[ \t]*(?:\{.*)?$/;

export interface Line {
  readonly text: string;
  /** Offset of its first character in the document. */
  readonly from: number;
}

export interface Block {
  readonly kind: 'message' | 'part';
  readonly word: string;
  /** The JSON after the word, and where it begins. */
  readonly fields: { readonly text: string; readonly from: number } | undefined;
  readonly head: Line;
  /** Number of the header's line. */
  readonly line: number;
  /** Without the empty line that stands before the next header. */
  readonly lines: readonly Line[];
}

export interface Split {
  readonly front: readonly Line[] | undefined;
  /** Lines between front matter and first header that are not empty. */
  readonly stray: readonly Line[];
  readonly blocks: readonly Block[];
}

export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const raw of text.split('\n')) {
    // An editor may be set to Windows line endings.
    lines.push({ text: raw.endsWith('\r') ? raw.slice(0, -1) : raw, from });
    from += raw.length + 1;
  }
  return lines;
}

const isFence = ({ text }: Line): boolean => /^---[ \t]*$/.test(text);

export function split(text: string): Split {
  const lines = linesOf(text);
  const [first] = lines;
  const hasFront = first !== undefined && isFence(first);
  const end = hasFront ? lines.findIndex((line, at) => at > 0 && isFence(line)) : -1;
  const front = end > 0 ? lines.slice(1, end) : undefined;
  const rest = end > 0 ? end + 1 : 0;
  const heads = lines.flatMap((line, at) => (at >= rest && header.test(line.text) ? [at] : []));
  const blocks = heads.map((at, index): Block => {
    const next = heads[index + 1] ?? lines.length;
    return blockOf(lines, at, next);
  });
  const before = lines.slice(rest, heads[0] ?? lines.length);
  return { front, stray: before.filter((line) => line.text.trim() !== ''), blocks };
}

function blockOf(lines: readonly Line[], at: number, next: number): Block {
  const head = lines[at] ?? { text: '', from: 0 };
  const [, mark, word = '', fields] = header.exec(head.text) ?? [];
  const body = lines.slice(at + 1, next);
  // One empty line before the next header, or after the last line break, is no part of the text.
  if (body.at(-1)?.text === '') body.pop();
  return {
    kind: mark === '===' ? 'message' : 'part',
    word,
    fields:
      fields === undefined
        ? undefined
        : { text: fields, from: head.from + head.text.length - fields.length },
    head,
    line: at,
    lines: body,
  };
}

/** Lines of a text that look like headers are marked by a backslash. */
export const escapeText = (text: string): string =>
  text
    .split('\n')
    .map((line) => (header.test(line) || escaped.test(line) ? `\\${line}` : line))
    .join('\n');

export const textOf = (lines: readonly Line[]): string =>
  lines.map(({ text }) => (escaped.test(text) ? text.slice(1) : text)).join('\n');

/** What an editor would change on its way: other line ends, and halves of characters. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const fragile = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

export const isPlain = (text: string): boolean => !fragile.test(text) && !/\p{Cs}/u.test(text);

/** JSON in which nothing is fragile. */
export const sturdyJson = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
