// zod can describe a schema as JSON Schema, which only assistants and the service's own description
// need: 18 KB in every file of the extension, parsed at each start. Where nothing asks for it, what
// would describe is left out, and says so when it is called after all.
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

const files = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;
const names = /^export (?:function|const) (\w+)/gm;
const aliases = /^export \{ \w+ as (\w+) \};/gm;

/** @type {import('esbuild').Plugin} */
export const withoutJsonSchema = {
  name: 'without-json-schema',
  setup(build) {
    build.onLoad({ filter: files }, ({ path: file }) => {
      const text = fs.readFileSync(file, 'utf8');
      const exported = [...text.matchAll(names), ...text.matchAll(aliases)].map(([, name]) => name);
      const refuse =
        "() => { throw new Error('Built without JSON Schema: see scripts/without-json-schema.mjs.'); }";
      return {
        loader: 'js',
        contents: `const refuse = ${refuse};\n${exported
          // The two that each schema is given as methods make the method first.
          .map(
            (name = '') =>
              `export const ${name} = ${name.startsWith('create') ? '() => refuse' : 'refuse'};`,
          )
          .join('\n')}`,
      };
    });
    build.onEnd(({ metafile, errors }) => {
      if (errors.length > 0) return undefined;
      const asking = Object.keys(metafile?.inputs ?? {}).filter(
        (input) =>
          input.startsWith('src/') &&
          fs.readFileSync(inRoot(...input.split(path.posix.sep)), 'utf8').includes('toJSONSchema'),
      );
      return asking.length === 0
        ? undefined
        : {
            errors: [
              {
                text: `${asking.join(', ')} needs JSON Schema, which this bundle is built without.`,
              },
            ],
          };
    });
  },
};
