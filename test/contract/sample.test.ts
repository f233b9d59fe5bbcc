import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as columns from '../../src/api/column.ts';
import * as imports from '../../src/api/import.ts';
import * as operations from '../../src/api/operation.ts';
import * as rows from '../../src/api/row.ts';
import * as sheets from '../../src/api/sheet.ts';
import * as tables from '../../src/api/table.ts';
import type { Call } from '../support/contract/conversation.ts';
import { contract } from '../support/contract/description.ts';
import { live } from '../support/contract/live.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { until } from '../support/until.ts';

interface Sample {
  readonly table: string;
  /** The first is the one that is shown. */
  readonly sheets: readonly [SampleSheet, ...SampleSheet[]];
}
interface SampleSheet {
  readonly title: string;
  readonly file: string;
  readonly columns: readonly { title: string; type: string; config: Record<string, unknown> }[];
}
type Cells = Readonly<Record<string, { readonly value: unknown; readonly status: string }>>;

const folder = path.resolve(import.meta.dirname, '../../media/sample');
const {
  table: tableTitle,
  sheets: [sample],
} = JSON.parse(readFileSync(path.join(folder, 'sample.json'), 'utf8')) as Sample;

contract('the sample that the product ships', (description) => {
  const running = live(description);

  it('is imported whole and computed without one failed cell', async () => {
    const call = async (endpoint: Endpoint, sent: Call) =>
      (await running().talk.call(endpoint, sent)).body;
    const made = await call(tables.createTable, {
      body: { title: tableTitle, create_default_sheet: false },
    });
    const table = { table_id: (made['table'] as { id: string }).id };
    const started = await call(sheets.createSheet, {
      params: table,
      body: {
        title: sample.title,
        source: {
          type: 'file',
          file_name: sample.file,
          file_content_base64: readFileSync(path.join(folder, sample.file)).toString('base64'),
        },
      },
    });
    const params = { ...table, sheet_id: (started['sheet'] as { id: string }).id };
    const operation_id = String(started['operation_id']);
    await until('the file is imported', async () => {
      const { operation } = await call(imports.getImport, { params: { ...table, operation_id } });
      return (operation as { status: string }).status === 'completed';
    });

    for (const body of sample.columns) await call(columns.createColumn, { params, body });
    // Rows from all over the sheet; the first of them is looked at below.
    const row_ids = Array.from({ length: 100 }, (_, index) => index * 36);
    const queued = await call(operations.createOperation, { params, body: { row_ids } });
    assert.equal(queued['cell_count'], row_ids.length * sample.columns.length);
    await until('all cells are computed', async () => {
      const { pending_count } = await call(operations.listOperations, { params });
      return pending_count === 0;
    });

    const counts = await call(operations.getStatusCounts, { params });
    const { FAILED, STALE } = counts['status_counts'] as Record<string, number>;
    assert.equal(FAILED, 0);
    assert.equal(STALE, (3600 - row_ids.length) * sample.columns.length);
    const page = await call(rows.listRows, { params, query: { limit: '1' } });
    const titles = new Map(
      (page['columns'] as { id: string; title: string }[]).map(({ id, title }) => [title, id]),
    );
    const { cells } = (page['data'] as { cells: Cells }[])[0]!;
    const value = (title: string): unknown => cells[titles.get(title) ?? '']?.value;
    assert.equal(value('word'), 'abandon');
    assert.equal(value('definition'), 'forsake, leave behind');
    assert.equal(value('definition_words'), 3);
    assert.equal(value('circular'), false);
    assert.equal(value('example_uses_word'), true);
    assert.deepEqual(value('first_clause'), ['forsake, leave behind']);
    assert.deepEqual(value('review'), { grade: 5.2, issues: [], score: 1 });
    assert.equal(value('score'), 1);
    assert.equal(value('accepted'), true);
    assert.deepEqual(value('record'), {
      word: 'abandon',
      part_of_speech: 'verb',
      first_clause: ['forsake, leave behind'],
      accepted: true,
    });
  });
});
