// Runs one bench file and leaves its figures in a file: node bench-one.mjs BENCH OUT
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { runScript } from './say.mjs';

await runScript(async () => {
  const [, , bench = '', out = ''] = process.argv;
  const { name, run } = await import(pathToFileURL(bench).href);
  fs.writeFileSync(out, JSON.stringify({ name, figures: await run() }));
});
