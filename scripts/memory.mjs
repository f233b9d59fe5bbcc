// npm run memory [-- --minutes N]: the packaged extension in a real VS Code, used for N minutes as
// a person would, and whether its memory stays flat; docs/reliability.md says what it showed.
import { run } from './child.mjs';
import { ensure } from './ensure.mjs';
import { packageExtension } from './package-extension.mjs';
import { inRoot } from './paths.mjs';
import { findRuntime } from './runtime.mjs';
import { runScript } from './say.mjs';

await runScript(async () => {
  await ensure();
  const vsix = await packageExtension();
  const main = inRoot('test', 'memory', 'main.ts');
  const { code } = await run(findRuntime(), [main, '--vsix', vsix, ...process.argv.slice(2)]);
  return code;
});
