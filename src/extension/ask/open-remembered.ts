import path from 'node:path';
import type * as vscode from 'vscode';
import * as z from 'zod';
import type { RunVariable } from '../../protocol/run.ts';
import { Records } from '../shell/records.ts';
import { Variable } from '../shell/variable-schema.ts';
import { RememberedVariables } from './run-variables.ts';

/** More than the panels send. */
const largest = 256 * 1024 * 1024;

const LongVariables = z.array(Variable);

/** What was typed last for prompts or workflows in this folder; long texts are in files. */
export function openRemembered(
  {
    workspaceState,
    storageUri,
    globalStorageUri,
  }: Pick<vscode.ExtensionContext, 'workspaceState' | 'storageUri' | 'globalStorageUri'>,
  kind: 'prompt' | 'workflow',
): RememberedVariables {
  const folder = storageUri?.fsPath ?? path.join(globalStorageUri.fsPath, 'no-folder');
  const long = new Records<readonly RunVariable[]>(path.join(folder, 'variables'), {
    read: (value) => LongVariables.parse(value),
    lighter: () => [],
    largest,
  });
  return new RememberedVariables(workspaceState, kind, long);
}
