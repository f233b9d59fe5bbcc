/** What prompts in code need: a file of its own, loaded with the first code that asks for one. */
import { CodeFeatures } from './code/features.ts';
import { queryOf, versionUri } from './prompts/address.ts';
import { promptLanguage } from './prompts/schemes.ts';
import type { App } from './shell/app.ts';

export type { CodeFeatures };

export function makeCodeFeatures(app: App): CodeFeatures {
  // What reads prompt documents is large, and there already where one is open.
  const nameIn = async (text: string): Promise<string | undefined> =>
    (await import('./prompt-parts.ts')).promptNameIn(text);
  return new CodeFeatures(app, {
    language: promptLanguage,
    uriOf: versionUri,
    nameIn,
    nameOf: async (document) => queryOf(document.uri)?.promptName ?? nameIn(document.getText()),
  });
}
