// npm run service -- --data DIR [...]: runs the local service on its own, without VS Code.
import fs from 'node:fs';
import { buildProduct } from './build.mjs';
import { run } from './child.mjs';
import { ensure } from './ensure.mjs';
import { inRoot } from './paths.mjs';
import { findRuntime } from './runtime.mjs';
import { runScript } from './say.mjs';

await runScript(async () => {
  await ensure();
  if (!fs.existsSync(inRoot('dist', 'service.mjs'))) await buildProduct();
  const { code } = await run(
    findRuntime(),
    [inRoot('dist', 'service.mjs'), ...process.argv.slice(2)],
    {
      cwd: process.cwd(),
    },
  );
  return code;
});
