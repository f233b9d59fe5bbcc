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

const sheetPath = '/sheet';
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

/** Reads a link; undefined when it is not one of ours. Only ids of the right form get through. */
export function readLink(text: string): SheetLink | undefined {
  const uri = URI.parse(text);
  if (uri.path !== sheetPath) return undefined;
  const query = new URLSearchParams(uri.query);
  const tableId = query.get('table') ?? '';
  const sheetId = query.get('sheet') ?? '';
  if (!uuid.test(tableId) || !uuid.test(sheetId)) return undefined;
  return { baseURL: query.get('base') ?? undefined, tableId, sheetId };
}
