import type { Block, WorkRequests } from '../../../protocol/grid-work.ts';
import type { Desk } from '../desk.ts';
import { askedForms, readPaste } from './read-paste.ts';

type PasteDesk = Pick<Desk, 'readClipboard' | 'copiedCells' | 'askPasteForm'>;

/**
 * The cells on the clipboard. What was copied from a grid comes back as it was, what cannot be
 * mistaken is read, and of everything else a person says what it is.
 */
export async function pastedCells(
  desk: PasteDesk,
  { text: given, table, isAsked }: WorkRequests['readPaste']['params'],
): Promise<Block | null> {
  const text = given ?? (await desk.readClipboard());
  const own = isAsked || table !== null ? undefined : desk.copiedCells(text);
  if (own !== undefined) return own;
  if (text === '' && table === null) return null;
  const reading = isAsked ? askedForms({ text, table }) : readPaste({ text, table });
  if ('block' in reading) return reading.block;
  const chosen = await desk.askPasteForm(reading.forms);
  return reading.forms.find(({ form }) => form === chosen)?.block ?? null;
}
