import type { RowResult } from './verdict.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** XML 1.0 has no way to write most control characters and halves of pairs. */
const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text.replace(unwritable, '\ufffd').replace(/[&<>"\n\r\t]/g, (sign) => entities[sign] ?? sign);

const attributes = (fields: Readonly<Record<string, string | number>>): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

export const reasonOf = ({ checks }: RowResult): string =>
  checks
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
    .map(({ title, evidence }) => `${title} ${evidence}`)
    .join('\n');

function testCase(suite: string, row: RowResult): string {
  const name = `row ${String(row.rowNumber)}${row.label === '' ? '' : `: ${row.label}`}`;
  const half = row.cutOff.length > 0 ? `Cut off: ${row.cutOff.join(', ')}` : undefined;
  const head = `  <testcase${attributes({ classname: suite, name })}`;
  const note = half === undefined ? '' : `<system-out>${escaped(half)}</system-out>`;
  if (row.verdict === 'pass') return note === '' ? `${head}/>` : `${head}>${note}</testcase>`;
  if (row.verdict === 'skipped') return `${head}><skipped/>${note}</testcase>`;
  const reason = reasonOf(row);
  const tag = row.verdict === 'fail' ? 'failure' : 'error';
  const message = attributes({ message: reason.split('\n', 1)[0] ?? '' });
  return `${head}><${tag}${message}>${escaped(reason)}</${tag}>${note}</testcase>`;
}

/** A report in the format of JUnit, which CI systems read. */
export function junitReport(suite: string, rows: readonly RowResult[], seconds: number): string {
  const count = (verdict: RowResult['verdict']): number =>
    rows.filter((row) => row.verdict === verdict).length;
  const totals = attributes({
    name: suite,
    tests: rows.length,
    failures: count('fail'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds.toFixed(3),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite${totals}>`,
    ...rows.map((row) => testCase(suite, row)),
    '</testsuite></testsuites>',
    '',
  ].join('\n');
}
