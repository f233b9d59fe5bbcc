import type { FileFault, ForeignKind } from '../../core/imports/import-error.ts';
import type { Remark } from '../../core/imports/table.ts';
import type { Translate } from '../shell/translate.ts';
import type { SentFault } from './task.ts';

export interface Words {
  readonly t: Translate;
  readonly number: (value: number) => string;
}

/** `record 3, line 4, byte 9`, as far as it is known. */
function placeText({ record, line, byte }: Omit<FileFault, 'kind'>, { t, number }: Words): string {
  return [
    ...(record === undefined ? [] : [t('record {0}', number(record))]),
    ...(line === undefined ? [] : [t('line {0}', number(line))]),
    ...(byte === undefined ? [] : [t('byte {0}', number(byte))]),
  ].join(', ');
}

/** What is wrong with a file, where, and what to do. */
export function faultText({ message, fault }: SentFault, words: Words): string {
  const { t, number } = words;
  const place = placeText(fault, words);
  switch (fault.kind) {
    case 'bytes':
      return t(
        "The file isn't valid {0} text ({1}). Select the encoding of the file.",
        fault.encoding,
        place,
      );
    case 'wide':
      return t(
        'A record has {0} fields, but there are {1} columns ({2}). Check the delimiter and the quotes.',
        ...[number(fault.fields), number(fault.columns), place],
      );
    case 'open-quote':
      return t(
        'A quote opens at {0} and is never closed. Select another quote character, or None.',
        place,
      );
    case 'long-record':
      return t('A record is longer than 20 MB ({0}). Check the delimiter and the quotes.', place);
    case 'json':
      return place === ''
        ? t("The file isn't valid JSON. {0}", fault.reason)
        : t("The file isn't valid JSON ({0}). {1}", place, fault.reason);
    case 'too-large':
      return t(
        'The upload is larger than {0} MB. Select fewer columns, or split the file.',
        number(fault.megabytes),
      );
    case 'cut-short':
      return t('The file became shorter while it was being read.');
    case 'memory':
      return t(
        'The file needs more memory than {0} MB. Save it as CSV, or split it.',
        number(fault.megabytes),
      );
    case 'foreign':
      return foreignText(fault.what, t);
    case 'two-delimiters':
      return t(
        'The fields could be separated by {0} or by {1}: both give {2} columns. Select the delimiter.',
        ...[fault.one, fault.other, number(fault.columns)],
      );
    case 'csv':
      return t("The file isn't valid CSV ({0}). {1}", place, fault.reason);
    case 'long-item':
    case 'no-array':
    case 'no-keys':
      return jsonText(fault, words);
    case 'no-sheets':
    case 'empty-sheet':
    case 'large-part':
    case 'large-book':
    case 'encrypted':
    case 'no-workbook':
    case 'broken-cell':
      return workbookText(fault, words);
    case 'repeated-key':
      return t(
        "A value has the key {0} twice, which JSON can't hold ({1}).",
        JSON.stringify(fault.key),
        place,
      );
    case 'locked-parquet':
    case 'parquet':
    case 'large-group':
    case 'missing-rows':
      return parquetText(fault, words);
    case 'empty':
      return t('The file is empty.');
    case 'other':
      return place === '' ? message : `${message} (${place})`;
  }
}

type Fault<Kind extends FileFault['kind']> = Extract<FileFault, { readonly kind: Kind }>;

function jsonText(
  fault: Fault<'long-item' | 'no-array' | 'no-keys'>,
  { t, number }: Words,
): string {
  switch (fault.kind) {
    case 'long-item':
      return t(
        'Item {0} of the JSON array is longer than {1} MB.',
        number(fault.record ?? 1),
        number(fault.megabytes),
      );
    case 'no-array':
      return t('A JSON file must hold an array of objects, one for each row.');
    case 'no-keys':
      return t('The JSON file has no object with a key.');
  }
}

type WorkbookKind =
  | 'no-sheets'
  | 'empty-sheet'
  | 'large-part'
  | 'large-book'
  | 'encrypted'
  | 'no-workbook'
  | 'broken-cell';

