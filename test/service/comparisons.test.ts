/** One comparison: random pairs of values, and every feature that compares them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { presentationOf } from '../../src/extension/grid/cells/cell-presentation.ts';
import { compareKeys, orderKey } from '../../src/extension/grid/rows/order.ts';
import { RowMatcher } from '../../src/extension/grid/rows/row-matcher.ts';
import { parseJson } from '../../src/core/http/json.ts';
import type { Cell } from '../../src/api/cell.ts';
import type { GridColumn } from '../../src/protocol/grid-sheet.ts';
import type { GridPage } from '../../src/protocol/grid-cells.ts';
import { cellKinds } from '../../src/protocol/grid-cells.ts';
import type { RowCondition } from '../../src/protocol/grid-work.ts';
import { timeLimit } from '../support/time-limit.ts';
import { t } from '../unit/extension/grid/editor-host.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Written } from './support/exact-oracle.ts';
import {
  isNumeral,
  jsonOf,
  looksSame,
  orderOf,
  sameJson,
  written,
} from './support/exact-oracle.ts';
import type { Loose } from './support/loose.ts';
import { until } from '../support/until.ts';

const { number, text, other } = written;

/** Values that are close to each other, so that pairs are often equal and often nearly so. */
const bases = ['1234567890123456789', '9007199254740993', '-5', '0', '10', '0.1', '19.99'];
const numeral: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...bases),
  fc.tuple(fc.constantFrom(...bases), fc.integer({ min: -2, max: 2 })).map(([base, step]) => {
    const [whole = '0', rest] = base.split('.');
    return `${String(BigInt(whole) + BigInt(step))}${rest === undefined ? '' : `.${rest}`}`;
  }),
  fc.tuple(fc.integer(), fc.nat(999)).map(([whole, rest]) => `${String(whole)}.${String(rest)}`),
  fc.constantFrom('1e3', '1000.0', '1.0', '1', '1e0', '100e-2', '-0', '0.10', '10.0', '1e21'),
  fc.constantFrom(
    '0.1000000000000000055511151231257827',
    '1e-30',
    '123456789012345678901234567890',
  ),
);
const value: fc.Arbitrary<Written> = fc.oneof(
  { weight: 4, arbitrary: numeral.map(number) },
  { weight: 3, arbitrary: numeral.map(text) },
  fc
    .constantFrom('', 'N/A', 'abc', 'Abc', 'abd', 'true', 'null', '[1]', '\uffee', '\u{1F600}')
    .map(text),
  fc.string({ maxLength: 4 }).map(text),
  fc.constantFrom('null', 'true', 'false', '[1]', '[1,2]', '[]', '{"a":1}', '{"a":"1"}').map(other),
  numeral.map((digits) => other(`[${digits}]`)),
);
/** No list with a number in another spelling: those are told apart by the tests of lists. */
const isPlain = (one: Written): boolean =>
  one.kind !== 'other' || !/[.e-]/.test(one.json) || !one.json.startsWith('[');

const pairs: readonly (readonly [Written, Written])[] = [
  [number('1234567890123456788'), number('1234567890123456789')],
  [number('9007199254740992'), number('9007199254740993')],
  [text('1234567890123456788'), number('1234567890123456789')],
  [number('0.1'), text('0.10')],
  [text('10'), text('9')],
  [text('1.0'), text('1')],
  [text('N/A'), number('3')],
  [number('1e21'), text('1000000000000000000000')],
  [other('true'), text('true')],
  [other('true'), number('1')],
  [other('null'), text('')],
  [other('null'), other('null')],
  [text('\uffee'), text('\u{1F600}')],
  ...fc.sample(
    fc.tuple(value, value).filter((pair) => pair.every(isPlain)),
    { numRuns: 60, seed: Number(process.env['PROMPT_TABLES_FUZZ_SEED'] ?? Date.now() % 1e9) },
  ),
];

type Verdict = boolean | 'error';
const tests = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
} as const;
type Operator = keyof typeof tests;

function ordered(operator: Operator, [left, right]: readonly [Written, Written]): Verdict {
  const order = orderOf(left, right);
  if (order === undefined) return 'error';
  return order === 'nothing' ? false : tests[operator](order);
}

/** Two numbers or an error, as columns that calculate do it. */
const asNumbers = (operator: Operator, pair: readonly [Written, Written]): Verdict =>
  pair.every(isNumeral) ? ordered(operator, pair) : 'error';

