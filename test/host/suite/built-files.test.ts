/** The files that the extension is shipped with: shared chunks must be there, and each must load. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { extension } from '../support/product.ts';

const dist = (): string => path.join(extension().extensionPath, 'dist');
const inParts = (name: RegExp): string[] =>
  fs
    .readdirSync(path.join(dist(), 'parts'))
    .filter((file) => name.test(file))
    .map((file) => path.join(dist(), 'parts', file));
const programs = (): string[] => [
  ...['extension.cjs', 'import-worker.cjs', 'mcp-server.mjs', 'service.mjs'].map((file) =>
    path.join(dist(), file),
  ),
  ...['worker', 'service-thread', 'statements', 'sandbox', 'sandbox-watchdog'].map((name) =>
    path.join(dist(), 'parts', `${name}.mjs`),
  ),
];
const names = /(?:require\(|import\(|from ?|import ?)"(\.\.?\/[^"]+)"/g;
const taken = /import ?\{([^}]*)\} ?from ?"(\.[^"]+\.cjs)"/g;
const own = /(?:new URL\(|\.join\([^)]*)[`"'](\.?\/?[\w-]+\.[cm]js)[`"']/g;

const isInDist = (place: string): boolean => /[/\\]dist[/\\]/.test(place);

describe('the files of the extension', () => {
  it('name no chunk, thread or program that is not there', () => {
    const files = [...programs(), ...inParts(/\.[cm]js$/)];
    assert.ok(files.length > 50, `${String(files.length)} files`);
    const missing = files.flatMap((file) => {
      const text = fs.readFileSync(file, 'utf8');
      return [...text.matchAll(names), ...text.matchAll(own)]
        .map(([, name = '']) => name)
        .filter((name) => {
          // The extension names its programs by their place in dist.
          const places = [path.dirname(file), dist()].map((folder) => path.resolve(folder, name));
          return places.some(isInDist) && !places.some((place) => fs.existsSync(place));
        })
        .map((name) => `${path.basename(file)}: ${name}`);
    });
    assert.deepEqual(missing, []);
  });

  it('give ES modules every name that they take, which they see as it is at the start', () => {
    const load = createRequire(path.join(dist(), 'extension.cjs'));
    const late = programs()
      .filter((file) => file.endsWith('.mjs'))
      .flatMap((file) =>
        [...fs.readFileSync(file, 'utf8').matchAll(taken)].flatMap(([, list = '', chunk = '']) => {
          const given = load(path.resolve(path.dirname(file), chunk)) as Record<string, unknown>;
          return list
            .split(',')
            .map((name) => name.trim().split(' as ')[0] ?? '')
            .filter((name) => name !== '' && given[name] === undefined)
            .map((name) => `${path.basename(file)}: ${name} of ${chunk}`);
        }),
      );
    assert.deepEqual(late, []);
  });

  it('load, one by one, beside the editor', () => {
    const load = createRequire(path.join(dist(), 'extension.cjs'));
    for (const file of inParts(/-parts-\w+\.cjs$/)) {
      const names_ = Object.keys(load(file) as object);
      assert.ok(names_.length > 0, file);
      // A name leads to the chunk that has it.
      for (const name of names_) assert.ok((load(file) as Record<string, unknown>)[name], name);
    }
  });

  it('are programs that start on the Node of the editor', () => {
    const run = (file: string, ...args: readonly string[]): string => {
      const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
      try {
        return execFileSync(process.execPath, [path.join(dist(), file), ...args], {
          ...{ env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
        });
      } catch (error) {
        return String((error as { readonly stderr?: unknown }).stderr);
      }
    };
    assert.match(run('mcp-server.mjs', '--help'), /^Usage: /);
    assert.match(run('service.mjs'), /--data FOLDER is missing/);
  });
});
