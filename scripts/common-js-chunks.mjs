// The extension, its workers and the local service are one build that shares its chunks, so that no
// package lies in the .vsix twice. esbuild splits ES modules only, which Node and VS Code load slower
// and never at once; what it has split is made CommonJS here, file by file.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { Trouble } from './say.mjs';

/** Entries of Node's own threads and processes may wait at their top level, as only ES modules can. */
const requireBanner =
  "import { createRequire as createRequireForBundle } from 'node:module';const require = createRequireForBundle(import.meta.url);";
const ownAddress = 'ownAddressForBundle';
const loads = /^var (import_\w+) = (require\("(?:\.|node:)[^"]+"\));$/gm;
const getter = /^ {2}([\w$]+): \(\) => ([\w$.]+)(,?)$/gm;
const exported = /^__export\(\w+, \{([^}]*)\}\);$/m;
const names = /\bimport_\w+\b/g;
const addressBanner = `const ${ownAddress} = require('node:url').pathToFileURL(__filename).href;`;

/**
 * A chunk is loaded when something of it is first used, not with everything that may use it: two
 * thirds of what the extension's entry leads to are for later. One that nothing is taken from is loaded
 * at once if it holds a package, which may have to do something; our own modules never do.
 * @param {string} code as esbuild writes CommonJS that is not minified
 * @param {(chunk: string) => boolean} mayAct by the path that is required
 */
function lazily(code, mayAct) {
  /** @type {Map<string, number>} */
  const uses = new Map();
  for (const [name] of code.matchAll(names)) uses.set(name, (uses.get(name) ?? 0) + 1);
  /** @type {Set<string>} */
  const late = new Set();
  const head = code.replace(loads, (line, name, load) => {
    if (uses.get(name) === 1) return mayAct(load.slice(9, -2)) ? line : '';
    late.add(name);
    return `var of_${name}; function get_${name}() { return of_${name} ??= ${load}; }`;
  });
  // In brackets, for what stands behind `new`.
  return head.replace(names, (name) => (late.has(name) ? `(get_${name}())` : name));
}

/**
 * The names of a chunk as plain getters. esbuild's own helpers, which also care for CommonJS of other
 * tools, would stand in each of 200 files: 60 KB of the .vsix, and two calls for each use of a name.
 * @param {string} code
 */
