import type { Block, WorkRequests } from '../../../protocol/grid-work.ts';
import type { EditorHost } from '../editor-host.ts';
import { askedForms, readPaste } from './read-paste.ts';

type PasteHost = Pick<EditorHost, 'readClipboard' | 'copiedCells' | 'askPasteForm'>;

/**
 * The cells on the clipboard. What was copied from a grid comes back as it was, what cannot be
 * mistaken is read, and of everything else a person says what it is.
 */
export async function pastedCells(
  editorHost: PasteHost,
  { text: given, table, isAsked }: WorkRequests['readPaste']['params'],
): Promise<Block | null> {
  const text = given ?? (await editorHost.readClipboard());
  const own = isAsked || table !== null ? undefined : editorHost.copiedCells(text);
  if (own !== undefined) return own;
  if (text === '' && table === null) return null;
  const reading = isAsked ? askedForms({ text, table }) : readPaste({ text, table });
  if ('block' in reading) return reading.block;
  const chosen = await editorHost.askPasteForm(reading.forms);
  return reading.forms.find(({ form }) => form === chosen)?.block ?? null;
}
