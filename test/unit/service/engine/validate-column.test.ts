import assert from 'node:assert/strict';
import { codeSources } from '../../../../src/service/engine/code-sources.ts';
import {
  validateColumn,
  type ColumnFacts,
} from '../../../../src/service/engine/validate-column.ts';

const facts = (id: string, title: string, type = 'TEXT', on: string[] = []): ColumnFacts => ({
  id,
  title,
  type,
  dependencies: on.map((column_id) => ({ column_id, reference_type: 'value' })),
});

const columns = [facts('a1', 'A'), facts('b2', 'B'), facts('c3', 'C', 'COUNT', ['a1'])];

describe('validating a column', () => {
  it('resolves sources by title or id, and keeps the config as sent', () => {
    const config = { sources: ['A', 'b2'], extra: 1 };
    const valid = validateColumn({ title: 'N', type: 'COALESCE', config }, columns);
    assert.deepEqual(valid.config, config);
    assert.deepEqual(valid.dependencies, [
      {
        column_id: 'a1',
        reference_type: 'value',
        config_key: 'sources',
        config_meta: { position: 0 },
      },
      {
        column_id: 'b2',
        reference_type: 'value',
        config_key: 'sources',
        config_meta: { position: 1 },
      },
    ]);
  });

  it('takes aliases and refuses types that do not exist or are of the past', () => {
    assert.equal(
      validateColumn({ title: 'N', type: 'code', config: { code: '1' } }, columns).type,
      'CODE_EXECUTION',
    );
    assert.throws(
      () => validateColumn({ title: 'N', type: 'NOPE' }, columns),
      /no column type "NOPE"/,
    );
    assert.throws(() => validateColumn({ title: 'N', type: 'DATASET' }, columns), /older kind/);
  });

  it('names the source that is not there, the title that is not alone, and itself', () => {
    const draft = { title: 'N', type: 'COUNT', config: { source: 'X', type: 'chars' } };
    assert.throws(() => validateColumn(draft, columns), /Column "N" names "X" in source/);
    const twice = [...columns, facts('d4', 'A')];
    assert.throws(
      () => validateColumn({ ...draft, config: { source: 'A', type: 'chars' } }, twice),
      /2 columns have the title "A"/,
    );
    assert.throws(
      () => validateColumn({ ...draft, config: { source: 'N', type: 'chars' } }, columns),
      /can't depend on itself/,
    );
  });

  it('refuses a cycle and names its titles', () => {
    const cyclic = [
      facts('a1', 'A', 'COUNT', ['b2']),
      facts('b2', 'B', 'COUNT', ['c3']),
      facts('c3', 'C', 'COUNT'),
    ];
    assert.throws(
      () =>
        validateColumn(
          { id: 'c3', title: 'C', type: 'COUNT', config: { source: 'A', type: 'chars' } },
          cyclic,
        ),
      {
        code: 'cycle',
        message: 'These columns would depend on each other in a circle: "C" → "A" → "B" → "C".',
      },
    );
  });

  it('keeps given edges beside those of the config', () => {
    const valid = validateColumn(
      {
        title: 'N',
        type: 'PROMPT_TEMPLATE',
        config: { template: { name: 'p' }, prompt_template_variable_mappings: { name: 'A' } },
        dependencies: [
          {
            column_id: 'A1',
            reference_type: 'value',
            config_key: 'prompt_template_variable_mappings',
            config_meta: { variable_name: 'name' },
          },
          { column_id: 'b2', reference_type: 'value' },
        ],
      },
      columns,
    );
    assert.deepEqual(
      valid.dependencies.map(({ column_id }) => column_id),
      ['a1', 'b2'],
    );
  });

  it('finds the columns that code reads, or all that it can when it takes data as a whole', () => {
    const ids = (code: string, id?: string) =>
      validateColumn(
        { ...(id && { id }), title: 'N', type: 'CODE_EXECUTION', config: { code } },
        columns,
      )
        .dependencies.map(({ column_id }) => column_id)
        .sort();
    assert.deepEqual(ids('data.A + data["B"]'), ['a1', 'b2']);
    assert.deepEqual(ids('const { A, B: other } = data; A'), ['a1', 'b2']);
    assert.deepEqual(ids('Object.keys(data).length'), ['a1', 'b2', 'c3']);
    assert.deepEqual(
      ids('Object.keys(data).length', 'a1'),
      ['b2'],
      'not itself and not its dependants',
    );
    assert.deepEqual(ids('1 + 1'), []);
  });

  it('reads code without being fooled by other names', () => {
    assert.deepEqual([...codeSources('mydata.x + row.data.y + dataset').names], []);
    assert.equal(codeSources('mydata.x + row.data.y + dataset').isOpen, false);
    assert.equal(codeSources('const { a, ...rest } = data').isOpen, true);
    assert.deepEqual([...codeSources("data['it\\'s']").names], ["it's"]);
  });

  it('knows every way in which code asks for a column, or takes all of them', () => {
    const read = (code: string): readonly [string, boolean] => {
      const { names, isOpen } = codeSources(code);
      return [[...names].sort().join(), isOpen];
    };
    const cases: readonly (readonly [code: string, names: string, isOpen: boolean])[] = [
      ['return data.get("A b")', 'A b', false],
      ["x = data.get('A', 'none')", 'A', false],
      ['data?.get(`A`)', 'A', false],
      ['data . get ( "A" ) + data["B"]', 'A,B', false],
      // A title that is made of something else, and methods that hand out all of them.
      ['data.get("A" + "b")', 'get', true],
      ['data.get(title)', 'get', true],
      ['const get = data.get; get("A")', 'get', true],
      ['const { get } = data; get("A")', 'get', true],
      ['for title, value in data.items(): pass', 'items', true],
      ['data.copy()["A"]', 'copy', true],
      ['data?.hasOwnProperty?.("A")', 'hasOwnProperty', true],
      // What such an escape means is for the language to say.
      ['data["Preis \\u20ac"].length', 'Preis u20ac', true],
      ['data["say \\"A\\" \\\\n"]', 'say "A" \\n', false],
      ['const { A } = data.get(title)', 'get', true],
      ['data.A.trim() + data["B"].trim()', 'A,B', false],
    ];
    for (const [code, names, isOpen] of cases) assert.deepEqual(read(code), [names, isOpen], code);
  });

  it('lets a COMPOSITION name a column of another sheet', () => {
    const valid = validateColumn(
      { title: 'N', type: 'COMPOSITION', config: { source: 'T.S.Col' } },
      columns,
    );
    assert.deepEqual(valid.dependencies, []);
    assert.throws(
      () =>
        validateColumn({ title: 'N', type: 'COMPOSITION', config: { source: 'nowhere' } }, columns),
      /names "nowhere"/,
    );
  });
});
