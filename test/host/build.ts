/** Bundles the host suites; `vscode` and mocha are there when they run. */
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { cacheDir, inRoot } from '../../scripts/paths.mjs';

/**
 * `name`: of the run. Each has a folder of its own, since those of `npm test` run side by side.
 * `only`: names of suites; none: all.
 */
export async function buildHostSuites(name: string, only: readonly string[]): Promise<string> {
  const outdir = path.join(cacheDir, 'host-tests', name);
  fs.rmSync(outdir, { recursive: true, force: true });
  const suites = fs
    .readdirSync(inRoot('test', 'host', 'suite'))
    .filter((file) => file.endsWith('.test.ts') && (only.length === 0 || only.includes(file)))
    .map((file) => inRoot('test', 'host', 'suite', file));
  if (suites.length === 0) throw new Error('test/host/suite holds no *.test.ts.');
  await build({
    entryPoints: [inRoot('test', 'host', 'index.ts'), ...suites],
    outdir,
    outbase: inRoot('test', 'host'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return path.join(outdir, 'index.cjs');
}
