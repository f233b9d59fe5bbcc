/** Calls in the cells of notebooks, and where they stand in the file. */
import assert from 'node:assert/strict';
import { codeOfNotebook } from '../../../../src/core/code-index/notebooks.ts';
import { callsIn } from '../../../../src/core/code-index/scan.ts';

interface Cell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
}

const notebook = (cells: readonly Cell[], language: string | undefined = 'python'): object => ({
  ...{ nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: language } } },
  cells: cells.map((cell) => ({ ...cell, metadata: {}, outputs: [] })),
});
const code = (...source: string[]): Cell => ({ cell_type: 'code', source });

function found(file: string): readonly (readonly [name: string, text: string])[] {
  const cells = codeOfNotebook(file) ?? assert.fail('no notebook');
  return callsIn(cells.text, cells.language).map(({ name }) => {
    const { from, to } = cells.placeOf(name.span);
    return [name.value, file.slice(from, to)];
  });
}

describe('Calls in notebooks', () => {
  const cells = [
    { cell_type: 'markdown', source: ['client.run(prompt_name="in words")'] },
    code('%pip install promptlayer\n', "!echo it's not closed\n", 'NAME = "a constant"\n'),
    code('client.run(prompt_name="first ä\\n")\n', 'x = 1'),
    { cell_type: 'code', source: 'y = 2\nclient.run(\n  prompt_name="second")\n' },
    code('client.run(prompt_name=NAME)'),
  ];
  const expected = [
    ['first ä\n', '\\"first ä\\\\n\\"'],
    ['second', '\\"second\\"'],
    ['a constant', 'NAME'],
  ];

  it('are found in code cells only, at their places in the file, however that is laid out', () => {
    for (const indent of [undefined, 1, 2]) {
      assert.deepEqual(found(JSON.stringify(notebook(cells), undefined, indent)), expected);
    }
  });

  it('are at the beginning of a file whose text is written in another way', () => {
    const file = JSON.stringify(notebook([cells[2] as Cell])).replace('ä', '\\u00e4');
    assert.deepEqual(found(file), [['first ä\n', '']]);
  });

  it('are none in what is no notebook, cut anywhere, or of a language that is not known', () => {
    const file = JSON.stringify(notebook(cells));
    for (let end = 0; end < file.length; end += 7) {
      assert.equal(codeOfNotebook(file.slice(0, end)), undefined);
    }
    for (const other of [
      {},
      { cells: 1 },
      { cells: [{ source: [1] }] },
      notebook(cells, 'julia'),
    ]) {
      assert.equal(codeOfNotebook(JSON.stringify(other)), undefined);
    }
  });
});
