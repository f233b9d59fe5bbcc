import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  dependentsOf,
  findCycle,
  topologicalOrder,
  type GraphNode,
} from '../../../../src/service/engine/graph.ts';

const node = (id: string, ...on: string[]): GraphNode => ({
  id,
  dependencies: on.map((column_id) => ({ column_id })),
});

/** Graphs without cycles: each node depends on earlier ones only; then shuffled. */
const acyclic = fc
  .array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 25 })
  .map((edges) =>
    edges.map((sources, index) =>
      node(String(index), ...sources.filter((source) => source < index).map(String)),
    ),
  )
  .chain((nodes) =>
    fc.shuffledSubarray(nodes, { minLength: nodes.length, maxLength: nodes.length }),
  );

const any = fc
  .array(fc.array(fc.nat(12), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .map((edges) => edges.map((sources, index) => node(String(index), ...sources.map(String))));

describe('the graph of columns', () => {
  it('has no cycle when columns only use earlier ones', () => {
    fc.assert(fc.property(acyclic, (nodes) => assert.equal(findCycle(nodes), undefined)));
  });

  it('names a cycle edge by edge, exactly when the order cannot be kept', () => {
    fc.assert(
      fc.property(any, (nodes) => {
        const cycle = findCycle(nodes);
        const byId = new Map(nodes.map((item) => [item.id, item]));
        if (cycle) {
          assert.equal(cycle[0], cycle.at(-1));
          for (let at = 0; at + 1 < cycle.length; at += 1) {
            const edges = byId.get(cycle[at]!)!.dependencies;
            assert.ok(edges.some(({ column_id }) => column_id === cycle[at + 1]));
          }
        } else {
          assertOrdered(nodes);
        }
      }),
    );
  });

  it('puts every column after its sources and loses none', () => {
    fc.assert(fc.property(acyclic, assertOrdered));
  });

  it('finds all direct and indirect dependants', () => {
    fc.assert(
      fc.property(any, fc.nat(11), (nodes, start) => {
        const found = dependentsOf(nodes, [String(start)]);
        const slow = new Set<string>();
        for (let grew = true; grew;) {
          grew = false;
          for (const { id, dependencies } of nodes) {
            const uses = dependencies.some(
              ({ column_id }) => column_id === String(start) || slow.has(column_id),
            );
            if (uses && !slow.has(id)) {
              slow.add(id);
              grew = true;
            }
          }
        }
        assert.deepEqual([...found].sort(), [...slow].sort());
      }),
    );
  });

  it('survives a long chain of columns', () => {
    const chain = Array.from({ length: 5000 }, (_, index) =>
      index === 0 ? node('0') : node(String(index), String(index - 1)),
    );
    assert.equal(findCycle(chain), undefined);
    assert.equal(topologicalOrder(chain).length, chain.length);
    assert.equal(dependentsOf(chain, ['0']).size, chain.length - 1);
  });
});

function assertOrdered(nodes: readonly GraphNode[]): void {
  const ordered = topologicalOrder(nodes);
  assert.equal(ordered.length, nodes.length);
  const place = new Map(ordered.map(({ id }, index) => [id, index]));
  for (const { id, dependencies } of nodes) {
    for (const { column_id } of dependencies) {
      const source = place.get(column_id);
      if (source !== undefined) assert.ok(source < place.get(id)!, `${column_id} before ${id}`);
    }
  }
}
