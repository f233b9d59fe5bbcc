import assert from 'node:assert/strict';
import { getSheet, updateSheet } from '../../../src/api/sheet.ts';
import { createTable, deleteTable, listTables, updateTable } from '../../../src/api/table.ts';
import { createVersion, getVersion } from '../../../src/api/version.ts';
import * as sample from './samples.ts';

describe('table requests', () => {
  it('create a default sheet unless told not to', () => {
    assert.equal(createTable.body.parse({})?.create_default_sheet, true);
    assert.equal(createTable.body.parse(undefined), undefined);
    assert.equal(
      createTable.body.parse({ create_default_sheet: false })?.create_default_sheet,
      false,
    );
    assert.equal(createTable.body.safeParse({ create_default_sheet: 'no' }).success, false);
  });

  it('tell "no folder" (null) from "folder unchanged" (absent)', () => {
    assert.equal(updateTable.body.parse({ folder_id: null }).folder_id, null);
    assert.equal('folder_id' in updateTable.body.parse({ title: 'T' }), false);
  });

  it('trim titles', () => {
    assert.equal(createTable.body.parse({ title: '  T  ' })?.title, 'T');
  });

  it('filter lists by integers', () => {
    assert.equal(listTables.query.parse({ folder_id: '12' }).folder_id, 12);
    assert.equal(listTables.query.safeParse({ folder_id: 'home' }).success, false);
  });

  it('accept a deletion without a body (204)', () => {
    assert.equal(deleteTable.answer.parse(undefined), undefined);
    assert.deepEqual(deleteTable.answer.parse({ success: true }), { success: true });
  });
});

describe('sheet requests', () => {
  it('accept an empty change', () => {
    assert.equal(updateSheet.body.safeParse({}).success, true);
    assert.equal(updateSheet.body.safeParse({ index: -1 }).success, false);
    assert.equal(updateSheet.body.safeParse({ index: 0.5 }).success, false);
  });

  it('take UUIDs of any version in paths', () => {
    const ok = { table_id: sample.id, sheet_id: sample.id };
    assert.equal(getSheet.params.safeParse(ok).success, true);
    assert.equal(
      getSheet.params.safeParse({ ...ok, sheet_id: '018f4e5a-7b6c-8d9e-af01-23456789abcd' })
        .success,
      true,
    );
    for (const sheet_id of ['', 'x', `${sample.id}0`, '../rows']) {
      assert.equal(getSheet.params.safeParse({ ...ok, sheet_id }).success, false, sheet_id);
    }
  });
});

describe('version requests', () => {
  const accepts = (body: unknown): boolean => createVersion.body.safeParse(body).success;

  it('need a name or a version to restore', () => {
    assert.equal(accepts({ name: 'v' }), true);
    assert.equal(accepts({ source_version_id: sample.id }), true);
    assert.equal(accepts({ name: 'v', source_version_id: sample.id }), true);
    for (const body of [{}, { name: null }, { name: '' }, { name: 'v', more: 1 }, { name: 7 }]) {
      assert.equal(accepts(body), false, JSON.stringify(body));
    }
    assert.equal(accepts({ name: 'n'.repeat(256) }), false);
  });

  it('answer an object as version, made by a person or a number', () => {
    const read = (created_by: unknown): unknown =>
      getVersion.answer.parse({ version: { ...sample.version, created_by } }).version.created_by;
    assert.equal(read('ada'), 'ada');
    assert.equal(read(7), 7);
    assert.equal(read(null), null);
  });
});
