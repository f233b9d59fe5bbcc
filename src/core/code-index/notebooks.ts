import * as z from 'zod';
import type { CodeLanguage } from './languages.ts';
import { languageOfId } from './languages.ts';
import type { Span } from './tokens.ts';

/** As Jupyter's nbformat 4 has it. Of the rest nothing is needed. */
const Notebook = z.object({
  metadata: z
    .object({
      kernelspec: z.object({ language: z.string().nullish() }).nullish(),
      language_info: z.object({ name: z.string().nullish() }).nullish(),
    })
    .nullish(),
  cells: z.array(
    z.object({ cell_type: z.string(), source: z.union([z.string(), z.array(z.string())]) }),
  ),
});

/** The code cells of a notebook one after the other, as its kernel may run them. */
export interface NotebookCode {
  readonly language: CodeLanguage;
  readonly text: string;
  /** Where a part of `text` stands in the file; the beginning of the file if that is not certain. */
  placeOf(span: Span): Span;
}

interface Piece {
  readonly from: number;
  readonly text: string;
  /** Of its quotation mark in the file; undefined: it is written there in another way. */
  readonly at: number | undefined;
}

/** Commands for the notebook itself (`%pip`, `!ls`) are no Python. */
const withoutCommands = (line: string): string =>
  /^\s*[%!?]/.test(line) ? line.replace(/[^\r\n]/g, ' ') : line;

export const isNotebook = (path: string): boolean => path.toLowerCase().endsWith('.ipynb');

/** Undefined: it is no notebook, or its code is in none of the languages that are known. */
export function codeOfNotebook(file: string): NotebookCode | undefined {
  let given: unknown;
  try {
    given = JSON.parse(file);
  } catch {
    // Half written, or something else: nothing is said of it.
    return undefined;
  }
  const { data } = Notebook.safeParse(given);
  if (data === undefined) return undefined;
  const { metadata, cells } = data;
  const name = metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? 'python';
  const language = languageOfId(name);
  if (language === undefined) return undefined;
  const pieces: Piece[] = [];
  let text = '';
  let searched = 0;
  for (const { cell_type: type, source } of cells) {
    if (type !== 'code') continue;
    for (const piece of typeof source === 'string' ? [source] : source) {
      const found = file.indexOf(JSON.stringify(piece), searched);
      if (found >= 0) searched = found + 1;
      pieces.push({ from: text.length, text: piece, at: found < 0 ? undefined : found });
      text += language === 'python' ? piece.replace(/^.*$/gm, withoutCommands) : piece;
    }
    text += '\n';
  }
  return { language, text, placeOf: (span) => placeIn(pieces, span) };
}

function placeIn(pieces: readonly Piece[], { from, to }: Span): Span {
  const piece = pieces.findLast((one) => one.from <= from);
  if (piece?.at === undefined || to > piece.from + piece.text.length) return { from: 0, to: 0 };
  const { at, text } = piece;
  const offset = (position: number): number =>
    at + JSON.stringify(text.slice(0, position - piece.from)).length - 1;
  return { from: offset(from), to: offset(to) };
}
