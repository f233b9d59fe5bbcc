import { backslashQuotes } from '../../core/imports/csv-options.ts';
import { encodingName, offeredEncodings } from '../../core/imports/encodings.ts';
import type { FileFormat } from '../../core/imports/formats.ts';
import type { ReadChoices, ReadForm } from '../../core/imports/open-file.ts';
import { otherDelimiter, type ImportChoices, type ImportField } from '../../protocol/import.ts';
import type { Translate } from '../shell/translate.ts';

const formats = ['delimited', 'json', 'jsonl', 'xlsx', 'parquet'] as const;
const quotes = { double: '"', backslash: backslashQuotes, single: "'", none: '' } as const;
const delimiters = [',', ';', '\t', '|'] as const;

const oneOf = <Value extends string>(
  values: readonly Value[],
  value: string | undefined,
): Value | undefined => values.find((one) => one === value);

/** What a person has chosen on the page, as the core takes it. What is no choice is none. */
export function readChoices(choices: ImportChoices): ReadChoices {
  const { delimiter: chosen, other = '' } = choices;
  const typed = Array.from(other)[0];
  const delimiter = chosen === otherDelimiter ? typed : oneOf(delimiters, chosen);
  const quote = oneOf(['double', 'backslash', 'single', 'none'], choices['quote']);
  const header = oneOf(['yes', 'no'], choices['header']);
  return {
    format: oneOf(formats, choices['format']),
    encoding: oneOf(offeredEncodings, choices['encoding']),
    // A line end or a quote separates nothing.
    delimiter: delimiter === undefined || /[\r\n"]/.test(delimiter) ? undefined : delimiter,
    quote: quote === undefined ? undefined : quotes[quote],
    hasHeader: header === undefined ? undefined : header === 'yes',
    sheet: choices['sheet'],
  };
}

/** Another delimiter was chosen, and none is typed in. */
const isMissing = (choices: ImportChoices): boolean =>
  choices['delimiter'] === otherDelimiter && readChoices(choices).delimiter === undefined;

const delimiterNames = (t: Translate): Readonly<Record<string, string>> => ({
  ',': t('Comma'),
  ';': t('Semicolon'),
  '\t': t('Tab'),
  '|': t('Vertical bar'),
});

export const delimiterName = (delimiter: string, t: Translate): string =>
  delimiterNames(t)[delimiter] ?? delimiter;

const formatNames = (t: Translate): Readonly<Record<FileFormat, string>> => ({
  delimited: t('Separated values (CSV, TSV)'),
  json: t('JSON (list of objects)'),
  jsonl: t('JSON Lines'),
  xlsx: t('Excel workbook'),
  parquet: t('Parquet'),
});

function encodingField({ encoding }: ReadForm, t: Translate): ImportField[] {
  if (encoding === undefined) return [];
  const about = {
    mark: t('Detected from the byte order mark.'),
    content: t('Detected from the content.'),
    unknown: t("Not UTF-8. Other encodings can't be detected."),
    chosen: '',
  }[encoding.how];
  const options = offeredEncodings.map((value) => ({ value, label: encodingName(value) }));
  const value = encoding.how === 'unknown' ? '' : encoding.value;
  return [{ name: 'encoding', label: t('Encoding'), value, options, about }];
}

function delimiterFields(
  { delimiter }: ReadForm,
  choices: ImportChoices,
  t: Translate,
): ImportField[] {
  if (delimiter === undefined) return [];
  const about = {
    hint: t('Detected: specified in the first line (sep=).'),
    content: t('Detected from the number of fields in the records.'),
    none: t('No delimiter gives every record the same number of fields.'),
    tie: t('More than one delimiter is possible.'),
    chosen: '',
  }[delimiter.how];
  const names = delimiterNames(t);
  const isOther = choices['delimiter'] === otherDelimiter || !(delimiter.value in names);
  const value = isOther ? otherDelimiter : delimiter.how === 'tie' ? '' : delimiter.value;
  const options = [
    ...Object.entries(names).map(([sign, label]) => ({ value: sign, label })),
    { value: otherDelimiter, label: t('Other…') },
  ];
  return [
    { name: 'delimiter', label: t('Delimiter'), value, options, about },
    ...(isOther
      ? [
          {
            name: 'other',
            label: t('Other delimiter'),
            value: isMissing(choices) ? '' : delimiter.value,
            options: [],
            about: '',
          },
        ]
      : []),
  ];
}

function quoteField({ quote }: ReadForm, t: Translate): ImportField[] {
  if (quote === undefined) return [];
  const options = [
    { value: 'double', label: t('Double quotes (")') },
    { value: 'backslash', label: t('Double quotes, escaped with a backslash (\\")') },
    { value: 'single', label: t("Single quotes (')") },
    { value: 'none', label: t('None') },
  ];
  const names = ['double', 'backslash', 'single'] as const;
  const value = names.find((name) => quotes[name] === quote) ?? 'none';
  return [{ name: 'quote', label: t('Quotes'), value, options, about: '' }];
}

function headerField({ hasHeader }: ReadForm, t: Translate): ImportField[] {
  if (hasHeader === undefined) return [];
  const options = [
    { value: 'yes', label: t('Column titles') },
    { value: 'no', label: t('Data') },
  ];
  const value = hasHeader ? 'yes' : 'no';
  return [{ name: 'header', label: t('First row'), value, options, about: '' }];
}

function sheetField({ sheet, sheets = [] }: ReadForm, t: Translate): ImportField[] {
  if (sheet === undefined) return [];
  const options = sheets.map(({ name, isHidden }) => ({
    value: name,
    label: isHidden ? t('{0} (hidden)', name) : name,
  }));
  return [{ name: 'sheet', label: t('Sheet of the workbook'), value: sheet, options, about: '' }];
}

/** How the file is read, each with what else could be chosen. */
export function fieldsOf(
  form: ReadForm,
  choices: ImportChoices,
  t: Translate,
): readonly ImportField[] {
  const names = formatNames(t);
  const options = formats.map((value) => ({ value, label: names[value] }));
  return [
    { name: 'format', label: t('Format'), value: form.format, options, about: '' },
    ...sheetField(form, t),
    ...encodingField(form, t),
    ...delimiterFields(form, choices, t),
    ...quoteField(form, t),
    ...headerField(form, t),
  ];
}

/** What must be decided before anything is imported. */
export function questionOf(
  { encoding, delimiter }: ReadForm,
  choices: ImportChoices,
  t: Translate,
): string | null {
  if (encoding?.how === 'unknown') return t('Select the encoding of the file.');
  if (delimiter !== undefined && isMissing(choices)) return t('Enter the delimiter.');
  if (delimiter?.how !== 'tie') return null;
  const [first = '', ...others] = [delimiter.value, ...delimiter.others].map((one) =>
    delimiterName(one, t),
  );
  return t('Select the delimiter: {0} and {1} fit equally well.', first, others.join(', '));
}
