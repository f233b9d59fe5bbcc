import * as vscode from 'vscode';
import * as z from 'zod';
import type { App } from '../shell/app.ts';
import { Choice } from '../shell/choice-schema.ts';
import { plainFileName } from '../shell/plain-text.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { versionOf } from '../shell/prompt-address.ts';
import type { MergeSide } from './merges.ts';
import { mergeSides } from './merges.ts';
import { draftScheme, mergeScheme, versionScheme } from './schemes.ts';

const Query = z.object({
  connectionId: z.string(),
  promptName: z.string(),
  choice: Choice.exactOptional(),
  /** A side of a merge, instead of what the service has. */
  merge: z.object({ id: z.string(), side: z.enum(mergeSides) }).exactOptional(),
});
export type PromptQuery = z.output<typeof Query>;

export const fileNameOf = (name: string): string => plainFileName(name, 120) || 'prompt';

function uriOf(scheme: string, query: PromptQuery, suffix: string): vscode.Uri {
  const name = `${fileNameOf(query.promptName)}${suffix === '' ? '' : ` · ${plainFileName(suffix, 60)}`}`;
  return vscode.Uri.from({ scheme, path: `/${name}.prompt`, query: JSON.stringify(query) });
}

/** Everything to read the prompt again is in the URI, so an editor survives a restart. */
export function versionUri({ connectionId, promptName, choice }: PromptAddress): vscode.Uri {
  const { version, label } = versionOf(choice);
  const suffix = version === undefined ? (label ?? vscode.l10n.t('latest')) : `v${version}`;
  const query = { connectionId, promptName, ...(choice !== undefined && { choice }) };
  return uriOf(versionScheme, query, suffix);
}

export const mergeUri = (
  { connectionId, promptName }: PromptAddress,
  id: string,
  side: MergeSide,
): vscode.Uri =>
  uriOf(
    side === 'result' ? mergeScheme : versionScheme,
    { connectionId, promptName, merge: { id, side } },
    side === 'result' ? vscode.l10n.t('merge') : side,
  );

export const draftUri = ({ connectionId, promptName }: PromptAddress): vscode.Uri =>
  uriOf(draftScheme, { connectionId, promptName }, '');

/** Undefined for a URI that is none of ours. */
export function queryOf(uri: vscode.Uri): PromptQuery | undefined {
  if (![versionScheme, draftScheme, mergeScheme].includes(uri.scheme)) return undefined;
  try {
    return Query.parse(JSON.parse(uri.query));
  } catch {
    // Written by somebody else, or by hand: there is no such document.
    return undefined;
  }
}

type Connection = App['connections']['all'][number];

/** How a file names the workspace of a connection: the same for everybody who has the file. */
export const workspaceOf = (connection: Connection | undefined): string =>
  connection?.kind === 'hosted' ? connection.baseURL : 'local';
