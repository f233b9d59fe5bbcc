/** That pages are tested in the colours which VS Code gives them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { openSample } from '../support/host/run-steps.ts';
import { sharedWorkbench } from '../support/host/shared.ts';
import type { Workbench } from '../support/host/workbench.ts';
import { setTheme, webviewFrame } from '../support/host/workbench.ts';
import { inWindows, themeNames, themes, themesFile } from './support/page-themes.ts';

describe('VS Code: themes', function () {
  this.timeout(180_000);
  let workbench: Workbench;

  before(async () => {
    workbench = await sharedWorkbench();
    await openSample(workbench);
  });
  after(() => setTheme(workbench, 'dark'));

  it('are those that pages are tested in', async () => {
    const wanted = [...new Set(themeNames.flatMap((name) => Object.keys(themes[name].variables)))];
    const found: Record<string, Readonly<Record<string, string>>> = {};
    for (const name of themeNames) {
      await setTheme(workbench, inWindows[name]);
      const frame = await webviewFrame(workbench);
      const { variables, kinds } = await frame.evaluate((names) => {
        const { style } = document.documentElement;
        const set = names.filter((one) => style.getPropertyValue(one) !== '');
        return {
          variables: Object.fromEntries(set.map((one) => [one, style.getPropertyValue(one)])),
          kinds: [...document.body.classList],
        };
      }, wanted);
      found[inWindows[name]] = variables;
      for (const kind of themes[name].kinds) assert.ok(kinds.includes(kind), `${name}: ${kind}`);
    }
    if (process.env['WRITE_THEMES'] !== undefined)
      fs.writeFileSync(themesFile, `${JSON.stringify(found, null, 2)}\n`);
    for (const name of themeNames)
      assert.deepEqual(found[inWindows[name]], themes[name].variables, name);
  });
});