onEachBackend('Two values', (backend) => {
  let api: Api;
  before(async () => {
    ({ api } = await backend.share());
  });

  it('compare in one way, whatever compares them', async function () {
    this.timeout(timeLimit(120_000));
    const rows = pairs.map(([left, right]) => {
      const [a, b] = [jsonOf(left), jsonOf(right)];
      return `{"a":${a},"b":${b},"both":[{"a":${a},"b":${b}}],"list":[${a},${b}],"in":[${b}]}`;
    });
    const place = await api.sheetOf(`[${rows.join(',')}]`, 'pairs.json');
    const columns: Record<string, string> = {};
    const add = async (title: string, type: string, config: object): Promise<void> => {
      const made = await api.expect(201, 'POST', `${place.path}/columns`, { title, type, config });
      columns[title] = made.column.id;
    };
    const sides = { left_config: { source: 'a' }, right_config: { source: 'b' } };
    for (const operator of ['=', '!=', '<', '<=', '>', '>='])
      await add(`if ${operator}`, 'CONDITION', { conditionals: [{ operator, ...sides }] });
    const within = { operator: 'in', left_config: { source: 'a' }, right_config: { source: 'in' } };
    await add('if in', 'CONDITION', { conditionals: [within] });
    const words = { '<': 'LT', '<=': 'LTE', '>': 'GT', '>=': 'GTE' } as const;
    const short = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' } as const;
    for (const operator of Object.keys(tests) as Operator[]) {
      const comparison = { type: 'NUMBER', operator: words[operator] };
      await add(`number ${operator}`, 'COMPARE', {
        sources: ['a', 'b'],
        comparison_type: comparison,
      });
      await add(`math ${operator}`, 'MATH_OPERATOR', {
        sources: ['a', 'b'],
        operator: short[operator],
      });
      await add(`path ${operator}`, 'JSON_PATH', {
        ...{ source: 'both', json_path: `$[?@.a ${operator} @.b]`, return_first_match: false },
      });
    }
    await add('path ==', 'JSON_PATH', {
      ...{ source: 'both', json_path: '$[?@.a == @.b]', return_first_match: false },
    });
    await add('json', 'COMPARE', {
      ...{ sources: ['list', 'list'], comparison_type: { type: 'JSON', json_path: '$[0]' } },
    });
    await add('least', 'MIN_MAX', { source: 'list', type: 'min' });
    await add('most', 'MIN_MAX', { source: 'list', type: 'max' });
    await recalculate(api, place.path);
    const cells = await readCells(api, place.path, pairs.length);
    const shown = (title: string, row: number): Cell => {
      const cell = cells[row]?.[columns[title] ?? title];
      assert.ok(cell, `${title} of row ${String(row)}`);
      return cell;
    };
    const verdict = (title: string, row: number): unknown => {
      const { status, value: held } = shown(title, row);
      return status === 'error' ? 'error' : Array.isArray(held) ? held.length > 0 : held;
    };
    for (const [row, pair] of pairs.entries()) {
      const [left, right] = pair;
      const what = (title: string): string =>
        `${title}: ${jsonOf(left)} and ${jsonOf(right)} (${String(shown(title, row).error_message)})`;
      const expect = (title: string, expected: Verdict): void => {
        assert.equal(verdict(title, row), expected, what(title));
      };
      const same = looksSame(left, right);
      expect('if =', same);
      expect('if !=', !same);
      expect('if in', same);
      expect('path ==', sameJson(left, right));
      expect('json', true);
      for (const operator of Object.keys(tests) as Operator[]) {
        expect(`if ${operator}`, ordered(operator, pair));
        expect(`number ${operator}`, asNumbers(operator, pair));
        expect(`math ${operator}`, asNumbers(operator, pair));
        const isOne = left.kind === right.kind && left.kind !== 'other';
        const order = isOne ? orderForPath(left, right) : undefined;
        const isEqual = operator.endsWith('=') && sameJson(left, right);
        expect(`path ${operator}`, isEqual || (order !== undefined && tests[operator](order)));
      }
      const least = ordered('<=', pair) === true ? left : right;
      const most = least === left ? right : left;
      for (const [title, wanted] of [
        ['least', least],
        ['most', most],
      ] as const) {
        // What is in a list or an object is looked at one by one.
        if (pair.some((one) => /^[[{]/.test(jsonOf(one)))) continue;
        if (!pair.every(isNumeral)) expect(title, 'error');
        else {
          const held = number(JSON.stringify(shown(title, row).value).replaceAll('"', ''));
          assert.ok(looksSame(held, wanted), what(title));
        }
      }
    }
    // The grid compares what was read, whatever has stored it.
    if (backend.name === 'SQLite') await checkGrid(cells, place.columnId);
  });

  it('nested as deeply as they like have an answer or a clear error', async () => {
    const nested = (depth: number, core: string): string =>
      `${'['.repeat(depth)}${core}${']'.repeat(depth)}`;
    const deep = [400, 5_000, 200_000].map((depth) => [
      nested(depth, '1234567890123456789'),
      nested(depth, '1234567890123456788'),
    ]);
    const csv = deep.flatMap(([one, other]) => [`"${one!}","${one!}"`, `"${one!}","${other!}"`]);
    const place = await api.sheetOf(['a,b', ...csv].join('\n'));
    const configs: readonly (readonly [string, object])[] = [
      ['COMPARE', { sources: ['a', 'b'], comparison_type: { type: 'JSON' } }],
      ['COMPARE', { sources: ['a', 'b'], comparison_type: { type: 'JSON', json_path: '$' } }],
      ['MIN_MAX', { source: 'a', type: 'max' }],
      ['JSON_PATH', { source: 'a', json_path: '$..[?@ == 1]' }],
      ['COMBINE_COLUMNS', { sources: ['a', 'b'] }],
      ['PARSE_VALUE', { source: 'a', type: 'object' }],
    ];
    const ids: string[] = [];
    for (const [at, [type, config]] of configs.entries()) {
      const body = { title: `c${String(at)}`, type, config };
      const made = await api.expect(201, 'POST', `${place.path}/columns`, body);
      ids.push(made.column.id);
    }
    await recalculate(api, place.path);
    const answer = await api.call('GET', `${place.path}/rows`);
    assert.doesNotMatch(answer.text, /call stack/);
    const page: Loose = JSON.parse(answer.text);
    const equal = page.data.map((one: Loose) => {
      const cell = one.cells[ids[0] ?? ''];
      return cell.status === 'error' ? String(cell.error_message) : cell.value;
    });
    for (const [at, held] of equal.entries()) {
      if (typeof held === 'boolean') assert.equal(held, at % 2 === 0, String(at));
      else assert.match(held, /nested too deeply/);
    }
    assert.deepEqual(equal.slice(0, 2), [true, false]);
  });
});

/** All cells of a sheet, however many they are. */
async function recalculate(api: Api, path: string): Promise<void> {
  const asked = await api.call('POST', `${path}/operations`, {});
  const { confirmation_token } = asked.body;
  const started =
    asked.status === 202
      ? asked.body
      : await api.expect(202, 'POST', `${path}/operations`, { confirmation_token });
  await until(
    'the columns are computed',
    async () =>
      (await api.get(`${path}/operations/${started.operation_id}`)).operation.pending_count === 0,
    { limitMs: timeLimit(60_000) },
  );
}

/** RFC 9535: texts by their characters, whatever they spell. */
function orderForPath(left: Written, right: Written): number | undefined {
  const mark = (one: Written): Written => (one.kind === 'text' ? text(`x${one.text}`) : one);
  const order = orderOf(mark(left), mark(right));
  return typeof order === 'number' ? order : undefined;
}

type Cells = readonly Readonly<Record<string, Cell>>[];

async function readCells(api: Api, path: string, count: number): Promise<Cells> {
  const cells: Record<string, Cell>[] = [];
  let cursor = '';
  while (cells.length < count) {
    const answer = await api.call('GET', `${path}/rows${cursor}`);
    const page = parseJson(answer.text) as Loose;
    for (const row of page.data) cells.push(row.cells);
    cursor = `?cursor=${String(page.next_cursor)}`;
  }
  return cells;
}

/** The grid shows `a`, and is asked for `b`, as a person would type it. */
async function checkGrid(cells: Cells, columnId: string): Promise<void> {
  const presentations = cells.map((row) =>
    presentationOf(row[columnId], { computed: false, system: false }, Infinity),
  );
  const grid: unknown = {
    ...{ page: 0, statuses: [''], rowIndices: presentations.map((_, at) => at) },
    columns: {
      a: {
        text: presentations.map((presentation) => presentation.text),
        kind: presentations.map((presentation) => cellKinds.indexOf(presentation.kind)),
        status: presentations.map(() => 0),
      },
    },
  };
  const found = async (operator: RowCondition['operator'], operand: string, row: number) => {
    const conditions = [{ columnId: 'a', operator, operand }] as RowCondition[];
    const all = [{ id: 'a' }] as unknown as readonly GridColumn[];
    const matcher = new RowMatcher({ match: 'all', conditions, sort: [] } as never, all, t);
    try {
      return (await matcher.matches(grid as GridPage, new AbortController().signal))[row];
    } finally {
      await matcher.close();
    }
  };
  for (const [row, [left, right]] of pairs.entries()) {
    const typed = right.kind === 'text' ? right.text : jsonOf(right);
    const operand = text(typed);
    const hasValue = jsonOf(left) !== 'null' && jsonOf(left) !== '""';
    const what = `${jsonOf(left)} and ${JSON.stringify(typed)}`;
    const same = hasValue && looksSame(left, operand);
    assert.equal(await found('equals', typed, row), same, `equals: ${what}`);
    assert.equal(await found('differs', typed, row), !same, `differs: ${what}`);
    const order = hasValue ? orderOf(left, operand) : undefined;
    const isOrder = typeof order === 'number';
    assert.equal(await found('above', typed, row), isOrder && order > 0, `above: ${what}`);
    assert.equal(await found('below', typed, row), isOrder && order < 0, `below: ${what}`);
    if (!/[\n,]/.test(typed) && typed === typed.trim()) {
      assert.equal(await found('oneOf', `${typed},zzz`, row), same, `oneOf: ${what}`);
    }
    if (isNumeral(left) && isNumeral(operand)) {
      const keys = [left, operand].map((one) =>
        orderKey('text', one.kind === 'other' ? '' : one.text),
      );
      // Where they are the same, it may be a zero below zero.
      assert.equal(Math.sign(compareKeys(keys[0], keys[1], 1)) + 0, order, `sorted: ${what}`);
    }
  }
}
