// npm run pictures [-- scene ...]: takes the pictures of the documentation from the running product.
import { buildProduct } from './build.mjs';
import { run } from './child.mjs';
import { ensure } from './ensure.mjs';
import { inRoot } from './paths.mjs';
import { findRuntime } from './runtime.mjs';
import { runScript } from './say.mjs';

await runScript(async () => {
  await ensure();
  await buildProduct();
  const main = inRoot('test', 'pictures', 'main.ts');
  const { code } = await run(findRuntime(), [main, ...process.argv.slice(2)]);
  return code;
});
