import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  CancelAnswer,
  createOperation,
  getOperation,
  isOperationFinished,
  listOperations,
  Operation,
} from '../../../src/api/operation.ts';
import * as sample from './samples.ts';

const parse = (change: object): Operation => Operation.parse({ ...sample.operation, ...change });

describe('operation', () => {
  it('reads every spelling of a state', () => {
    const spellings: Readonly<Record<string, readonly string[]>> = {
      completed: ['completed', 'COMPLETED', 'succeeded', 'success'],
      failed: ['FAILED', 'error'],
      cancelled: ['cancelled', 'CANCELED'],
      queued: ['queued', 'pending'],
      running: ['RUNNING', 'in_progress'],
    };
    for (const [status, sent] of Object.entries(spellings)) {
      for (const spelling of sent) assert.equal(parse({ status: spelling }).status, status);
    }
    assert.equal(parse({ status: 'Paused' }).status, 'paused');
  });

  it('is finished by its word', () => {
    for (const status of ['COMPLETED', 'failed', 'Cancelled']) {
      assert.equal(isOperationFinished(parse({ status })), true, status);
    }
  });

  it('is finished when nothing is pending and all cells are accounted for', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), fc.nat(50), (completed, failed, pending) => {
        const operation = parse({
          status: 'active',
          cell_count: completed + failed + pending,
          completed_count: completed,
          failed_count: failed,
          pending_count: pending,
        });
        assert.equal(isOperationFinished(operation), pending === 0 && completed + failed > 0);
      }),
    );
  });

  it('that has just been queued without counts is not finished', () => {
    const queued = Operation.parse({ operation_id: 'o', status: 'queued' });
    assert.equal(isOperationFinished(queued), false);
    assert.equal(queued.pending_count, 0);
  });

  it('is an object when read and a text when created', () => {
    assert.equal(
      getOperation.answer.parse({ operation: sample.operation }).operation.cell_count,
      5,
    );
    const created = createOperation.answer.parse({
      success: true,
      operation: 'recalculate',
      operation_id: 'o',
      cells: [{ id: 'virtual', column_id: 'c', row_index: 0, status: 'QUEUED' }],
    });
    assert.equal(created.operation, 'recalculate');
    assert.equal(created.cells?.[0]?.status, 'queued');
  });

  it('list is empty when the answer names none', () => {
    assert.deepEqual(listOperations.answer.parse({ success: true }).active_operations, []);
  });
});

describe('operation request', () => {
  const accepts = (body: unknown): boolean => createOperation.body.safeParse(body).success;

  it('tells "stale only" (absent) from "all statuses" (empty)', () => {
    assert.equal(createOperation.body.parse({})?.statuses, undefined);
    assert.deepEqual(createOperation.body.parse({ statuses: [] })?.statuses, []);
    assert.equal(createOperation.body.parse({ statuses: null })?.statuses, null);
  });

  it('takes uppercase statuses, row indices from 0 and column UUIDs', () => {
    assert.equal(accepts({ statuses: ['STALE', 'FAILED'], row_ids: [0, 9] }), true);
    assert.equal(accepts({ column_ids: [sample.id] }), true);
    assert.equal(accepts(undefined), true);
    for (const body of [
      { statuses: ['stale'] },
      { row_ids: [-1] },
      { row_ids: [1.5] },
      { column_ids: ['answer'] },
      { operation: 'delete' },
      { unknown: 1 },
    ]) {
      assert.equal(accepts(body), false, JSON.stringify(body));
    }
  });
});

describe('cancel answer', () => {
  it('counts missing numbers as zero', () => {
    assert.deepEqual(CancelAnswer.parse({ success: true }), {
      success: true,
      message: '',
      execution_ids: [],
      cancelled_cell_count: 0,
      not_started_reset_count: 0,
      running_invalidated_count: 0,
    });
  });
});
