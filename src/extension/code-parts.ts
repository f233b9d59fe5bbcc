/** What prompts in code need: a file of its own, loaded with the first code that asks for one. */
import * as vscode from 'vscode';
import { CodeFeatures } from './code/features.ts';
import { queryOf, versionUri } from './prompts/address.ts';
import { promptLanguage } from './prompts/schemes.ts';
import { readText } from './prompts/text/read.ts';
import type { App } from './shell/app.ts';

export type { CodeFeatures };

export function makeCodeFeatures(app: App): CodeFeatures {
  const nameIn = (text: string): string | undefined => readText(text, vscode.l10n.t).front?.prompt;
  return new CodeFeatures(app, {
    language: promptLanguage,
    uriOf: versionUri,
    nameIn,
    nameOf: (document) => queryOf(document.uri)?.promptName ?? nameIn(document.getText()),
  });
}
