import path from 'node:path';
import { build } from 'esbuild';

/** Puts `core.mjs` and its parts into a folder, bundled as users get them. */
export async function bundleCore(folder: string): Promise<void> {
  await build({
    entryPoints: { core: path.resolve('src/core/index.ts') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);",
    },
    logLevel: 'silent',
  });
}
