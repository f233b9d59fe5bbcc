import assert from 'node:assert/strict';
import { importFile, ImportOperation, isImportFinished } from '../../../src/api/import.ts';
import { createSheet } from '../../../src/api/sheet.ts';
import * as sample from './samples.ts';

const statusOf = (status: string): string =>
  ImportOperation.parse({ ...sample.importOperation, status }).status;

describe('import operation', () => {
  it('reads both published vocabularies', () => {
    assert.equal(statusOf('succeeded'), 'completed');
    assert.equal(statusOf('COMPLETED'), 'completed');
    assert.equal(statusOf('queued'), 'pending');
    assert.equal(statusOf('pending'), 'pending');
    assert.equal(statusOf('Running'), 'running');
    assert.equal(statusOf('canceled'), 'cancelled');
    assert.equal(statusOf('validating'), 'validating');
  });

  it('is finished in the three final states only', () => {
    assert.deepEqual(
      ['pending', 'running', 'completed', 'failed', 'cancelled', 'validating'].filter(
        isImportFinished,
      ),
      ['completed', 'failed', 'cancelled'],
    );
  });
});

describe('import requests', () => {
  const file = { file_name: 'a.csv', file_content_base64: 'YQo=' };
  const accepts = (body: unknown): boolean => importFile.body.safeParse(body).success;

  it('take a CSV file only, into an existing sheet', () => {
    assert.equal(accepts(file), true);
    assert.equal(accepts({ ...file, file_name: 'A.CSV' }), true);
    for (const file_name of ['a.json', '', `${'a'.repeat(252)}.csv`, 'csv']) {
      assert.equal(accepts({ ...file, file_name }), false, file_name.slice(0, 10));
    }
    assert.equal(accepts({ ...file, file_content_base64: '%%%' }), false);
    assert.equal(accepts({ ...file, extra: 1 }), false);
  });

  it('take CSV and JSON files, or request logs, into a new sheet', () => {
    const source = (body: object): boolean => createSheet.body.safeParse({ source: body }).success;
    assert.equal(source({ type: 'file', ...file }), true);
    assert.equal(source({ type: 'file', ...file, file_name: 'a.json' }), true);
    assert.equal(source({ type: 'file', ...file, file_name: 'a.xlsx' }), false);
    assert.equal(source({ type: 'request_logs', request_log_ids: [1] }), true);
    assert.equal(source({ type: 'request_logs', request_log_ids: [0] }), false);
    assert.equal(source({ type: 'elsewhere' }), false);
    assert.equal(createSheet.body.safeParse(undefined).success, true);
  });
});
