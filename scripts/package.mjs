// npm run package: prompt-tables-<version>.vsix.
import { ensure } from './ensure.mjs';
import { packageExtension } from './package-extension.mjs';
import { runScript } from './say.mjs';

await runScript(async () => {
  await ensure();
  await packageExtension();
});
