// npm run check: lint, types, dependency rules, unused code, format, contributions.
import { checks } from './checks.mjs';
import { ensure } from './ensure.mjs';
import { findRuntime } from './runtime.mjs';
import { runScript, say } from './say.mjs';
import { closingLine, failedTitles, runSteps } from './steps.mjs';

await runScript(async () => {
  await ensure();
  const counts = await runSteps(checks(findRuntime()), [{ env: {} }, { env: {} }]);
  say(`${failedTitles(counts)}${closingLine(counts)}`);
  return counts.failed > 0 ? 1 : 0;
});
