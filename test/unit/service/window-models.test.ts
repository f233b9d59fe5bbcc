import assert from 'node:assert/strict';
import type { RelayAnswer, RelayOrder } from '../../../src/core/providers/host/relay-messages.ts';
import { WindowModels } from '../../../src/service/models/window-models.ts';
import { until } from '../../support/until.ts';

const body = { model: 'maker/one' };
const whole: RelayAnswer = { chunks: [{ said: 'hello' }] };

describe('Language models of windows', () => {
  let models: WindowModels;
  let told: [id: string, answer: RelayAnswer][];
  const orders = new Map<string, RelayOrder[]>();

  const attach = (id: string, offersModels = true): (() => void) => {
    const got = orders.get(id) ?? [];
    orders.set(id, got);
    return models.attach({ id, offersModels, send: (order) => void got.push(order) });
  };
  const ask = (id: string): void => models.ask(id, body, (answer) => told.push([id, answer]));
  const errorOf = (id: string): string | undefined => {
    const answer = told.find(([of]) => of === id)?.[1];
    return answer !== undefined && 'error' in answer ? answer.error.message : undefined;
  };

  beforeEach(() => {
    models = new WindowModels(20);
    told = [];
    orders.clear();
  });

  it('are asked in the window that was opened last, once, and answer once', () => {
    attach('first');
    attach('second');
    ask('a');
    assert.deepEqual(orders.get('first'), []);
    assert.deepEqual(orders.get('second'), [{ ask: 'a', body }]);
    assert.equal(models.answer('a', whole), true);
    assert.equal(models.answer('a', whole), false);
    assert.deepEqual(told, [['a', whole]]);
  });

  it('are asked again in another window when one is closed, but not without end', () => {
    const close = ['first', 'second', 'third', 'fourth'].map((id) => attach(id));
    ask('a');
    for (const id of ['fourth', 'third', 'second']) {
      assert.equal(orders.get(id)?.length, 1, id);
      close.pop()?.();
    }
    assert.deepEqual(orders.get('first'), []);
    assert.match(errorOf('a') ?? '', /closed before/);
  });

  it('go on in a window that takes hold anew, without being asked twice', () => {
    const before = attach('one');
    ask('a');
    attach('one');
    before();
    assert.deepEqual(orders.get('one'), [{ ask: 'a', body }]);
    models.stop('a');
    assert.deepEqual(orders.get('one')?.at(-1), { stop: 'a' });
    assert.deepEqual(told, []);
  });

  it('are waited for while no window is there, and refused when none comes', async () => {
    ask('a');
    attach('one');
    assert.equal(orders.get('one')?.length, 1);
    models = new WindowModels(20);
    ask('b');
    await until('the end of waiting', () => errorOf('b'));
    assert.match(errorOf('b') ?? '', /No window of VS Code is open/);
  });

  it('are refused at once where no window allows it', () => {
    attach('one', false);
    ask('a');
    assert.match(errorOf('a') ?? '', /aren't allowed/);
    assert.deepEqual(orders.get('one'), []);
  });
});
