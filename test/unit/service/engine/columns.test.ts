import assert from 'node:assert/strict';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import type { Tools } from '../../../../src/service/engine/columns/column-kind.ts';
import { jsonFromText, jsonToText } from '../../../../src/service/engine/columns/json.ts';
import { columnKind } from '../../../../src/service/engine/columns/registry.ts';
import { Sources, type SourceState } from '../../../../src/service/engine/columns/sources.ts';
import { CellProblem, EngineProblem } from '../../../../src/service/engine/problem.ts';
import { CallContext, Metered } from '../../../../src/service/engine/prompts.ts';
import { Sandbox } from '../../../../src/service/sandbox/sandbox.ts';
import { sandboxProgram } from '../../../support/service-entry.ts';
import { timeLimit } from '../../../support/time-limit.ts';

/** JSON texts of sources by config field. */
type Given = Readonly<Record<string, string | readonly string[] | SourceState>>;

const tools: Tools = {
  sandbox: new Sandbox(sandboxProgram),
  signal: new AbortController().signal,
  callContext: new CallContext({
    kind: 'operation',
    sheetKey: 1,
    operationKey: 1,
    isRestricted: false,
  }),
  prompts: undefined,
  outside: undefined,
};

function sources(given: Given): Sources {
  return new Sources(
    Object.entries(given).flatMap(([configKey, texts]) => {
      const list: readonly (string | SourceState)[] = Array.isArray(texts)
        ? texts
        : [texts as string];
      return list.map((item, position) => ({
        configKey,
        name: undefined,
        state:
          typeof item === 'string'
            ? ({
                kind: 'value',
                title: `${configKey}${String(position)}`,
                value: jsonFromText(item),
              } as const)
            : item,
      }));
    }),
  );
}

/** The computed value as JSON text. */
async function compute(type: string, config: object, given: Given = {}): Promise<string> {
  const { compute: run } = columnKind(type).compile(config as never);
  const value = await run(sources(given), tools);
  assert.ok(!(value instanceof Metered), 'A column that asks nobody costs nothing.');
  return jsonToText(value);
}

const text = (value: string): string => JSON.stringify(value);

