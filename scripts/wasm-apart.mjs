// QuickJS comes as a WebAssembly module that stands in JavaScript, as text of half its characters
// escaped. As a compressed file beside the chunks it takes 200 KB of the .vsix in place of 270.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { Trouble } from './say.mjs';

const file = 'quickjs.wasm.br';
const inText = /\bca\((`(?:[^`\\]|\\.)*`)\)/s;

/** As the module itself reads it. @param {string} text */
const bytesOf = (text) =>
  Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return (~code >> 8) & code;
  });

/**
 * @param {string} folder below the build's own, where its chunks lie
 * @returns {import('esbuild').Plugin}
 */
export const wasmApart = (folder) => ({
  name: 'wasm-apart',
  setup(build) {
    const { absWorkingDir = '', outdir = '' } = build.initialOptions;
    build.onLoad({ filter: /\/quickjs-singlefile-\S+\/emscripten-module-\w+\.mjs$/ }, (args) => {
      const source = fs.readFileSync(args.path, 'utf8');
      const literal = inText.exec(source)?.[1];
      // A literal of our own dependency, without any expression inside.
      const text = literal === undefined ? '' : /** @type {string} */ ((0, eval)(literal));
      const bytes = bytesOf(text);
      if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== '\0asm')
        throw new Trouble(`${args.path} does not hold its WebAssembly as expected.`);
      const out = path.resolve(absWorkingDir, outdir, folder);
      fs.mkdirSync(out, { recursive: true });
      fs.writeFileSync(path.join(out, file), zlib.brotliCompressSync(bytes));
      const read = `require2("node:zlib").brotliDecompressSync(require2("node:fs").readFileSync(new URL("./${file}", import.meta.url)))`;
      return { loader: 'js', contents: source.replace(inText, () => `new Uint8Array(${read})`) };
    });
  },
});
