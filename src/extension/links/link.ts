import { URI } from 'vscode-uri';

/**
 * A link to a sheet: `<editor>://prompt-tables.prompt-tables/sheet?...`. It names a connection of
 * the reader by what is the same for everybody (base URL, or local); it never carries a key.
 */
export interface SheetLink {
  /** Base URL of a hosted workspace; undefined for the local one. */
  readonly baseURL: string | undefined;
  readonly tableId: string;
  readonly sheetId: string;
}

/** What is left of it for whoever opens it. */
export interface LinkedSheet {
  /** Scheme, host and port of a hosted workspace; undefined for the local one. */
  readonly origin: string | undefined;
  readonly tableId: string;
  readonly sheetId: string;
}

const sheetPath = '/sheet';
const known: ReadonlySet<string> = new Set(['base', 'table', 'sheet']);
const longestLink = 4000;
const longestBase = 500;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface LinkTarget {
  /** Scheme of the editor: vscode, vscode-insiders and the like. */
  readonly scheme: string;
  /** `publisher.name` of the extension. */
  readonly extensionId: string;
}

export function writeLink({ scheme, extensionId }: LinkTarget, link: SheetLink): string {
  const query = new URLSearchParams({
    ...(link.baseURL !== undefined && { base: link.baseURL }),
    table: link.tableId,
    sheet: link.sheetId,
  });
  // Encoded once more by URI, which decodes the query once when it parses.
  return URI.from({
    scheme,
    authority: extensionId,
    path: sheetPath,
    query: query.toString(),
  }).toString();
}

/** What a base URL has in common with every other of the same service; undefined: it is none. */
export function originOf(baseURL: string): string | undefined {
  if (baseURL.length > longestBase || !URL.canParse(baseURL)) return undefined;
  // The parser would forgive blanks, controls and backslashes, which hide what is read.
  if (!/^https?:\/\/(?!\/)[^\s\\\p{Cc}\p{Cf}]+$/iu.test(baseURL)) return undefined;
  const { origin, username, password } = new URL(baseURL);
  return username === '' && password === '' ? origin : undefined;
}

/**
 * Reads a link; undefined when it is not one that `writeLink` makes. Anybody may have written it, so
 * every part is checked, and what is not known is refused rather than left out.
 */
export function readLink(text: string): LinkedSheet | undefined {
  if (text.length > longestLink) return undefined;
  const uri = URI.parse(text);
  if (uri.path !== sheetPath || uri.fragment !== '') return undefined;
  const given = [...new URLSearchParams(uri.query)];
  const parts = new Map(given);
  if (parts.size !== given.length || given.some(([name]) => !known.has(name))) return undefined;
  const tableId = parts.get('table') ?? '';
  const sheetId = parts.get('sheet') ?? '';
  if (!uuid.test(tableId) || !uuid.test(sheetId)) return undefined;
  const base = parts.get('base');
  if (base === undefined) return { tableId, sheetId, origin: undefined };
  const origin = originOf(base);
  return origin === undefined ? undefined : { tableId, sheetId, origin };
}
