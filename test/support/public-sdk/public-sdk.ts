/** Loads the public JavaScript client, which is installed once into .cache. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { installPublicSdk } from '../../../scripts/public-sdk.mjs';

/** As much of it as is compared: what it gives is looked at, not trusted to be as it says. */
export interface PublicClient {
  readonly templates: {
    get(name: string, options?: object): Promise<unknown>;
    publish(body: object): Promise<unknown>;
    all(query?: object): Promise<unknown>;
  };
  readonly track: Readonly<
    Record<'metadata' | 'score' | 'prompt' | 'group', (body: object) => Promise<unknown>>
  >;
  readonly group: { create(): Promise<unknown> };
  run(options: object): Promise<unknown>;
  runWorkflow(options: object): Promise<unknown>;
  logRequest(body: object): Promise<unknown>;
  invalidate(name?: string): void;
}

export type PublicClientClass = new (options: object) => PublicClient;

export async function loadPublicSdk(): Promise<PublicClientClass> {
  const folder = await installPublicSdk();
  const require = createRequire(path.join(folder, 'package.json'));
  const { PromptLayer } = require('promptlayer') as { readonly PromptLayer: PublicClientClass };
  return PromptLayer;
}
