import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DOMParser } from '@xmldom/xmldom';
import type * as z from 'zod';
import { Cell } from '../../../../src/api/cell.ts';
import { Column, columnTypes } from '../../../../src/api/column.ts';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import { readImportRequest, UsageError } from '../../../../src/core/evals/command.ts';
import { junitReport } from '../../../../src/core/evals/junit.ts';
import type { RowResult, Verdict } from '../../../../src/core/evals/verdict.ts';
import {
  isCheck,
  judgeCell,
  labelOf,
  withCompared,
  worstOf,
} from '../../../../src/core/evals/verdict.ts';

const column = (type: string, title = 'Check'): Column => Column.parse({ id: title, title, type });
/** As it comes from a service: read, so that its status is spelt as inside. */
const cell = (value: unknown, rest: Partial<z.input<typeof Cell>> = {}): Cell =>
  Cell.parse({
    ...{ id: 'c', column_id: 'Check', row_index: 0, status: 'completed', value },
    ...rest,
  });

describe('what a column says of a row', () => {
  const verdicts: readonly (readonly [what: string, Cell | undefined, Verdict, RegExp])[] = [
    ['true', cell(true), 'pass', /^$/],
    ['false', cell(false), 'fail', /is false/],
    ['a high score', cell(0.93), 'pass', /0\.93 of 0\.8/],
    ['the threshold itself', cell(0.8), 'pass', /0\.8 of 0\.8/],
    ['a low score', cell(0.79), 'fail', /0\.79 of 0\.8/],
    [
      'a score with more digits',
      cell(new ExactNumber('0.80000000000000000001')),
      'pass',
      /of 0\.8/,
    ],
    ['several, all true', cell({ polite: true, short: true }), 'pass', /^$/],
    ['several, one false', cell({ polite: true, short: false }), 'fail', /false for: short$/],
    ['a text', cell('maybe'), 'error', /neither true, false nor a number: maybe/],
    ['an empty map', cell({}), 'error', /neither/],
    ['null', cell(null), 'skipped', /empty/],
    ...['failed', 'FAILED', 'error', 'ERROR'].map(
      (status) =>
        [
          `a cell that is ${status}`,
          cell(null, { status, error_message: 'no key' }),
          ...(['error', /no key/] as const),
        ] as const,
    ),
    ['a failure without a word', cell(null, { status: 'FAILED' }), 'error', /has failed/],
    ['a stale cell', cell(true, { status: 'stale' }), 'skipped', /is stale/],
    ['no cell', undefined, 'skipped', /no cell/],
  ];
  for (const [what, sent, verdict, evidence] of verdicts) {
    it(`${what}: ${verdict}`, () => {
      const result = judgeCell(column('COMPARE'), sent, 0.8);
      assert.equal(result.verdict, verdict);
      assert.match(result.evidence, evidence);
    });
  }

  it('counts for the row by its worst', () => {
    const of = (...all: Verdict[]): Verdict =>
      worstOf(all.map((verdict) => ({ ...judgeCell(column('COMPARE'), cell(true), 1), verdict })));
    assert.equal(of('pass', 'error', 'fail'), 'error');
    assert.equal(of('pass', 'fail', 'skipped'), 'fail');
    assert.equal(of('pass', 'skipped'), 'pass');
    assert.equal(of('skipped'), 'skipped');
    assert.equal(of(), 'skipped');
  });

  it('matters when it is computed and holds only true and false, whatever its type is', () => {
    for (const type of columnTypes.filter((one) => one !== 'TEXT')) {
      assert.ok(isCheck(column(type), [true, null, false]), type);
      assert.ok(isCheck(column(type), [{ a: true }]), type);
    }
    assert.ok(isCheck(column('OF_TOMORROW'), [true]));
    assert.ok(!isCheck(column('CODE_EXECUTION'), [true, 'yes']));
    assert.ok(!isCheck(column('CODE_EXECUTION'), [1, 0.5]));
    assert.ok(!isCheck(column('CODE_EXECUTION'), []));
    assert.ok(!isCheck(column('TEXT'), [true]));
    for (const type of ['LLM_ASSERTION', 'CONDITION', 'COSINE_SIMILARITY'])
      assert.ok(isCheck(column(type), []), 'It judges before it has run.');
    assert.ok(!isCheck({ ...column('COMPARE'), is_system: true }, [true]));
  });

  it('shows what was compared when it differs', () => {
    const dependencies = [{ column_id: 'a' }, { column_id: 'b' }];
    const compare = Column.parse({ id: 'Check', title: 'Check', type: 'COMPARE', dependencies });
    const cells = { a: cell('Lyon'), b: cell({ city: 'Paris' }) };
    const of = (value: boolean) => withCompared(judgeCell(compare, cell(value), 1), compare, cells);
    assert.deepEqual(of(false).compared, { actual: 'Lyon', expected: '{"city":"Paris"}' });
    assert.equal(of(true).compared, undefined);
  });

  it('comes with a short label of the row', () => {
    const columns = [column('COUNT', 'n'), column('TEXT', 'a'), column('TEXT', 'b')];
    const cells = { n: cell('no'), a: cell('  '), b: cell(`two\nlines ${'x'.repeat(200)}`) };
    assert.match(labelOf(columns, cells), /^two lines x{70}…$/);
    assert.equal(labelOf(columns, {}), '');
  });
});

