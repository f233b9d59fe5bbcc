// Types of dist/core.mjs in one file that needs no other package: what tsc says, zod's types taken in.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run } from './child.mjs';
import { cacheDir, inModules, inRoot } from './paths.mjs';
import { Trouble } from './say.mjs';

const entry = inRoot('.tsbuild', 'core', 'index.d.ts');
const target = inRoot('dist', 'core.d.mts');
const stamp = path.join(cacheDir, 'core-types.txt');

/**
 * Bundles nothing when the declarations are those of the last time.
 * @returns {Promise<string>} what was built
 */
export async function buildTypes() {
  const compiled = await run(
    process.execPath,
    [inModules('typescript-native/bin/tsc'), '-b', 'src/core', '--checkers', '1'],
    { quiet: true },
  );
  if (compiled.code !== 0)
    throw new Trouble(`The types of the core are wrong:\n${compiled.output}`);
  const wanted = declarationsKey();
  const isThere = fs.existsSync(target) && fs.existsSync(stamp);
  if (!isThere || fs.readFileSync(stamp, 'utf8') !== wanted) {
    await bundle();
    fs.mkdirSync(cacheDir, { recursive: true });
    fs.writeFileSync(stamp, wanted);
  }
  fs.writeFileSync(inRoot('dist', 'core.edge.d.mts'), "export * from './core.mjs';\n");
  return `dist/core.d.mts (${(fs.statSync(target).size / 1024).toFixed(0)} KB)`;
}

function declarationsKey() {
  const hash = createHash('sha256').update(fs.readFileSync(inRoot('package-lock.json')));
  for (const folder of ['api', 'core']) {
    const dir = inRoot('.tsbuild', folder);
    for (const file of fs.readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
      if (file.endsWith('.d.ts')) hash.update(file).update(fs.readFileSync(path.join(dir, file)));
    }
  }
  return hash.digest('hex');
}

async function bundle() {
  const [{ rollup }, { default: dts }] = await Promise.all([
    import('rollup'),
    import('rollup-plugin-dts'),
  ]);
  const bundled = await rollup({
    input: entry,
    plugins: [
      dts({
        includeExternal: ['zod'],
        tsconfig: inRoot('src', 'core', 'tsconfig.json'),
        compilerOptions: { composite: false, incremental: false },
      }),
    ],
    onwarn: ({ message }) => {
      throw new Trouble(`The types of the core cannot stand alone: ${message}`);
    },
  });
  await bundled.write({ file: target, format: 'es' });
  await bundled.close();
}
