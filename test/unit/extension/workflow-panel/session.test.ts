import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeOutput, NodeOutputs, WorkflowProgress } from '../../../../src/core/index.ts';
import { NotFoundError, ServerError } from '../../../../src/core/errors.ts';
import type { WorkflowRecord } from '../../../../src/extension/workflow-panel/records.ts';
import { WorkflowSession } from '../../../../src/extension/workflow-panel/session.ts';
import type { NodeReport, WorkflowStatus } from '../../../../src/protocol/workflow.ts';
import { until } from '../../../support/until.ts';

const output = (status: string, value: unknown = null, isOutput = false): NodeOutput => ({
  ...{ status, value, error_message: null, raw_error_message: null, is_output_node: isOutput },
});

interface Started {
  readonly signal: AbortSignal;
  readonly progress: (progress: WorkflowProgress) => void;
  readonly end: (nodes: NodeOutputs) => void;
  readonly fail: (error: unknown) => void;
}

describe('workflow panel: session', () => {
  let session: WorkflowSession;
  let runs: Started[];
  let reported: { readonly status: WorkflowStatus; readonly nodes: readonly NodeReport[] }[];
  let kept: WorkflowRecord[];
  let cancelled: number[];
  let now: number;
  let cancel: (executionId: number) => Promise<unknown>;

  beforeEach(() => {
    [runs, reported, kept, cancelled, now] = [[], [], [], [], 0];
    cancel = (executionId) => {
      cancelled.push(executionId);
      return Promise.resolve();
    };
    session = new WorkflowSession({
      start: (_, { signal, onProgress }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          runs.push({ signal, progress: onProgress, end: resolve, fail: reject });
        }),
      cancel: (executionId) => cancel(executionId),
      emit: (name, payload) => {
        if (name === 'progress' && 'nodes' in payload) reported.push(payload);
      },
      problemOf: (error) => ({ message: error instanceof Error ? error.message : String(error) }),
      redact: (text) => text,
      note: () => undefined,
      goesOn: 'goes on',
      noOutput: 'no output',
      onState: () => undefined,
      save: (record) => kept.push(record),
      onEnd: () => undefined,
      now: () => now,
    });
  });
  afterEach(() => session.dispose());

  const begin = async (): Promise<Started> => {
    session.begin([]);
    await delay(0);
    const run = runs.at(-1);
    assert.ok(run);
    return run;
  };
  const over = async (): Promise<WorkflowStatus> => {
    await until('the run has ended', () => !session.isRunning);
    return session.record().status;
  };

  it('tells of the nodes that changed, and how long each took', async () => {
    const run = await begin();
    run.progress({ executionId: 7, nodes: {}, changed: [] });
    run.progress({ executionId: 7, nodes: { a: output('RUNNING') }, changed: ['a'] });
    now = 1500;
    run.end({ a: output('SUCCESS', 'said', true) });
    const status = await over();
    assert.deepEqual(status, { runId: 1, state: 'done', elapsedMs: 1500, executionId: 7 });
    const reports = reported.flatMap(({ nodes }) => nodes);
    assert.deepEqual(
      reports.map(({ state, tookMs }) => [state, tookMs]),
      [
        ['running', undefined],
        ['done', 1500],
      ],
    );
    assert.deepEqual(session.snapshot().final, { kind: 'text', text: 'said', leftOut: 0 });
    assert.equal(kept.at(-1)?.status.state, 'done');
  });

  it('has failed when no output node has succeeded', async () => {
    const run = await begin();
    run.end({ a: output('SUCCESS', 1), b: output('FAILED', null, true) });
    const { state, problem } = await over();
    assert.deepEqual([state, problem], ['failed', { message: 'no output' }]);
  });

  it('has failed when the service could not be asked, and keeps what it knows', async () => {
    const run = await begin();
    run.progress({ executionId: 3, nodes: { a: output('SUCCESS', 1) }, changed: ['a'] });
    run.fail(new ServerError('down'));
    const { state, problem } = await over();
    assert.deepEqual([state, problem?.message], ['failed', 'down']);
    assert.deepEqual(session.valueOf('a'), { value: 1 });
  });

  it('cancels at the service, and waits for what its nodes had done', async () => {
    const run = await begin();
    run.progress({ executionId: 9, nodes: { a: output('RUNNING') }, changed: ['a'] });
    session.stop();
    session.stop();
    await until('it is cancelled', () => cancelled.length > 0);
    assert.deepEqual(cancelled, [9]);
    assert.equal(session.isRunning, true);
    run.end({ a: output('SKIPPED', null, true) });
    const { state, problem, note } = await over();
    assert.deepEqual([state, problem, note], ['stopped', undefined, undefined]);
  });

  it('cancels as soon as it knows what to cancel', async () => {
    const run = await begin();
    session.stop();
    assert.equal((await over()).state, 'stopped');
    assert.equal(run.signal.aborted, true);
  });

  it('says so when the service cannot cancel', async () => {
    cancel = () => Promise.reject(new NotFoundError('no such path'));
    const run = await begin();
    run.progress({ executionId: 9, nodes: {}, changed: [] });
    session.stop();
    const { state, note } = await over();
    assert.deepEqual([state, note], ['stopped', 'goes on']);
  });

  it('does not mistake the run before for the one that goes on', async () => {
    const first = await begin();
    first.progress({ executionId: 1, nodes: {}, changed: [] });
    const second = await begin();
    const before = reported.length;
    first.end({ a: output('SUCCESS', 'late', true) });
    await delay(5);
    assert.equal(reported.length, before);
    second.end({ a: output('SUCCESS', 'right', true) });
    await over();
    assert.deepEqual(session.valueOf(null), { value: 'right' });
  });

  it('calls a run interrupted that went on when the window went', () => {
    session.restore({
      status: { runId: 4, state: 'running', elapsedMs: 20, executionId: 5 },
      nodes: { a: output('SUCCESS', 'kept') },
    });
    const { status, nodes } = session.snapshot();
    assert.deepEqual([status.state, status.note], ['interrupted', 'goes on']);
    assert.equal(nodes[0]?.value?.text, 'kept');
  });
});