function plainly(code) {
  /** @type {string[]} */
  const names = [];
  const text = code
    .replace(exported, (_, list) => {
      const getters = list.replace(getter, (/** @type {string[]} */ ...[, name, value, end]) => {
        names.push(name ?? '');
        return `  get ${name}() { return ${value}; }${end}`;
      });
      return `module.exports = {${getters}};`;
    })
    .replace(/^module\.exports = __toCommonJS\(\w+\);$/m, '')
    .replace(/__toESM\((require\("\.[^"]+"\))\)/g, '$1');
  return { text, names };
}

/**
 * What an ES module gets of import() is what the chunk exports, default included: Node puts all of it
 * below a default of its own.
 * @param {string} code
 */
const unwrapped = (code) =>
  code.replace(/\bimport\("\.[^"]+\.cjs"\)/g, '$&.then((chunk) => chunk.default)');

/** Never runs: an ES module that imports a chunk looks there for its names. @param {string[]} names */
const hint = (names) =>
  `0 && (module.exports = { ${names.filter((name) => name !== 'default').join(', ')} });\n`;

/**
 * What a chunk is in place of its text when that lies compressed beside it: a fifth smaller than what the
 * .vsix makes of it, for some milliseconds when it is first needed.
 */
const unpacking = `const { readFileSync } = require('node:fs');
const { compileFunction } = require('node:vm');
const { brotliDecompressSync } = require('node:zlib');
const code = brotliDecompressSync(readFileSync(__filename + '.br')).toString();
const names = ['exports', 'require', 'module', '__filename', '__dirname'];
compileFunction(code, names, { filename: __filename })(exports, require, module, __filename, __dirname);
`;

/**
 * For a build with splitting whose files are called .cjs.
 * @param {readonly string[]} modules names of entries that stay ES modules and become .mjs
 * @param {RegExp} [packed] sources that are large and rarely needed: a chunk of nothing else is
 *   compressed when it is minified
 * @returns {import('esbuild').Plugin}
 */
export const commonJsChunks = (modules, packed = /^$/) => ({
  name: 'common-js-chunks',
  setup(build) {
    const { initialOptions, esbuild } = build;
    const { outdir = '', absWorkingDir = '', minify = false, sourcemap, target } = initialOptions;
    const dir = path.resolve(absWorkingDir, outdir);
    const stays = new Set(modules.map((name) => path.join(dir, `${name}.cjs`)));
    const finalName = (/** @type {string} */ file) =>
      stays.has(path.resolve(absWorkingDir, file)) ? file.replace(/\.cjs$/, '.mjs') : file;
    initialOptions.write = false;
    // Only a map that stands in the text is taken on into the next one; what is minified has none.
    if (sourcemap) initialOptions.sourcemap = minify ? false : 'inline';
    // They lie in the checkout, and would be most of what is written and read twice.
    initialOptions.sourcesContent = false;

    /** Names of chunks that hold packages. @type {Set<string>} */
    let ofPackages = new Set();
    const mayAct = (/** @type {string} */ chunk) => ofPackages.has(path.posix.basename(chunk));

    /** Names of chunks that ES modules import. @type {Set<string>} */
    let imported = new Set();

    /** @param {string} text @param {boolean} isModule @param {boolean} isImported */
    async function converted(text, isModule, isImported) {
      const options = { platform: /** @type {const} */ ('node'), ...(target && { target }) };
      const { code, map } = await esbuild.transform(text, {
        ...options,
        format: isModule ? 'esm' : 'cjs',
        logLevel: 'error',
        ...(!minify && { sourcemap: 'external', sourcesContent: false }),
        ...(!isModule && {
          define: { 'import.meta.url': ownAddress },
          // With require() a chunk is there at once, and its names are known without a second look.
          supported: { 'dynamic-import': false },
        }),
        banner: isModule ? requireBanner : text.includes('import.meta.url') ? addressBanner : '',
      });
      if (isModule) {
        const asChunks = unwrapped(code);
        return minify
          ? { code: (await esbuild.transform(asChunks, { ...options, minify })).code, map: '' }
          : { code: asChunks, map };
      }
      const { text: plain, names } = plainly(code);
      const late = lazily(plain, mayAct);
      const final = minify
        ? (await esbuild.transform(late, { ...options, format: 'cjs', minify, treeShaking: true }))
            .code
        : late;
      return { code: isImported ? final + hint(names) : final, map: minify ? '' : map };
    }

    /** Names of chunks that are compressed. @type {Set<string>} */
    let compressed = new Set();

    /** What was written before and is the same need not be made again. @type {Map<string, string>} */
    const written = new Map();

    /** @param {import('esbuild').OutputFile} output */
    async function write(output) {
      // Its text is decoded when it is asked for.
      const { path: file, hash } = output;
      if (written.get(file) === hash) return;
      const { code, map } = await converted(
        output.text,
        stays.has(file),
        imported.has(path.basename(file)),
      );
      const out = finalName(file);
      await fs.promises.mkdir(path.dirname(out), { recursive: true });
      if (minify && compressed.has(path.basename(file))) {
        await fs.promises.writeFile(`${out}.br`, zlib.brotliCompressSync(code));
        const { code: loader } = await esbuild.transform(unpacking, { minify });
        const [names = ''] = /^0 && .*$/m.exec(code) ?? [];
        await fs.promises.writeFile(out, loader + names);
        written.set(file, hash);
        return;
      }
      const link = map === '' ? '' : `//# sourceMappingURL=${path.basename(out)}.map\n`;
      await fs.promises.writeFile(out, code + link);
      if (map !== '') await fs.promises.writeFile(`${out}.map`, map);
      written.set(file, hash);
    }

    build.onEnd(async ({ errors, metafile, outputFiles }) => {
      if (errors.length > 0 || metafile === undefined) return;
      for (const [name, { imports }] of Object.entries(metafile.outputs)) {
        const module = imports.find(({ path: file }) => finalName(file) !== file);
        if (module) throw new Trouble(`${name} needs ${module.path}, which is an ES module.`);
      }
      ofPackages = new Set(
        Object.entries(metafile.outputs)
          .filter(([, { inputs }]) => Object.keys(inputs).some((file) => !file.startsWith('src/')))
          .map(([name]) => path.posix.basename(name)),
      );
      compressed = new Set(
        Object.entries(metafile.outputs)
          .filter(([, { inputs }]) => {
            const files = Object.keys(inputs);
            return files.length > 0 && files.every((file) => packed.test(file));
          })
          .map(([name]) => path.posix.basename(name)),
      );
      imported = new Set(
        Object.entries(metafile.outputs)
          .filter(([name]) => finalName(name) !== name)
          .flatMap(([, { imports }]) => imports.map(({ path: file }) => path.posix.basename(file))),
      );
      await Promise.all((outputFiles ?? []).map(write));
      metafile.outputs = Object.fromEntries(
        Object.entries(metafile.outputs).map(([name, output]) => [finalName(name), output]),
      );
    });
  },
});
