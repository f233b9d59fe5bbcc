/** A second client of the local service, as another window would have one. */
import fs from 'node:fs';
import path from 'node:path';
import type { SheetRef } from '../../../src/core/index.ts';
import { Client, silentLogger } from '../../../src/core/index.ts';
import { product } from './product.ts';

export async function localClient(): Promise<Client> {
  const { dataFolder } = await product();
  const announced = JSON.parse(fs.readFileSync(path.join(dataFolder, 'service.json'), 'utf8')) as {
    readonly socketPath: string;
  };
  const apiKey = fs.readFileSync(path.join(dataFolder, 'key'), 'utf8').trim();
  return new Client({
    apiKey,
    socketPath: announced.socketPath,
    logger: silentLogger,
    environment: {},
  });
}

/** Cells of a sheet in one state; the service may write states in either case. */
export async function cellsThatAre(client: Client, ref: SheetRef, status: string): Promise<number> {
  const { status_counts: counts } = await client.tables.operations.statusCounts(ref);
  return Object.entries(counts)
    .filter(([name]) => name.toLowerCase() === status)
    .reduce((sum, [, count]) => sum + count, 0);
}

/** A sheet with `rows` rows of text and a slow computed column, made through the service. */
export async function makeSheet(
  client: Client,
  options: { readonly title: string; readonly rows: number; readonly code?: string },
): Promise<{ readonly tableId: string; readonly sheetId: string; readonly columnId: string }> {
  const { table } = await client.tables.create({
    title: options.title,
    create_default_sheet: false,
  });
  const lines = Array.from({ length: options.rows }, (_, index) => `word ${index}`);
  const started = await client.tables.sheets.createFromFile(table.id, {
    fileName: 'rows.csv',
    content: new TextEncoder().encode(`word\n${lines.join('\n')}\n`),
    title: 'Words',
  });
  for await (const _ of client.tables.imports.watch(table.id, started.operation_id, {
    firstDelayMs: 20,
    maxDelayMs: 100,
  }));
  const ref = { tableId: table.id, sheetId: started.sheet.id };
  const { column } = await client.tables.columns.create(ref, {
    title: 'answer',
    type: options.code === undefined ? 'COUNT' : 'CODE_EXECUTION',
    config:
      options.code === undefined
        ? { source: 'word', type: 'chars' }
        : { language: 'JAVASCRIPT', code: options.code },
  });
  return { ...ref, columnId: column.id };
}
