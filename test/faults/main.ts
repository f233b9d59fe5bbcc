/** Runs the campaigns: main.ts [--minutes N] [name ...], each for so long. */
import { parseArgs } from 'node:util';
import { runScript, say, seconds } from '../../scripts/say.mjs';
import { canaries } from './canaries.ts';
import { clock } from './clock.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { hostileNames } from './hostile-names.ts';
import { hang, hangOnPostgres } from './hang.ts';
import { edits } from './edits.ts';
import { kills } from './kills.ts';
import type { Campaign, Figure } from './load.ts';
import { refuse, reset } from './failing-servers.ts';
import { postgresDisk } from './postgres-disk.ts';
import { slowReaders } from './slow-readers.ts';
import { workers } from './workers.ts';

const campaigns: Readonly<Record<string, Campaign>> = {
  kills,
  workers,
  database,
  disk,
  'postgres-disk': postgresDisk,
  clock,
  edits,
  'slow-readers': slowReaders,
  'hostile-names': hostileNames,
  canaries,
  hang,
  'hang-postgres': hangOnPostgres,
  refuse,
  reset,
};

const rounded = (value: number): string => String(Number(value.toPrecision(4)));

function lineOf({ metric, value, unit, limit }: Figure): string {
  const isOver = limit !== undefined && value > limit;
  const bound = limit === undefined ? '' : ` (at most ${String(limit)}${isOver ? ': MISSED' : ''})`;
  return `    ${metric}: ${rounded(value)} ${unit}${bound}`;
}

await runScript(async () => {
  const { values, positionals } = parseArgs({
    options: { minutes: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const minutes = Number(values.minutes);
  const unknown = positionals.find((name) => !Object.hasOwn(campaigns, name));
  if (!(minutes > 0) || unknown !== undefined) {
    say(`Usage: npm run faults -- [--minutes N] [${Object.keys(campaigns).join('|')} ...]`);
    return 2;
  }
  let failed = 0;
  for (const [name, campaign] of Object.entries(campaigns)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const began = Date.now();
    say(`> ${campaign.name} ...`);
    try {
      const figures = await campaign.run(began + minutes * 60_000);
      const missed = figures.filter(({ value, limit }) => limit !== undefined && value > limit);
      if (missed.length > 0) failed += 1;
      say(figures.map(lineOf).join('\n'));
      say(`< ${campaign.name}: ${missed.length > 0 ? 'FAILED' : 'ok'} (${seconds(began)})`);
    } catch (error) {
      failed += 1;
      say(error instanceof Error ? (error.stack ?? error.message) : String(error));
      say(`< ${campaign.name}: FAILED (${seconds(began)})`);
    }
  }
  return failed > 0 ? 1 : 0;
});
