import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  beforeIdOf,
  isPlaced,
  rankBefore,
} from '../../../../../src/extension/ask/column-places.ts';
import { compareKeys, orderKey } from '../../../../../src/extension/grid/rows/order.ts';
import type { OrderKey } from '../../../../../src/extension/grid/rows/order.ts';
import { Pattern } from '../../../../../src/extension/grid/rows/pattern.ts';
import { t } from '../editor-host.ts';

const signal = new AbortController().signal;

describe('the order of cells', () => {
  const key: fc.Arbitrary<OrderKey> = fc.oneof(
    fc.constant(undefined),
    fc.integer(),
    fc.string({ maxLength: 3 }),
  );

  it('puts numbers by size, then texts as people sort them, then nothing', () => {
    const texts = ['b', '10', 'a2', '9', 'a10', '-1.5'];
    const keys = [...texts.map((text) => orderKey('text', text)), orderKey('null', '')];
    const sorted = (direction: 1 | -1): OrderKey[] =>
      keys.toSorted((one, other) => compareKeys(one, other, direction));
    assert.deepEqual(sorted(1), [-1.5, 9, 10, 'a2', 'a10', 'b', undefined]);
    assert.deepEqual(sorted(-1), ['b', 'a10', 'a2', 10, 9, -1.5, undefined]);
  });

  it('is an order: it says the same both ways round, and of what lies between', () => {
    fc.assert(
      fc.property(key, key, key, fc.constantFrom(1 as const, -1 as const), (a, b, c, way) => {
        const order = (one: OrderKey, other: OrderKey): number =>
          Math.sign(compareKeys(one, other, way));
        assert.ok(order(a, b) + order(b, a) === 0);
        if (order(a, b) <= 0 && order(b, c) <= 0) assert.ok(order(a, c) <= 0);
      }),
    );
  });
});

describe('a pattern of the user', () => {
  it('says what is wrong with it', () => {
    assert.throws(() => new Pattern('(', 'u', t), /The pattern can't be used/);
  });

  it('is given up when it takes too long, and hangs nothing', async function () {
    this.timeout(15_000);
    const pattern = new Pattern('^(a+)+$', 'u', t);
    try {
      await assert.rejects(pattern.test([`${'a'.repeat(60)}!`], signal), /takes too long/);
    } finally {
      await pattern.close();
    }
  });
});

describe('places of columns', () => {
  const columns = [
    { id: 'a', position_rank: 1 },
    { id: 'b', position_rank: 2 },
    { id: 'c', position_rank: 2.5 },
  ];

  it('are ranks between those of the neighbours', () => {
    assert.equal(rankBefore(columns, 'a'), 0);
    assert.equal(rankBefore(columns, 'c'), 2.25);
    assert.equal(rankBefore(columns, null), 3.5);
    assert.equal(beforeIdOf(columns, { columnId: 'b', side: 'left' }), 'b');
    assert.equal(beforeIdOf(columns, { columnId: 'c', side: 'right' }), null);
  });

  it('are not known where the service tells no ranks or leaves no room', () => {
    assert.equal(rankBefore([{ id: 'a' }, { id: 'b' }], 'b'), undefined);
    const tight = [
      { id: 'a', position_rank: 1 },
      { id: 'b', position_rank: 1 },
    ];
    assert.equal(rankBefore(tight, 'b'), undefined);
    assert.ok(!isPlaced({ id: 'a', position_rank: 9 }, 3));
    assert.ok(!isPlaced({ id: 'a' }, undefined));
  });
});