describe('a JUnit report', () => {
  const row = (verdict: Verdict, evidence: string, label = ''): RowResult => ({
    ...{ rowIndex: 7, rowNumber: 3, verdict, label },
    checks: [{ columnId: 'c', title: 'Check', verdict, score: undefined, evidence }],
    cutOff: label.length > 5 ? [label] : [],
  });

  it('counts and tells, and is well-formed whatever the texts are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const some = fc.constantFrom<Verdict>('pass', 'fail', 'error', 'skipped');
    fc.assert(
      fc.property(fc.array(fc.tuple(some, text, text), { maxLength: 5 }), text, (sent, name) => {
        const rows = sent.map(([verdict, evidence, label]) => row(verdict, evidence, label));
        const faults: string[] = [];
        const onError = (level: string, message: string): void => {
          if (level !== 'warning') faults.push(message);
        };
        const xml = junitReport(name, rows, 1.5);
        const document = new DOMParser({ onError }).parseFromString(xml, 'text/xml');
        assert.deepEqual(faults, []);
        const suite = document.getElementsByTagName('testsuite')[0];
        assert.equal(suite?.getAttribute('tests'), String(rows.length));
        const failures = rows.filter(({ verdict }) => verdict === 'fail').length;
        assert.equal(suite.getAttribute('failures'), String(failures));
        assert.equal(document.getElementsByTagName('failure').length, failures);
        assert.equal(document.getElementsByTagName('testcase').length, rows.length);
      }),
    );
  });

  it('holds the evidence', () => {
    assert.match(
      junitReport('s', [row('fail', 'is <false>')], 0),
      /<failure message="Check is &lt;false&gt;">Check is &lt;false&gt;<\/failure>/,
    );
  });
});

describe('the command line of evaluations', () => {
  const named = ['--table', 'T', '--sheet', 'S'];

  it('has defaults', () => {
    const { scope, threshold, passRate, checks } = readImportRequest(named);
    assert.deepEqual([scope, threshold, passRate, checks], ['stale', 0.8, 1, undefined]);
    const more = ['--check', 'a', '--check', 'b', '--run', 'none', '--min-pass-rate', '0.9'];
    const commandOptions = readImportRequest([...named, ...more]);
    assert.deepEqual(
      [commandOptions.scope, commandOptions.passRate, commandOptions.checks],
      ['none', 0.9, ['a', 'b']],
    );
  });

  for (const wrong of [
    ['--table', 'T'],
    [...named, '--run', 'some'],
    [...named, '--threshold', 'high'],
    [...named, '--min-pass-rate', '2'],
    [...named, '--wrong', 'x'],
    [...named, 'extra'],
  ]) {
    it(`refuses ${wrong.join(' ')}`, () => {
      assert.throws(() => readImportRequest(wrong), UsageError);
    });
  }
});
