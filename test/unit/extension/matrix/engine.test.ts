import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Budget } from '../../../../src/extension/matrix/budget.ts';
import type { Asked } from '../../../../src/extension/matrix/engine.ts';
import { until } from '../../../support/until.ts';
import { columnOf, columnsOf, done, failed, Gate, makeFolder, openMatrix } from './support.ts';

const keyOf = ({ column, case: one }: Pick<Asked, 'column' | 'case'>): string =>
  `${column.id}/${one.id}`;

describe('matrix: engine', () => {
  let folder: string;
  beforeEach(async () => (folder = await makeFolder()));
  afterEach(() => fs.rm(folder, { recursive: true, force: true }));

  it('asks each cell once, and of no provider more at a time than it has places', async () => {
    const places = { one: 3, two: 5 } as Readonly<Record<string, number>>;
    const columns = columnsOf(3, [
      ['one', 'a'],
      ['two', 'b'],
    ]);
    const asked: string[] = [];
    const now = new Map<string, number>();
    const most = new Map<string, number>();
    const full = new Map(Object.keys(places).map((name) => [name, new Gate()]));
    const matrix = await openMatrix({
      ...{ folder, columns, cases: 40 },
      ask: async (one) => {
        asked.push(keyOf(one));
        const { provider } = one.column;
        now.set(provider, (now.get(provider) ?? 0) + 1);
        most.set(provider, Math.max(most.get(provider) ?? 0, now.get(provider) ?? 0));
        // The first ones wait for each other: so many are asked at once, however busy the machine is.
        if (now.get(provider) === places[provider]) full.get(provider)?.open();
        await full.get(provider)?.passed();
        await delay(1);
        now.set(provider, (now.get(provider) ?? 0) - 1);
        return done(`to ${one.case.id}`);
      },
      parts: { placesOf: (provider) => places[provider] ?? 1 },
    });
    assert.deepEqual(await matrix.run(), {});
    assert.equal(asked.length, 240);
    assert.equal(new Set(asked).size, 240);
    assert.deepEqual(Object.fromEntries(most), places);
    assert.equal(matrix.in('done').length, 240);
    await matrix.cells.close();
  });

  it('goes on with the others when one fails, and asks no more of a column that can only fail', async () => {
    const [broken, down, well] = [
      columnOf('a', 'one', 'x'),
      columnOf('b', 'one', 'y'),
      columnOf('c', 'two', 'z'),
    ];
    const asked = new Map<string, number>();
    const matrix = await openMatrix({
      ...{ folder, columns: [broken, down, well], cases: 30 },
      ask: ({ column }) => {
        asked.set(column.id, (asked.get(column.id) ?? 0) + 1);
        if (column === well) return Promise.resolve(done('well'));
        return Promise.resolve(column === broken ? failed('no key', true) : failed('down'));
      },
      parts: { placesOf: () => 1 },
    });
    assert.deepEqual(await matrix.run(), {});
    assert.deepEqual(
      [broken, down, well].map(({ id }) => asked.get(id)),
      [1, 5, 30],
    );
    assert.equal(matrix.in('failed').length, 60);
    assert.equal(matrix.cells.cell(broken.id, 0).answer?.problem?.message, 'no key');
    assert.equal(matrix.cells.cell(broken.id, 29).answer?.problem?.message, 'Not sent. no key');
    await matrix.cells.close();
  });

  it('loses nothing that was answered when it is killed, and asks nothing twice', async () => {
    const columns = columnsOf(2, [
      ['one', 'a'],
      ['two', 'b'],
    ]);
    const answered: string[] = [];
    const first = await openMatrix({
      ...{ folder, columns, cases: 20, pid: 1 },
      ask: async (one) => {
        if (answered.length >= 30) await new Promise(() => undefined);
        await delay(1);
        answered.push(keyOf(one));
        return done(`answer to ${keyOf(one)}`);
      },
    });
    void first.run();
    // Killed: nothing of it is closed, nothing is written any more.
    await until(
      'all that came is kept',
      () =>
        first.in('done').length === answered.length &&
        answered.length >= 30 &&
        first.in('running').length === 8,
    );
    const file = path.join(folder, `${first.id}.jsonl`);
    await fs.appendFile(file, '{"kind":"answer","columnId":"half');
    const kept = new Set(first.in('done'));
    const running = first.in('running');

    await assert.rejects(
      openMatrix({ ...{ folder, columns, id: first.id }, ask: () => Promise.reject(new Error()) }),
      /running in another window/,
    );
    const again: string[] = [];
    const second = await openMatrix({
      ...{ folder, columns, id: first.id, isRunning: () => false },
      ask: (one) => {
        again.push(keyOf(one));
        return Promise.resolve(done(`answer to ${keyOf(one)}`));
      },
    });
    assert.deepEqual(new Set(second.in('done')), kept);
    assert.deepEqual(second.in('interrupted'), running);
    assert.deepEqual(second.cells.cases, first.cells.cases);
    await second.run();
    assert.equal(again.length, 80 - kept.size);
    assert.deepEqual(
      again.filter((key) => kept.has(key)),
      [],
    );
    for (const key of second.in('done')) {
      const [columnId = '', caseId] = key.split('/');
      const text = await second.cells.textOf(second.cells.cell(columnId, Number(caseId)));
      assert.equal(text, `answer to ${key}`);
    }
    assert.equal(second.in('done').length, 80);
    await assert.rejects(first.cells.release(), /changed in another window/);
    await second.cells.close();
    await first.cells.close();
    assert.equal((await fs.stat(file)).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o600);
  });

  it('stops at its budget, by the prices that come back', async () => {
    const columns = columnsOf(2, [['one', 'a']]);
    let requests = 0;
    const matrix = await openMatrix({
      ...{ folder, columns, cases: 50 },
      ask: async () => {
        await delay(1);
        requests += 1;
        return done('paid', requests);
      },
      parts: {
        price: (requestId) => void delay(2).then(() => matrix.engine.priced(requestId, 0.1)),
      },
    });
    assert.deepEqual(await matrix.run(new Budget(1.05)), { halt: 'budget' });
    assert.equal(requests, 10);
    assert.equal(matrix.in('waiting').length, 90);
    // What was asked before is not paid again.
    assert.deepEqual(await matrix.run(new Budget(0.55)), { halt: 'budget' });
    assert.equal(requests, 15);
    await matrix.cells.close();
  });

  it('ends when the disk is full, and keeps what it has paid for', async () => {
    const columns = columnsOf(1, [['one', 'a']]);
    let asked = 0;
    const matrix = await openMatrix({
      ...{ folder, columns, cases: 30 },
      ask: async () => {
        asked += 1;
        if (asked === 3) {
          matrix.cells.answered = () => Promise.reject(new Error('no space left'));
        }
        await delay(1);
        return done('paid');
      },
      parts: { placesOf: () => 1 },
    });
    const { halt, error } = await matrix.run();
    assert.equal(halt, 'interrupted');
    assert.match(String(error), /no space left/);
    assert.equal(asked, 3);
    await matrix.cells.close();
  });

  it('judges each answer once, with a place of the judge', async () => {
    const columns = columnsOf(2, [['one', 'a']]);
    const judged: string[] = [];
    const model = { provider: 'judge', name: 'j' };
    const scorers = [{ id: 's', kind: 'assertion' as const, statement: 'It is short.', model }];
    let [now, most] = [0, 0];
    const matrix = await openMatrix({
      ...{ folder, columns, cases: 10, scorers },
      ask: ({ case: one }) => Promise.resolve(done(`answer ${one.id}`)),
      parts: {
        providerOf: () => 'judge',
        placesOf: (provider) => (provider === 'judge' ? 2 : 4),
        judge: async ({ scorer, text, column, case: one }) => {
          judged.push(`${column.id}/${one.id}`);
          assert.equal(text, `answer ${one.id}`);
          now += 1;
          most = Math.max(most, now);
          await delay(1);
          now -= 1;
          return { scorerId: scorer.id, pass: one.id % 2 === 0 };
        },
      },
    });
    assert.equal(matrix.engine.toAsk(columns, scorers).judges, 20);
    await matrix.run();
    assert.equal(new Set(judged).size, 20);
    assert.equal(judged.length, 20);
    assert.equal(most, 2);
    assert.equal(matrix.engine.toAsk(columns, scorers).judges, 0);
    await matrix.run();
    assert.equal(judged.length, 20);
    await matrix.cells.close();
  });
});
