/** What a newcomer is told to type, open and press is there. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { bundles } from '../../../esbuild.mjs';
import { inRoot } from '../../../scripts/paths.mjs';

const page = fs.readFileSync(inRoot('CONTRIBUTING.md'), 'utf8');

/** JSON with comments on lines of their own, as VS Code reads it. */
const read = (name: string): unknown =>
  JSON.parse(fs.readFileSync(inRoot('.vscode', name), 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));

interface Launch {
  readonly configurations: readonly {
    readonly name: string;
    readonly program?: string;
    readonly preLaunchTask?: string;
  }[];
  readonly compounds: readonly { readonly name: string; readonly configurations: string[] }[];
}

describe('CONTRIBUTING.md', () => {
  it('names scripts that there are', () => {
    const { scripts } = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const named = [...page.matchAll(/(?:`|^)npm (?:run )?([a-z]+)/gm)].map(([, name = '']) => name);
    assert.ok(named.length > 10);
    for (const name of named) assert.ok(name in scripts, name);
  });

  it('names files and folders that there are', () => {
    const named = [...page.matchAll(/`((?:src|test|scripts|docs|l10n)\/[\w./-]*\w)`/g)]
      .map(([, file = '']) => file)
      .filter((file) => !/\bx\.test/.test(file));
    assert.ok(named.length > 20);
    for (const file of named) assert.ok(fs.existsSync(inRoot(file)), file);
  });

  it('lists what F5 can start', () => {
    const { configurations, compounds } = read('launch.json') as Launch;
    const [, section = ''] = /^## Run and debug$([^]*?)^## /m.exec(page) ?? [];
    const listed = [...section.matchAll(/^\| \*\*([^*]+)\*\*/gm)].map(([, name]) => name);
    const names = configurations.map(({ name }) => name);
    assert.deepEqual(
      listed.toSorted(),
      [...names, ...compounds.map(({ name }) => name)].toSorted(),
    );
    for (const { configurations: of } of compounds)
      for (const name of of) assert.ok(names.includes(name), name);
    const { tasks } = read('tasks.json') as { readonly tasks: readonly { label: string }[] };
    const built = new Set(bundles.map(({ outfile }) => outfile));
    for (const { program, preLaunchTask } of configurations) {
      const file = program?.replace('${workspaceFolder}/', '');
      if (file !== undefined) assert.ok(built.has(file) || fs.existsSync(inRoot(file)), file);
      if (preLaunchTask !== undefined)
        assert.ok(tasks.some(({ label }) => label === preLaunchTask));
    }
  });
});
