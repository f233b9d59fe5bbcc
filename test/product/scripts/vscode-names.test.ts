/** How the bundles of the extension hold the API of VS Code. */
import assert from 'node:assert/strict';
import vm from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { vscodeNames } from '../../../scripts/vscode-names.mjs';

/** What two files give that import the API, bundled and run beside `api`, and the bundle's text. */
async function bundled(expression: string, api: object): Promise<{ value: unknown; text: string }> {
  const files: Readonly<Record<string, string>> = {
    first: `import * as vscode from 'vscode'; import second from './second';
      export default [${expression}, second];`,
    second: `import { Uri, window } from 'vscode'; export default [Uri, window];`,
  };
  const sources: Plugin = {
    name: 'sources',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\// }, ({ path }) => ({
        path: path.slice(2),
        namespace: 'sources',
      }));
      bundler.onLoad({ filter: /./, namespace: 'sources' }, ({ path }) => ({
        contents: files[path] ?? '',
      }));
    },
  };
  const { outputFiles } = await build({
    ...{ entryPoints: ['./first'], bundle: true, format: 'cjs', platform: 'node', write: false },
    plugins: [sources, vscodeNames],
  });
  const text = outputFiles[0]?.text ?? '';
  const module = { exports: { default: undefined as unknown } };
  const require = (name: string): object => {
    assert.equal(name, 'vscode');
    return api;
  };
  vm.runInNewContext(text, { module, require });
  return { value: module.exports.default, text };
}

describe('The API of VS Code in a bundle', () => {
  const api = { window: { name: 'window' }, Uri: URL, l10n: { t: String }, lm: undefined };

  it('is loaded once by all files, with the names that they use', async () => {
    const { value, text } = await bundled('vscode.l10n.t, vscode.window', api);
    assert.deepEqual(
      [...(value as object[])].flat(),
      [String, api.window, [api.Uri, api.window]].flat(),
    );
    assert.equal(text.match(/require\("vscode"\)/g)?.length, 1);
    assert.doesNotMatch(text, /TreeItem|workspace/);
  });

  it('lacks what an older VS Code lacks, and nothing else', async () => {
    const { value } = await bundled('vscode.lm, vscode.TreeItem', api);
    assert.deepEqual([...(value as unknown[])].slice(0, 2), [undefined, undefined]);
  });

  it('is a whole where it is used as one', async () => {
    const { value } = await bundled('((all) => all.Uri)(vscode)', api);
    assert.equal((value as unknown[])[0], api.Uri);
  });
});
