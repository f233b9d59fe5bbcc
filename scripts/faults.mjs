// npm run faults [-- --minutes N] [-- name ...]: what `npm test` has no time for. Kills, restarts
// and full disks under load, each for N minutes; docs/reliability.md says what they show.
import { run } from './child.mjs';
import { ensure } from './ensure.mjs';
import { inRoot } from './paths.mjs';
import { findRuntime } from './runtime.mjs';
import { runScript } from './say.mjs';

await runScript(async () => {
  await ensure();
  const main = inRoot('test', 'faults', 'main.ts');
  const { code } = await run(findRuntime(), [main, ...process.argv.slice(2)]);
  return code;
});