describe('computed columns', function () {
  this.timeout(60_000);
  it('VARIABLE gives the same text or JSON in every row', async () => {
    assert.equal(await compute('VARIABLE', { value: { type: 'string', value: '7' } }), '"7"');
    assert.equal(
      await compute('VARIABLE', { value: { type: 'json', value: '{"a":12345678901234567890}' } }),
      '{"a":12345678901234567890}',
    );
  });

  it('COALESCE gives the first value that is not null and passes over failed sources', async () => {
    const config = { sources: ['a', 'b'] };
    assert.equal(await compute('COALESCE', config, { sources: ['null', '0', '1'] }), '0');
    assert.equal(await compute('COALESCE', config, { sources: ['null', 'null'] }), 'null');
    const failed: SourceState = { kind: 'failed', title: 'a', message: 'no' };
    const value: SourceState = { kind: 'value', title: 'b', value: 'kept' };
    const entries = [failed, value].map((state) => ({
      configKey: 'sources',
      name: undefined,
      state,
    }));
    const run = columnKind('COALESCE').compile(config).compute;
    assert.equal(run(new Sources(entries), tools), 'kept');
  });

  it('COMBINE_COLUMNS keys the values by title', async () => {
    assert.equal(
      await compute('COMBINE_COLUMNS', { sources: ['a'] }, { sources: ['1', '"x"'] }),
      '{"sources0":1,"sources1":"x"}',
    );
  });

  it('COMPARE compares as text, as JSON whatever the order of keys, and as exact numbers', async () => {
    const by = (comparison_type: object) => ({ sources: ['a', 'b'], comparison_type });
    const run = (comparison: object, left: string, right: string) =>
      compute('COMPARE', by(comparison), { sources: [left, right] });
    assert.equal(await run({ type: 'STRING' }, '"a"', '"a"'), 'true');
    assert.equal(await run({ type: 'STRING' }, '"a"', '"A"'), 'false');
    assert.equal(await run({ type: 'JSON' }, '{"a":1.0,"b":[1]}', text('{"b":[1],"a":1}')), 'true');
    assert.equal(await run({ type: 'JSON', json_path: '$.a' }, '{"a":1,"b":2}', '{"a":1}'), 'true');
    assert.equal(await run({ type: 'JSON' }, '9007199254740993', '9007199254740992'), 'false');
    assert.equal(
      await run({ type: 'NUMBER', operator: 'GT' }, '9007199254740993', '9007199254740992'),
      'true',
    );
    assert.equal(await run({ type: 'NUMBER', operator: 'EQ' }, '"0.30"', '0.3'), 'true');
    for (const type of ['STRING', 'JSON', 'NUMBER']) {
      const config = { sources: ['a'], target: new ExactNumber('9007199254740993') };
      const same = (value: string) =>
        compute('COMPARE', { ...config, comparison_type: type }, { sources: [value] });
      assert.deepEqual(
        [await same('9007199254740993'), await same('9007199254740992')],
        ['true', 'false'],
        type,
      );
    }
    await assert.rejects(run({ type: 'NUMBER', operator: 'LT' }, '"ten"', '1'), {
      message: 'Column "sources0" holds "ten", but a number is needed.',
    });
  });

  it('CONTAINS ignores case and takes the text from the config or a column', async () => {
    assert.equal(
      await compute('CONTAINS', { source: 'a', value: 'ÉC' }, { source: '"écru"' }),
      'true',
    );
    assert.equal(
      await compute(
        'CONTAINS',
        { source: 'a', value_source: 'b' },
        { source: '"abc"', value_source: '"d"' },
      ),
      'false',
    );
  });

  it('REGEX and REGEX_EXTRACTION find matches, and groups when the pattern has some', async () => {
    const extract = (regex_pattern: string, value: string) =>
      compute('REGEX_EXTRACTION', { source: 'a', regex_pattern }, { source: text(value) });
    assert.equal(await extract('\\d+', 'a=1 b=22'), '["1","22"]');
    assert.equal(await extract('(?P<key>\\w)=(\\d+)', 'a=1 b=22'), '[["a","1"],["b","22"]]');
    assert.equal(await extract('(\\w)=', 'a=1'), '["a"]');
    assert.equal(
      await extract('(?<=b=)\\d+', 'a=1 b=22'),
      '["22"]',
      'look-behind runs in the sandbox',
    );
    assert.equal(
      await compute('REGEX', { source: 'a', regex_pattern: '(.)\\1' }, { source: '"hello"' }),
      'true',
    );
  });

  it('a regular expression that would take for ever ends at once or is stopped', async () => {
    const bomb = text(`${'a'.repeat(40)}b`);
    assert.equal(
      await compute('REGEX', { source: 'a', regex_pattern: '^(a+)+$' }, { source: bomb }),
      'false',
    );
    const before = Date.now();
    await assert.rejects(
      compute('REGEX', { source: 'a', regex_pattern: '^(?=a)(a|a)*$' }, { source: bomb }),
      /did not end within 2 s/,
    );
    assert.ok(Date.now() - before < timeLimit(8000));
  });

  it('JSON_PATH takes RFC 9535 paths and plain ones, and keeps every digit', async () => {
    const source = text('{"a":{"b":[1,12345678901234567890]},"c d":[{"e":1},{"e":2}]}');
    const find = (json_path: string, more: object = {}) =>
      compute('JSON_PATH', { source: 'x', json_path, ...more }, { source });
    assert.equal(await find('$.a.b[1]'), '12345678901234567890');
    assert.equal(await find('a.b[0]'), '1');
    assert.equal(await find("$['c d'][*].e", { return_first_match: false }), '[1,2]');
    assert.equal(await find('$.nothing'), 'null');
    await assert.rejects(
      compute('JSON_PATH', { source: 'x', json_path: '$.a' }, { source: '"{"' }),
      /Column "source0" does not hold JSON/,
    );
  });

  it('JSON_PATH filters can not hang on their regular expressions', async () => {
    const source = JSON.stringify([{ a: `${'a'.repeat(60)}b` }]);
    await compute('JSON_PATH', { source: 'x', json_path: '$[?search(@.a, "(a+)+$")]' }, { source });
  });

  it('XML_PATH finds elements from the root or absolutely, as text or XML', async () => {
    const source = text('<r><item id="5"><name>n</name></item><item><name>m</name></item></r>');
    const find = (xml_path: string, more: object = {}) =>
      compute('XML_PATH', { source: 'x', xml_path, ...more }, { source });
    assert.equal(await find('item/name'), '"n"');
    assert.equal(await find('.//name', { type: 'findall' }), '["n","m"]');
    assert.equal(await find('/r/item/@id'), '"5"');
    assert.equal(await find('item/name', { return_text: false }), '"<name>n</name>"');
    assert.equal(await find('nothing'), 'null');
    for (const path of ['ITEM/name', '/R/item', 'item/@ID']) assert.equal(await find(path), 'null');
    assert.equal(await find('item[2]/name|item[1]/name', { type: 'findall' }), '["n","m"]');
    assert.equal(await find('count(item)'), '2');
    assert.equal(await find('string(item/@id)'), '"5"');
    assert.equal(await find('boolean(item)'), 'true');
  });

  it('a list of matches is whole, or there is none', async () => {
    const many = (size: number, item: string): string => item.repeat(size);
    const cases: readonly (readonly [string, object, (size: number) => string, number])[] = [
      ['REGEX_EXTRACTION', { regex_pattern: 'a' }, (size) => text(many(size, 'a')), 10_000],
      ['REGEX_EXTRACTION', { regex_pattern: 'a(?!b)' }, (size) => text(many(size, 'a')), 10_000],
      [
        'JSON_PATH',
        { json_path: '$[*]', return_first_match: false },
        (size) => `[1${many(size - 1, ',1')}]`,
        100_000,
      ],
      ['MIN_MAX', { json_path: '$[*]', type: 'min' }, (size) => `[1${many(size - 1, ',1')}]`, 1e5],
    ];
    for (const [type, config, source, most] of cases) {
      const run = (size: number): Promise<string> =>
        compute(type, { source: 'x', ...config }, { source: source(size) });
      const found = JSON.parse(await run(most)) as number | readonly unknown[];
      assert.equal(typeof found === 'number' ? most : found.length, most, type);
      await assert.rejects(run(most + 1), /finds more than 100?,000 matches/, type);
    }
    const first = { source: 'x', json_path: '$[*]' };
    assert.equal(await compute('JSON_PATH', first, { source: `[2${many(100_001, ',1')}]` }), '2');
  });

  it('XML_PATH refuses document types, so entities reach no file and do not grow', async () => {
    const source = text('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>');
    await assert.rejects(
      compute('XML_PATH', { source: 'x', xml_path: 'a' }, { source }),
      /not read for safety/,
    );
  });

  it('PARSE_VALUE does not round', async () => {
    const parse = (type: string, value: string) =>
      compute('PARSE_VALUE', { source: 'x', type }, { source: value });
    assert.equal(await parse('number', '"9007199254740993"'), '9007199254740993');
    assert.equal(
      await parse('number', '" 0.1000000000000000055511151231257827 "'),
      '0.1000000000000000055511151231257827',
    );
    assert.equal(await parse('number', '"+.5"'), '0.5');
    for (const written of ['10.0', '1.10', '1e3', '-0.0', '0.50']) {
      assert.equal(await parse('number', text(written)), written);
    }
    assert.equal(await parse('boolean', '"Yes"'), 'true');
    assert.equal(await parse('object', text('{"a":1}')), '{"a":1}');
    assert.equal(await parse('string', '12345678901234567890'), '"12345678901234567890"');
    await assert.rejects(parse('number', '"1,234"'), /Column "source0" holds "1,234"/);
    assert.equal(await parse('number', '"1e999999999"'), '1e999999999');
    await assert.rejects(parse('number', '"+1e999999999"'), CellProblem);
  });

  it('COUNT counts characters as people do, words, sentences and paragraphs', async () => {
    const source = text('Hi there 😀. How are you?\r\n\r\nEnd');
    const count = (type: string) => compute('COUNT', { source: 'x', type }, { source });
    assert.deepEqual(
      [
        await count('chars'),
        await count('words'),
        await count('sentences'),
        await count('paragraphs'),
      ],
      ['29', '7', '3', '2'],
    );
  });

  it('MIN_MAX, MATH_OPERATOR and ABSOLUTE_NUMERIC_DISTANCE are exact', async () => {
    assert.equal(
      await compute(
        'MIN_MAX',
        { source: 'x', type: 'max' },
        { source: text('[1,9007199254740993,9007199254740992]') },
      ),
      '9007199254740993',
    );
    assert.equal(
      await compute(
        'MIN_MAX',
        { source: 'x', type: 'min', json_path: '$.x[*].y' },
        { source: '{"x":[{"y":1},{"y":"-3.5"}]}' },
      ),
      '-3.5',
    );
    assert.equal(
      await compute(
        'ABSOLUTE_NUMERIC_DISTANCE',
        { sources: ['a', 'b'] },
        { sources: ['"0.1"', '"0.3"'] },
      ),
      '0.2',
    );
    assert.equal(
      await compute(
        'MATH_OPERATOR',
        { sources: ['a'], operator: 'ge', value: '10' },
        { sources: ['"10.0"'] },
      ),
      'true',
    );
    assert.equal(
      await compute(
        'MATH_OPERATOR',
        { sources: ['a', 'b'], operator: 'lt' },
        { sources: ['1', '1'] },
      ),
      'false',
    );
  });

  it('ASSERT_VALID answers whether a value is an object, a number or SQL', async () => {
    const check = (type: string, value: string) =>
      compute('ASSERT_VALID', { source: 'x', type }, { source: text(value) });
    assert.equal(await check('object', '{"a":1}'), 'true');
    assert.equal(await check('object', '[1]'), 'false');
    assert.equal(await check('number', '1e5'), 'true');
    assert.equal(await check('number', 'one'), 'false');
    assert.equal(await check('sql', "select a, count(*) from t where b = 'c' group by a"), 'true');
    assert.equal(await check('sql', 'selekt a frm t'), 'false');
  });

  it('APPLY_DIFF applies a unified diff or says why not', async () => {
    const config = { content_source: 'a', diff_source: 'b' };
    const content_source = text('a\nb\nc\n');
    const apply = (diff: string) =>
      compute('APPLY_DIFF', config, { content_source, diff_source: text(diff) });
    assert.equal(await apply('@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'), '"a\\nB\\nc\\n"');
    await assert.rejects(apply('@@ -1,3 +1,3 @@\n x\n-y\n+Y\n z\n'), /doesn't apply/);
    await assert.rejects(apply('rubbish'), /no unified diff/);
  });

  it('a type that nobody knows says so in its cells', async () => {
    await assert.rejects(compute('TRACE', {}), /does not know the column type TRACE/);
  });

  it('a failed, missing or uncomputed source is named in the message', () => {
    const run = (state: SourceState) => () =>
      columnKind('COUNT')
        .compile({ source: 'a', type: 'chars' })
        .compute(new Sources([{ configKey: 'source', name: undefined, state }]), tools);
    assert.throws(run({ kind: 'failed', title: 'A', message: 'why' }), {
      code: 'source_failed',
      message: 'Column "A" failed: why',
    });
    assert.throws(run({ kind: 'not_computed', title: 'A' }), { code: 'source_not_computed' });
    assert.throws(run({ kind: 'missing', title: 'A' }), { code: 'source_missing' });
  });

  for (const [type, config, message] of [
    ['COUNT', { source: 'a' }, /The config of a COUNT column is not valid: type/],
    ['COALESCE', { sources: ['a'] }, /sources: name at least 2/],
    ['REGEX', { source: 'a', regex_pattern: '(' }, /is not valid/],
    ['JSON_PATH', { source: 'a', json_path: '$[[' }, /is not valid/],
    ['XML_PATH', { source: 'a', xml_path: '[[' }, /is not valid/],
    ['MATH_OPERATOR', { sources: ['a'], operator: 'lt' }, /one source needs a value/],
    ['VARIABLE', { value: { type: 'json', value: '{' } }, /not JSON/],
  ] as const) {
    it(`a wrong config of ${type} is refused with its field`, () => {
      assert.throws(
        () => columnKind(type).compile(config as never),
        (error: unknown) => {
          assert.ok(error instanceof EngineProblem);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }

  after(() => tools.sandbox.close());
});
