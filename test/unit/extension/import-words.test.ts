import assert from 'node:assert/strict';
import type { FileFault } from '../../../src/core/imports/import-error.ts';
import { fieldsOf, readChoices } from '../../../src/extension/import/fields.ts';
import { faultText } from '../../../src/extension/import/words.ts';
import { english, german, japanese } from './languages.ts';

type Known = Exclude<FileFault['kind'], 'other'>;
/** One of each kind, so that a new one does not compile without; every value has to be seen. */
const faults: {
  readonly [Kind in Known]: Omit<Extract<FileFault, { readonly kind: Kind }>, 'kind'>;
} = {
  bytes: { encoding: '<1>', byte: 7_002 },
  wide: { fields: 7_001, columns: 7_002, record: 7_003 },
  'open-quote': { line: 7_001 },
  'long-record': { line: 7_001 },
  json: { reason: '<1>', line: 7_002 },
  'too-large': { megabytes: 7_001 },
  'cut-short': {},
  memory: { megabytes: 7_001 },
  foreign: { what: 'xls' },
  empty: {},
  csv: { reason: '<1>', record: 7_002 },
  'two-delimiters': { one: '<1>', other: '<2>', columns: 7_003 },
  'long-item': { record: 7_001, megabytes: 7_002 },
  'no-array': {},
  'no-keys': {},
  'no-sheets': {},
  'empty-sheet': { sheet: '<1>' },
  'repeated-key': { key: '<1>', record: 7_002 },
  'locked-parquet': {},
  parquet: { reason: '<1>' },
  'large-group': { megabytes: 7_001 },
  'missing-rows': { record: 7_001, promised: 7_002, found: 7_003 },
  'large-part': { megabytes: 7_001 },
  'large-book': { megabytes: 7_001 },
  encrypted: {},
  'no-workbook': { reason: '<1>' },
  'broken-cell': { sheet: '<1>', cell: '<2>', reason: '<3>' },
};

const valuesIn = (text: string): readonly string[] => (text.match(/<\d>|70\d\d/g) ?? []).sort();

describe('faults of files', () => {
  for (const [kind, values] of Object.entries(faults)) {
    it(`are said in English, German and Japanese, with all values: ${kind}`, () => {
      const fault = { ...values, kind } as FileFault;
      const [en = '', de = '', ja = ''] = [english, german, japanese].map(({ t }) =>
        faultText({ message: 'unused', fault }, { t, number: String }),
      );
      assert.equal(new Set([en, de, ja]).size, 3, en);
      const given = Object.values(values)
        .map(String)
        .filter((value) => value !== 'xls');
      for (const text of [en, de, ja]) assert.deepEqual(valuesIn(text), given.sort(), text);
    });
  }
});

describe('how quotes of a file are read', () => {
  it('is what was chosen, and is shown as that', () => {
    const { t } = english;
    for (const chosen of ['double', 'backslash', 'single', 'none']) {
      const { quote = '?' } = readChoices({ quote: chosen });
      const [field] = fieldsOf({ format: 'delimited', quote }, {}, t).filter(
        ({ name }) => name === 'quote',
      );
      assert.equal(field?.value, chosen);
      assert.ok(field.options.some(({ value }) => value === chosen));
    }
    assert.equal(readChoices({ quote: 'other' }).quote, undefined);
  });
});
