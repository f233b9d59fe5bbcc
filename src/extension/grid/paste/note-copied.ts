import { createHash } from 'node:crypto';

/** How what was copied last is to be read: `text`, `null` and `empty` are one cell. */
export interface CopiedForm {
  readonly shape: 'text' | 'null' | 'empty' | 'block';
  readonly rows: number;
  /** Texts that look like formulas have a guard in front. */
  readonly isGuarded: boolean;
}

/** Where it is kept for all windows: a `vscode.Memento`. */
export interface CopiedStore {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

export const storeKey = 'promptTables.grid.copied';
export const bareLines = (text: string): string => text.replaceAll('\r\n', '\n');
export const hashOf = (text: string): string =>
  createHash('sha256').update(bareLines(text)).digest('base64');

/** Remembers what was put on the clipboard, by a hash: the text itself is nobody's business. */
export async function noteCopied(
  store: CopiedStore,
  text: string,
  form: CopiedForm | undefined,
): Promise<void> {
  const kept = form && {
    ...{ ...form, hash: hashOf(text), isPlainLines: !text.includes('\r') },
  };
  await store.update(storeKey, kept);
}
