/** Entry inside the extension host, for the VS Code server and for desktop alike: runs every suite beside it. */
import fs from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { timeLimit } from '../support/time-limit.ts';

export async function run(): Promise<void> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: timeLimit(30_000),
    color: false,
    forbidOnly: true,
    reporter: process.env['PROMPT_TABLES_REPORTER'] ?? 'spec',
    grep: process.env['PROMPT_TABLES_GREP'],
  });
  const dir = path.join(__dirname, 'suite');
  for (const file of fs.readdirSync(dir).sort()) {
    if (file.endsWith('.test.cjs')) mocha.addFile(path.join(dir, file));
  }
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve);
  });
  if (failures > 0) throw new Error(`${failures} of the host tests failed.`);
}
