/** Installs promptfoo once into .cache: too much to have among the packages of the project. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run } from '../../../scripts/child.mjs';
import { npmCi } from '../../../scripts/ensure.mjs';
import { cacheDir } from '../../../scripts/paths.mjs';
import { say, Trouble } from '../../../scripts/say.mjs';

const files = ['package.json', 'package-lock.json'] as const;
const own = (file: string): string => path.join(import.meta.dirname, file);

/** Its database's binding for this machine, which is among the hundreds of optional packages. */
function binding(): string {
  const targets: Readonly<Record<string, string>> = {
    linux: `linux-${process.arch}-gnu`,
    darwin: `darwin-${process.arch}`,
    win32: `win32-${process.arch}-msvc`,
  };
  const name = `@libsql/${targets[process.platform] ?? ''}`;
  const { packages } = JSON.parse(fs.readFileSync(own('package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const version = packages[`node_modules/${name}`]?.version;
  if (version === undefined) throw new Trouble(`promptfoo has no database for ${name}.`);
  return `${name}@${version}`;
}

/** The script that is its command line. */
export async function installPromptfoo(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(fs.readFileSync(own(file)));
  const target = path.join(cacheDir, `promptfoo-${hash.digest('hex').slice(0, 16)}`);
  if (!fs.existsSync(target)) {
    say('Installing promptfoo into .cache (280 MB, once) ...');
    const aside = `${target}.${String(process.pid)}`;
    fs.mkdirSync(aside, { recursive: true });
    for (const file of files) fs.copyFileSync(own(file), path.join(aside, file));
    await npmCi(aside, ['--omit=optional']);
    const { code } = await run(
      'npm',
      ['install', '--no-save', '--ignore-scripts', '--omit=optional', '--no-audit', binding()],
      { cwd: aside },
    );
    if (code !== 0) throw new Trouble("npm could not install the binding of promptfoo's database.");
    fs.renameSync(aside, target);
  }
  return path.join(target, 'node_modules', 'promptfoo', 'dist', 'src', 'entrypoint.js');
}
