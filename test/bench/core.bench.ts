/**
 * Client side of a row page (100 rows of 20 cells): CPU from the body of the answer to the typed
 * page, as a multiple of decoding and `JSON.parse` alone of the same body.
 */
import { listRows } from '../../src/api/row.ts';
import { parseBytes } from '../../src/core/platform/node.ts';
import { readRowsPage } from '../../src/core/tables/read-rows-page.ts';
import type { PageSpec } from '../support/http/row-page-text.ts';
import { makeRowPageText } from '../support/http/row-page-text.ts';
import type { Figure } from './figure.ts';

const rounds = 40;
const warmUpRounds = 10;
const callsPerRound = 5;

/** CPU milliseconds of one call; each call gets bytes of its own, since parsing uses them up. */
function cpuMs(run: (bytes: Buffer) => unknown, body: Buffer): number {
  const copies = Array.from({ length: callsPerRound }, () => Buffer.from(body));
  const before = process.cpuUsage();
  for (const bytes of copies) run(bytes);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / callsPerRound;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function compare(name: string, spec: PageSpec, limit?: number): Figure[] {
  const body = Buffer.from(makeRowPageText({ rows: 100, columns: 20, ...spec }));
  const alone = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'));
  const core = (bytes: Buffer): unknown => readRowsPage(parseBytes(bytes));
  const schema = (bytes: Buffer): unknown => listRows.answer.safeParse(parseBytes(bytes));
  const times: number[] = [];
  const coreRatios: number[] = [];
  const schemaRatios: number[] = [];
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    // Ratios of neighbours: what else the machine does slows both.
    const time = cpuMs(alone, body);
    const coreTime = cpuMs(core, body);
    const schemaTime = cpuMs(schema, body);
    if (round < 0) continue;
    times.push(time);
    coreRatios.push(coreTime / time);
    schemaRatios.push(schemaTime / time);
  }
  const ratio = median(coreRatios);
  return [
    { metric: `${name}: JSON.parse alone`, value: median(times), unit: 'ms CPU' },
    {
      metric: `${name}: body to typed page`,
      value: ratio,
      unit: 'x',
      ...(limit !== undefined && { limit, pass: ratio <= limit }),
    },
    { metric: `${name}: the same through the schema`, value: median(schemaRatios), unit: 'x' },
  ];
}

export const name = 'core: a page of 100 rows x 20 cells against JSON.parse';

export function run(): Figure[] {
  return [
    ...compare('plain', { exactNumbers: 'none' }, 1.75),
    ...compare('5 exact numbers', { exactNumbers: 'few' }, 1.9),
    ...compare('a column of exact numbers', { exactNumbers: 'column' }, 1.9),
    // Not pages that occur, but they show what a single number costs.
    ...compare('an exact number in every cell', { exactNumbers: 'all' }),
    ...compare('a 17 digit double in every cell', { exactNumbers: 'doubles' }),
  ];
}
