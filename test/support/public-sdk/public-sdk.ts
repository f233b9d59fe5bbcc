/** Installs the public JavaScript client once into .cache/public-sdk, and loads it. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { npmCi } from '../../../scripts/ensure.mjs';
import { cacheDir } from '../../../scripts/paths.mjs';
import { say } from '../../../scripts/say.mjs';

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

const files = ['package.json', 'package-lock.json'] as const;

function wantedKey(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(fs.readFileSync(path.join(import.meta.dirname, file)));
  return hash.digest('hex').slice(0, 16);
}

async function install(target: string): Promise<void> {
  say('Installing the public client into .cache (150 MB, once) ...');
  // Made aside, so that whoever looks finds all of it or nothing.
  const aside = `${target}.${process.pid}`;
  fs.mkdirSync(aside, { recursive: true });
  for (const file of files) {
    fs.copyFileSync(path.join(import.meta.dirname, file), path.join(aside, file));
  }
  await npmCi(aside);
  try {
    fs.renameSync(aside, target);
  } catch (error) {
    // Somebody else was faster.
    if (!fs.existsSync(target)) throw error;
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/** The folder with its `node_modules`. */
export async function installPublicSdk(): Promise<string> {
  const target = path.join(cacheDir, `public-sdk-${wantedKey()}`);
  if (!fs.existsSync(target)) await install(target);
  return target;
}

export async function loadPublicSdk(): Promise<PublicClientClass> {
  const folder = await installPublicSdk();
  const require = createRequire(path.join(folder, 'package.json'));
  const { PromptLayer } = require('promptlayer') as { readonly PromptLayer: PublicClientClass };
  return PromptLayer;
}
