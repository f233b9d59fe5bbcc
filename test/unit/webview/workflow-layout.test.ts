import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GraphNode } from '../../../src/protocol/workflow.ts';
import { layOut, nodeSize, pathOf } from '../../../src/webview/workflow/layout.ts';
import { typeWords } from '../../../src/webview/workflow/words.ts';

const node = (name: string, after: readonly string[] = []): GraphNode => ({
  ...{ name, type: 'T', isOutput: false, after, onlyIf: [] },
});

/** Graphs whose nodes wait only for nodes before them. */
const graphs = fc
  .array(fc.array(fc.nat(29), { maxLength: 3 }), { minLength: 1, maxLength: 30 })
  .map((rows) =>
    rows.map((befores, at) =>
      node(
        `n${at}`,
        [...new Set(befores.filter((one) => one < at))].map((one) => `n${one}`),
      ),
    ),
  );

describe('workflow panel: layout', () => {
  it('puts every node below those that it waits for, and none upon another', () => {
    fc.assert(
      fc.property(graphs, (nodes) => {
        const { nodes: placed, edges, width, height } = layOut(nodes);
        const byName = new Map(placed.map((one) => [one.node.name, one]));
        assert.equal(byName.size, nodes.length);
        assert.equal(
          edges.length,
          nodes.reduce((sum, { after }) => sum + after.length, 0),
        );
        for (const { node: one, row, at } of placed) {
          for (const before of one.after) assert.ok((byName.get(before)?.row ?? 0) < row);
          assert.ok(at.x >= 0 && at.x + nodeSize.width <= width);
          assert.ok(at.y >= 0 && at.y + nodeSize.height <= height);
          for (const other of placed) {
            if (other.node === one || other.row !== row) continue;
            assert.ok(Math.abs(other.at.x - at.x) >= nodeSize.width);
          }
        }
        for (const { points } of edges) assert.match(pathOf(points), /^M .* (?:L|C) /);
      }),
      { numRuns: 60 },
    );
  });

  it('leads a long edge past the rows between its ends', () => {
    const { edges } = layOut([node('a'), node('b', ['a']), node('c', ['b', 'a'])]);
    assert.equal(edges.find(({ from, to }) => from === 'a' && to === 'c')?.points.length, 4);
  });

  it('ends also where nodes wait for each other in a circle', () => {
    const { nodes } = layOut([node('a', ['c']), node('b', ['a']), node('c', ['b'])]);
    assert.equal(nodes.length, 3);
  });

  it('draws nothing of nothing', () => {
    assert.deepEqual(layOut([]).nodes, []);
  });

  it('writes types as words', () => {
    assert.equal(typeWords('PROMPT_TEMPLATE'), 'Prompt template');
    assert.equal(typeWords('LLM_ASSERTION'), 'LLM assertion');
  });
});