function workbookText(fault: Fault<WorkbookKind>, { t, number }: Words): string {
  switch (fault.kind) {
    case 'no-sheets':
      return t('The workbook has no sheets.');
    case 'empty-sheet':
      return t('The sheet "{0}" is empty.', fault.sheet);
    case 'large-part':
      return t(
        'The workbook has parts of more than {0} MB. Save the sheet as CSV.',
        number(fault.megabytes),
      );
    case 'large-book':
      return t(
        'The workbook is larger than {0} MB. Save the sheet as CSV, which can have 100 MB.',
        number(fault.megabytes),
      );
    case 'encrypted':
      return t('The workbook is encrypted. Save it without a password and import it again.');
    case 'no-workbook':
      return t("The file isn't a complete Excel workbook (.xlsx): {0}", fault.reason);
    case 'broken-cell':
      return t(
        'Cell {0} of the sheet "{1}" is damaged ({2}). Open the workbook in Excel, save it, and import it again.',
        ...[fault.cell, fault.sheet, fault.reason],
      );
  }
}

function parquetText(
  fault: Fault<'locked-parquet' | 'parquet' | 'large-group' | 'missing-rows'>,
  { t, number }: Words,
): string {
  switch (fault.kind) {
    case 'locked-parquet':
      return t('The Parquet file is encrypted. Save it without encryption and import it again.');
    case 'parquet':
      return t("The Parquet file can't be read: {0}", fault.reason);
    case 'large-group':
      return t(
        'A row group of the Parquet file has more than {0} MB. Write the file with smaller row groups.',
        number(fault.megabytes),
      );
    case 'missing-rows':
      return t(
        'The Parquet file should have {0} rows from row {1} on, but has {2}.',
        ...[number(fault.promised), number(fault.record ?? 1), number(fault.found)],
      );
  }
}

function foreignText(what: ForeignKind, t: Translate): string {
  switch (what) {
    case 'utf-32':
      return t('The file is UTF-32 text. Save it as UTF-8 and import it again.');
    case 'xls':
      return t(
        'The file is a workbook of Excel 97-2003 (.xls). Save it as .xlsx and import it again.',
      );
    case 'packed':
      return t('The file is compressed. Unpack it and import what is in it.');
    case 'page':
      return t('The file is a web page. Save the table of it as CSV or .xlsx.');
    case 'other':
      return t('The file is a document, an image or a database, and not a table.');
  }
}

/** What was read otherwise than somebody might think. */
export function remarkText(remark: Remark, words: Words): string {
  const { t, number } = words;
  const { kind, count } = remark;
  const first = placeText(remark, words);
  const many = number(count);
  switch (kind) {
    case 'short':
      return t(
        'Records with fewer fields than columns: {0} (first: {1}). The missing values stay empty.',
        many,
        first,
      );
    case 'extra':
      return t(
        'Records with empty extra fields: {0} (first: {1}). The extra fields are left out.',
        many,
        first,
      );
    case 'backslashes':
      return t(
        'Records that seem to escape quotes with a backslash: {0} (first: {1}). Backslashes and quotes are kept, unless you select escaped quotes under Quotes.',
        many,
        first,
      );
    case 'error-value':
      return t(
        'Cells with an Excel error such as #N/A: {0} (first: {1}). The error is kept as text.',
        many,
        first,
      );
    case 'rounded':
      return t(
        'Numbers with more than 15 digits: {0} (first: {1}). Excel may have rounded them.',
        many,
        first,
      );
    case 'early-date':
      return t(
        'Dates in 1900 or 1904: {0} (first: {1}). In Excel they may be durations of more than a day.',
        many,
        first,
      );
    case 'no-result':
      return t(
        'Formulas without a value: {0} (first: {1}). Open the file in Excel and save it to compute them.',
        many,
        first,
      );
    case 'not-a-number':
      return t('NaN or infinite values: {0} (first: {1}). They are kept as text.', many, first);
    case 'binary':
      return t('Binary values: {0} (first: {1}). They are kept as Base64.', many, first);
    case 'merged':
      return t('Merged areas: {0}. The value goes into the first cell of each.', many);
    case 'blank':
      return t('Blank rows: {0} (first: {1}). They are skipped.', many, first);
  }
}
