/** What prompts in code need: a file of its own, loaded with the first code that asks for one. */
import { CodeFeatures } from './code/features.ts';
import { queryOf, versionUri } from './prompts/address.ts';
import { promptLanguage } from './prompts/schemes.ts';
import type { App } from './shell/app.ts';

export type { CodeFeatures };

export function makeCodeFeatures(app: App): CodeFeatures {
  // What reads prompt documents is large, and there already where one is open.
  const parts = () => import('./prompt-parts.ts');
  const nameIn = async (text: string): Promise<string | undefined> =>
    (await parts()).promptNameIn(text);
  return new CodeFeatures(app, {
    language: promptLanguage,
    uriOf: versionUri,
    nameIn,
    variableIn: async (text, offset) => (await parts()).variableIn(text, offset),
    renameIn: async (text, names) => (await parts()).renameIn(text, names),
    nameOf: async (document) => queryOf(document.uri)?.promptName ?? nameIn(document.getText()),
  });
}
