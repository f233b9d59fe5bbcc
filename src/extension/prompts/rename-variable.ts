import * as vscode from 'vscode';
import { ConfigurationError } from '../../core/errors.ts';
import type { Place } from './text/front-matter.ts';
import { readText } from './text/read.ts';
import type { TextEdit } from './text/rename.ts';
import { renameVariable, variableAt } from './text/rename.ts';

/** The variable at a place of a prompt document. */
export const variableIn = (
  text: string,
  offset: number,
): (Place & { readonly name: string }) | undefined =>
  variableAt(readText(text, vscode.l10n.t), offset);

/** Errors: why it can't be called that. */
export function renameIn(
  text: string,
  names: { readonly before: string; readonly after: string },
): readonly TextEdit[] {
  const renaming = renameVariable(text, names, vscode.l10n.t);
  if ('refused' in renaming) throw new ConfigurationError(renaming.refused);
  return renaming.edits;
}
