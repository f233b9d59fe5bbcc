/**
 * The window of this process, connected to a real service: the same for all suites that ask for it.
 * A test makes the sheets that it needs by the service's API, and begins with no editor open.
 */
import type { SheetPlace } from '../../service/support/api.ts';
import { firstKey, RunningService } from '../../service/support/running-service.ts';
import { addDemoPrompts } from '../../support/demo-prompts.ts';
import { atTheEnd } from '../../support/host/shared.ts';
import { closeEditors } from '../../support/host/tidy-up.ts';
import { patiently, pick, pickBy, webview, type Workbench } from '../../support/host/workbench.ts';
import { connectedWorkbench } from './prompt-hands.ts';

export interface Hosted {
  readonly workbench: Workbench;
  readonly service: RunningService;
}

let started: Promise<RunningService> | undefined;

async function start(): Promise<RunningService> {
  const service = await RunningService.start();
  atTheEnd(async () => {
    await service.stop();
  });
  await addDemoPrompts(service.api);
  return service;
}

export async function hosted(): Promise<Hosted> {
  started ??= start();
  const service = await started;
  return { service, workbench: await connectedWorkbench(service.ready.url ?? '', firstKey) };
}

export interface MadeSheet extends SheetPlace {
  /** Ids of its columns by their titles. */
  readonly columns: Readonly<Record<string, string>>;
  /** Of its table; no other one has it. */
  readonly table: string;
}

let made = 0;

/** A sheet "Answers" of texts in a table of its own. */
export async function makeSheet(
  { service: { api } }: Hosted,
  titles: readonly string[],
  rows: readonly (readonly string[])[] = [],
): Promise<MadeSheet> {
  made += 1;
  const table = `Table no. ${made}`;
  const sheet = await api.newSheet();
  const [first = '', ...others] = titles;
  const columns: Record<string, string> = { [first]: sheet.columnId };
  await api.expect(200, 'PATCH', `${sheet.path}/columns/${sheet.columnId}`, { title: first });
  for (const title of others) {
    const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, {
      ...{ title, type: 'TEXT' },
    });
    columns[title] = column.id;
  }
  await api.expect(200, 'PATCH', sheet.path, { title: 'Answers' });
  await api.expect(200, 'PATCH', sheet.path.replace(/\/sheets\/.*/, ''), { title: table });
  if (rows.length > 0) {
    await api.expect(200, 'DELETE', `${sheet.path}/rows`, { row_indices: [0] });
    for (let from = 0; from < rows.length; from += 80) {
      const values = rows
        .slice(from, from + 80)
        .map((row) =>
          Object.fromEntries(titles.map((title, at) => [columns[title] ?? '', row[at] ?? ''])),
        );
      await api.expect(201, 'POST', `${sheet.path}/rows`, { count: values.length, values });
    }
  }
  return { ...sheet, columns, table };
}

/** Opens it by the palette, with no other editor beside it. */
export async function openSheet({ workbench }: Hosted, sheet: MadeSheet): Promise<void> {
  await closeEditors(workbench);
  await pickBy(workbench, 'Prompt Tables: Open Sheet…', new RegExp(`^${sheet.table}(,|$|\\s)`));
  await pick(workbench, /^Answers/);
  const title = Object.keys(sheet.columns).at(-1) ?? '';
  await webview(workbench)
    .getByRole('columnheader', { name: new RegExp(title) })
    .waitFor(patiently);
}
