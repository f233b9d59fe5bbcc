// The API of VS Code as names of an ES module. Without it esbuild copies the whole API, getter by
// getter, for each of a hundred files that import it: a fifth of what loading the extension takes.
import fs from 'node:fs';
import { inModules } from './paths.mjs';
import { Trouble } from './say.mjs';

const namespace = 'vscode-names';

/** What the API has at runtime: interfaces and types are not there. */
function namesOf() {
  const types = inModules('@types/vscode/index.d.ts');
  const declared =
    /^(?:\t| {4})export (?:abstract )?(?:class|const|enum|function|let|namespace|var) (\w+)/gm;
  const names = new Set(
    [...fs.readFileSync(types, 'utf8').matchAll(declared)].map(([, name]) => name),
  );
  if (!names.has('window') || !names.has('Uri'))
    throw new Trouble(`${types} is not written as expected, so nothing can import vscode.`);
  return [...names];
}

/** @type {import('esbuild').Plugin} */
export const vscodeNames = {
  name: 'vscode-names',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ path, namespace: importer }) =>
      importer === namespace ? { path, external: true } : { path, namespace },
    );
    // Pure, so that a bundle holds the names that it uses.
    build.onLoad({ filter: /./, namespace }, () => ({
      contents: [
        `const api = require('vscode');`,
        'const read = (name) => api[name];',
        ...namesOf().map((name) => `export const ${name} = /* @__PURE__ */ read('${name}');`),
      ].join('\n'),
      loader: 'js',
    }));
  },
};
