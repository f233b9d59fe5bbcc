/**
 * What is done around a sheet, in a real VS Code on a real service: runs with their cost, files,
 * charts, score and versions.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import type { Locator } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { Client } from '../../src/core/index.ts';
import type { SheetPlace } from '../service/support/api.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import {
  anOption,
  answerFile,
  askBy,
  chooseInMenu,
  confirm,
  notification,
  patiently,
  pick,
  pickBy,
  quickInput,
  runCommand,
  screenshot,
  reload,
  treeItem,
  webview,
  type Workbench,
} from '../support/host/workbench.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { closeEditors } from '../support/host/tidy-up.ts';
import { connectedWorkbench } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

const words = ['Zoë', '漢字', '👩‍👩‍👧', '=1+1'];

const prompt = {
  inline: true,
  prompt_template: {
    type: 'chat',
    messages: [
      {
        role: 'user',
        input_variables: ['Word'],
        template_format: 'f-string',
        content: [{ type: 'text', text: 'Say {Word}' }],
      },
    ],
    input_variables: ['Word'],
  },
  metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
};

describe('VS Code: around a sheet', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let provider: FakeProvider;
  let client: Client;
  let sheet: SheetPlace;
  let made = 0;

  before(async () => {
    provider = await startFakeProvider((_, count) => ({
      body: {
        ...{
          id: `c-${String(count)}`,
          object: 'chat.completion',
          created: 1,
          model: 'gpt-4o-mini',
        },
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: `Answer ${String(count)}`, refusal: null },
            finish_reason: 'stop',
          },
        ],
        usage: {
          ...{ prompt_tokens: 1000 * count, completion_tokens: 100 },
          total_tokens: 1000 * count + 100,
        },
      },
    }));
    service = await RunningService.start({
      environment: { OPENAI_API_KEY: 'sk-none', OPENAI_BASE_URL: `${provider.url}/v1` },
    });
    client = new Client({ apiKey: firstKey, baseURL: service.ready.url });
    const { api } = service;
    sheet = await makeWords('Lexicon');
    await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    await pricesOf(sheet, words.length);
    workbench = await connectedWorkbench(service.ready.url ?? '', firstKey);
  });
  beforeEach(async () => {
    await closeEditors(workbench);
    // Folded after a reload.
    const table = treeItem(workbench, /Table Lexicon/);
    await table.waitFor(patiently);
    if ((await table.getAttribute('aria-expanded')) !== 'true') await table.click();
    await treeItem(workbench, /Sheet Words/).waitFor(patiently);
  });
  after(async () => {
    await client.close();
    await service.stop();
    await provider.close();
  });

  /** A sheet "Words" in a table of this title: words, a number that no double holds, and answers. */
  async function makeWords(title: string): Promise<SheetPlace> {
    const { api } = service;
    const made = await api.newSheet();
    await api.expect(200, 'PATCH', made.path.replace(/\/sheets\/.*/, ''), { title });
    await api.expect(200, 'PATCH', made.path, { title: 'Words' });
    await api.expect(200, 'PATCH', `${made.path}/columns/${made.columnId}`, { title: 'Word' });
    await api.expect(200, 'DELETE', `${made.path}/rows`, { row_indices: [0] });
    const number = await client.tables.columns.create(made, { title: 'Number', type: 'TEXT' });
    const row = (word: string): string =>
      `{"${made.columnId}":${JSON.stringify(word)},"${number.column.id}":9007199254740993}`;
    const raw = `{"count":${String(words.length)},"values":[${words.map(row).join(',')}]}`;
    assert.equal((await api.call('POST', `${made.path}/rows`, undefined, { raw })).status, 201);
    await client.tables.columns.create(made, {
      ...{ title: 'Answer', type: 'PROMPT_TEMPLATE' },
      config: { inline_template: prompt, prompt_template_variable_mappings: { Word: 'Word' } },
    });
    await client.tables.scorecards.configure(made, {
      name: 'Quality',
      aggregation: { pass_threshold: 0.8, warn_threshold: 0.6 },
      steps: [
        {
          title: 'has a letter',
          primitive_type: 'REGEX',
          source_column_ids: [made.columnId],
          primitive_config: { regex_pattern: '[a-z]' },
        },
      ],
    });
    return made;
  }
  /** Of a table that no try before has made. */
  const newTitle = (words: string): string => {
    made += 1;
    return `${words} ${made}`;
  };
  async function pricesOf(of: SheetPlace, count: number): Promise<void> {
    await until(`${count} prices`, async () => {
      const query = { include_execution_metadata_aggregates: true };
      const { aggregates } = await client.tables.rows.page(of, query);
      return (aggregates?.sheet.by_metric['price']?.count ?? 0) >= count;
    });
  }

  const view = () => webview(workbench);
  const dialog = (): Locator => workbench.page.locator('.monaco-dialog-box');
  const onSheet = (entry: string): Promise<void> =>
    chooseInMenu(workbench, treeItem(workbench, /Sheet Words/), entry, {
      asks: entry.startsWith('Export'),
    });
  const openRow = (): Promise<void> =>
    view()
      .getByRole('button', { name: /^Open row/ })
      .first()
      .click(patiently);
  const fileAt = (name: string): string => path.join(workbench.host.workspace, name);

  /** Does it again when nothing has come of it: a slow window loses a click or a key. */
  const repeat = async (
    act: () => Promise<void>,
    isDone: () => boolean | Promise<boolean>,
  ): Promise<void> => {
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await act();
      for (let look = 0; look < 60; look += 1) {
        if (await isDone()) return;
        await workbench.page.waitForTimeout(100);
      }
    }
    assert.fail('Nothing came of it, four times.');
  };

  /** Answers the questions of an export and waits until the file is there. */
  const exportAs = async (
    kind: RegExp,
    name: string,
    boxes: readonly RegExp[] = [],
  ): Promise<Buffer> => {
    // Of a first try: VS Code would ask about it.
    fs.rmSync(fileAt(name), { force: true });
    await pick(workbench, kind);
    // What is below the pointer explains itself, over the entry that is wanted next.
    await workbench.page.mouse.move(0, 0);
    await quickInput(workbench).getByText('Status and error of each cell').waitFor();
    for (const box of boxes) await quickInput(workbench).getByText(box).first().click();
    await screenshot(workbench, `export-options-${path.extname(name).slice(1)}`);
    // The path that is proposed tells that this is the question for the file.
    const input = quickInput(workbench).locator('input[type=text]');
    await repeat(
      () => quickInput(workbench).getByRole('button', { name: 'OK' }).click(),
      async () => (await input.inputValue()).includes('/'),
    );
    await answerFile(workbench, fileAt(name));
    // A file is whole or not there. Its notification may be gone again before it is looked for.
    await until(
      () => `${name} is among ${fs.readdirSync(workbench.host.workspace).join(', ')}`,
      () => fs.existsSync(fileAt(name)),
    );
    const left = fs.readdirSync(workbench.host.workspace).filter((file) => file.endsWith('.part'));
    assert.deepEqual(left, []);
    return fs.readFileSync(fileAt(name));
  };

  it('says before a run what it should cost, and that this is not known yet', async () => {
    const title = newTitle('Never run');
    const fresh = await makeWords(title);
    await pickBy(workbench, 'Prompt Tables: Run Column…', new RegExp(`^${title}`));
    await pick(workbench, /Words/);
    await pick(workbench, /Answer/);
    await pick(workbench, /Stale cells/);
    await dialog().getByText('Answer: cost unknown, no cell has a cost yet').waitFor();
    await screenshot(workbench, 'run-cost-unknown');
    await confirm(workbench, /^Run/);
    await pricesOf(fresh, words.length);
  });

  it('counts with the mean price so far, and asks once more beyond the budget', async () => {
    await pickBy(workbench, 'Prompt Tables: Run Column…', /^Lexicon/);
    await pick(workbench, /Words/);
    await pick(workbench, /Answer/);
    await pick(workbench, /All cells/);
    await dialog()
      .getByText(/Answer: 4 × \$0\.\d+, the mean of 4 cells so far/)
      .waitFor();
    await dialog()
      .getByText(/Estimated cost: about \$0\.\d+/)
      .waitFor();
    await screenshot(workbench, 'run-estimate');
    await confirm(workbench, /^Run/);
    await dialog().getByText('This run exceeds your budget of $0.0001.').waitFor();
    await screenshot(workbench, 'run-over-budget');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
  });

  it('writes Excel, Parquet and CSV files that others can read', async () => {
    await onSheet('Export Sheet…');
    const rows = await readSheet(await exportAs(/^Excel/, 'words.xlsx'), { trim: false });
    assert.deepEqual(rows[0], ['Word', 'Number', 'Answer']);
    assert.deepEqual(
      rows.slice(1).map(([word]) => word),
      words,
    );
    assert.equal(rows[1]?.[1], '9007199254740993');
    assert.match(String(rows[1][2]), /^Answer \d/);

    await onSheet('Export Sheet…');
    const parquet = await exportAs(/^Parquet/, 'words.parquet');
    const objects = await parquetReadObjects({ file: new Uint8Array(parquet).buffer });
    assert.deepEqual(
      objects.map(({ Word }) => Word as unknown),
      words,
    );
    assert.equal(objects[0]?.['Number'], 9007199254740993n);

    await onSheet('Export Sheet…');
    const csv = (
      await exportAs(/^CSV with semicolons/, 'words.csv', [/Byte order mark/])
    ).toString();
    assert.match(csv, /^\uFEFFWord;Number;Answer\r\nZoë;9007199254740993;Answer \d\r\n/);
    assert.match(csv, /\r\n'=1\+1;9007199254740993;/);
  });

  it('writes what is selected in the grid', async () => {
    await treeItem(workbench, /Sheet Words/).click();
    const cell = view().getByRole('gridcell', { name: /漢字/ }).first();
    const summary = view().getByRole('contentinfo', { name: 'Sheet summary' });
    await summary.getByText(/p50 \d+(\.\d+)? m?s/).waitFor(patiently);
    await summary.getByText(/p95 \d+(\.\d+)? m?s/).waitFor();
    // All rows are loaded, and nothing is below zero.
    assert.equal(await summary.getByText(/rows loaded|below zero/).count(), 0);
    await screenshot(workbench, 'grid-percentiles');
    await cell.click();
    await askBy(workbench, 'Prompt Tables: Export Selected Cells…', anOption(/^JSON Lines/));
    const text = (await exportAs(/^JSON Lines/, 'chosen.jsonl')).toString();
    assert.equal(text, '{"Word":"漢字"}\n');
  });

  it('draws charts of what was read', async () => {
    await onSheet('Show Sheet Charts…');
    await view().getByText('4 of 4 cells have a latency.').waitFor(patiently);
    await view().getByText('4 of 4 rows read').waitFor();
    await view().getByRole('tab', { name: 'Cost' }).click();
    const facts = view().getByRole('table', { name: 'Cost of each column in numbers' });
    await facts.getByRole('row', { name: /Answer 4 of 4 \$0/ }).waitFor();
  });

  it('calculates the score, reads versions, opens a row that failed, and comes back after a reload', async () => {
    await client.tables.versions.create(sheet, { name: 'first' });
    await onSheet('Show Sheet Score…');
    await view().getByRole('button', { name: 'Calculate' }).click(patiently);
    await view().getByText('4 of 4 rows have a score').waitFor(patiently);
    await view().locator('.big').getByText('0.25').waitFor();
    await view()
      .getByRole('row', { name: /has a letter 0\.25 4/ })
      .waitFor();
    await view().getByText('Rows: 4.').waitFor(patiently);
    await view().getByRole('tab', { name: 'Versions' }).click();
    await view()
      .getByRole('table', { name: 'Saved versions in numbers' })
      .getByRole('row', { name: /^#\d first .* 4 of 4 4 of 4 \$0/ })
      .first()
      .waitFor(patiently);
    await view().getByRole('tab', { name: 'Score' }).click();
    await reload(workbench, '"tab":"score"');
    await view().getByText('4 of 4 rows have a score').waitFor(patiently);
    await openRow();
    await view().getByRole('gridcell', { name: /漢字/ }).first().waitFor(patiently);
  });

  it('says when the row is left out by the filter of the grid, and shows all rows', async () => {
    await client.tables.scorecards.recalculate(sheet, {});
    await treeItem(workbench, /Sheet Words/).click();
    await view().getByRole('gridcell', { name: /漢字/ }).first().waitFor(patiently);
    await runCommand(workbench, 'Prompt Tables: Filter and Sort Rows…');
    const bar = view().getByRole('group', { name: 'Filter and sort rows' });
    await bar.getByRole('combobox', { name: 'Column' }).selectOption({ label: 'Any column' });
    await bar.getByRole('textbox', { name: 'Value' }).fill('Zoë');
    await bar.getByRole('button', { name: 'Apply', exact: true }).click();
    await view().getByRole('gridcell', { name: /漢字/ }).waitFor({ state: 'detached' });
    await onSheet('Show Sheet Score…');
    await openRow();
    const left = notification(workbench, /The row with the index 2 is not shown/);
    await left.waitFor(patiently);
    await screenshot(workbench, 'score-row-left-out');
    await left.getByRole('button', { name: 'Show all rows' }).click();
    await view().getByRole('gridcell', { name: /漢字/ }).first().waitFor(patiently);
  });

  it('compares a saved version with the sheet as it is now', async () => {
    const title = newTitle('Changed');
    const changed = await makeWords(title);
    await client.tables.versions.create(changed, { name: 'first' });
    const { items } = await client.tables.rows.page(changed);
    const { id } = items[0]?.cells[changed.columnId] ?? {};
    const second = items[1]?.row_index;
    assert.ok(id !== undefined && second !== undefined);
    await client.tables.cells.update(changed, id, { value: 'Zoé' });
    await client.tables.rows.delete(changed, [second]);
    await pickBy(workbench, 'Prompt Tables: Compare Sheet Versions…', new RegExp(`^${title}`));
    await pick(workbench, /Words/);
    await pick(workbench, /first/);
    await pick(workbench, /The sheet as it is now/);
    const editor = workbench.page.locator('.monaco-editor').filter({ hasText: 'Changed cells' });
    await editor.getByText('removed: 1').waitFor(patiently);
    await editor.getByText(/Word.\|.Zoë.\|.Zoé/).waitFor();
    await screenshot(workbench, 'versions-report');
  });
});
