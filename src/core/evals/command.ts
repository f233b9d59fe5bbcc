import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Client } from '../client.ts';
import { sheetNamed, tableNamed } from '../tables/find.ts';
import type { SheetRef } from '../tables/ref.ts';
import type { Tables } from '../tables/tables.ts';
import { findChecks, judgeSheet, runSheet } from './evaluate.ts';
import { junitReport, reasonOf } from './junit.ts';
import type { RowResult } from './verdict.ts';

export const usage = `Usage: node dist/evals.mjs --table NAME --sheet NAME [options]

Runs the stale cells of a sheet, then evaluates each row by its Boolean columns
and by similarities. The key comes from PROMPTLAYER_API_KEY, the address
from PROMPTLAYER_BASE_URL or --socket.

  --table NAME        title or id of the table
  --sheet NAME        title or id of the sheet
  --check TITLE       a column to evaluate by, numeric ones too; may be repeated
                      (default: those named above)
  --threshold N       the lowest score that passes (default 0.8)
  --run stale|all|none  which cells to run first (default stale)
  --min-pass-rate N   share of the evaluated rows that must pass, 0 to 1 (default 1)
  --junit FILE        writes a JUnit report
  --socket PATH       socket of a local service

Exit codes: 0 enough rows pass, 1 too few pass, 2 it could not be found out.`;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface CommandOptions {
  readonly table: string;
  readonly sheet: string;
  readonly checks: readonly string[] | undefined;
  readonly threshold: number;
  readonly scope: 'stale' | 'all' | 'none';
  readonly passRate: number;
  readonly junit: string | undefined;
  readonly socketPath: string | undefined;
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`--${name} takes a number, not "${text}".`);
}

export function readImportRequest(args: readonly string[]): CommandOptions {
  const option = { type: 'string' } as const;
  const { values } = (() => {
    try {
      return parseArgs({
        args: [...args],
        options: {
          ...{ table: option, sheet: option, threshold: option, run: option, junit: option },
          ...{ 'min-pass-rate': option, socket: option, check: { ...option, multiple: true } },
        },
      });
    } catch (cause) {
      throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  })();
  const { table, sheet, run: scope = 'stale', check, junit, socket } = values;
  if (table === undefined || sheet === undefined)
    throw new UsageError('Name the table and the sheet.');
  if (scope !== 'stale' && scope !== 'all' && scope !== 'none')
    throw new UsageError(`--run takes stale, all or none, not "${scope}".`);
  const passRate = numberOf('min-pass-rate', values['min-pass-rate'] ?? '1');
  if (passRate < 0 || passRate > 1) throw new UsageError('--min-pass-rate is from 0 to 1.');
  const threshold = numberOf('threshold', values.threshold ?? '0.8');
  return { table, sheet, checks: check, threshold, scope, passRate, junit, socketPath: socket };
}

async function addressOf(tables: Tables, commandOptions: CommandOptions): Promise<SheetRef> {
  const table = await tableNamed(tables, commandOptions.table);
  const sheet = await sheetNamed(tables, table.id, commandOptions.sheet);
  return { tableId: table.id, sheetId: sheet.id };
}

export interface CommandEnvironment {
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Answers whether enough rows pass. */
export async function evaluate(
  commandOptions: CommandOptions,
  { print, signal }: CommandEnvironment,
): Promise<{ readonly isPassed: boolean }> {
  const began = performance.now();
  const client = new Client({ socketPath: commandOptions.socketPath });
  try {
    const { tables } = client;
    const ref = await addressOf(tables, commandOptions);
    const judging = { checks: commandOptions.checks, threshold: commandOptions.threshold, signal };
    const { checks } = await findChecks(tables, ref, judging);
    print(`Evaluated by: ${checks.map(({ title }) => title).join(', ') || 'nothing yet'}`);
    if (commandOptions.scope !== 'none')
      await runSheet(tables, ref, { scope: commandOptions.scope, signal });
    const rows: RowResult[] = [];
    for await (const row of judgeSheet(tables, ref, judging)) {
      rows.push(row);
      if (row.verdict === 'fail' || row.verdict === 'error') {
        print(`${row.verdict} row ${String(row.rowNumber)} ${row.label}\n  ${reasonOf(row)}`);
      }
    }
    const seconds = (performance.now() - began) / 1000;
    if (commandOptions.junit !== undefined) {
      await writeFile(
        commandOptions.junit,
        junitReport(`${commandOptions.table} / ${commandOptions.sheet}`, rows, seconds),
      );
    }
    const judged = rows.filter(({ verdict }) => verdict !== 'skipped').length;
    const passed = rows.filter(({ verdict }) => verdict === 'pass').length;
    print(
      `${String(passed)} of ${String(judged)} rows pass, ${String(rows.length - judged)} skipped`,
    );
    const halves = rows.filter(({ cutOff }) => cutOff.length > 0);
    if (halves.length > 0) {
      const numbers = halves.slice(0, 10).map(({ rowNumber }) => String(rowNumber));
      const more = halves.length > numbers.length ? ', …' : '';
      print(
        `${String(halves.length)} rows hold answers that were cut off at their limit of tokens: ${numbers.join(', ')}${more}`,
      );
    }
    return { isPassed: judged > 0 && passed / judged >= commandOptions.passRate };
  } finally {
    await client.close();
  }
}
