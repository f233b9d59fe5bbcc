import assert from 'node:assert/strict';
import type { NodeOutput, WorkflowVersion } from '../../../../src/api/workflow.ts';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import { checkFromWorkflowPanel } from '../../../../src/extension/workflow-panel/messages.ts';
import { redactText } from '../../../../src/core/redact.ts';
import * as reports from '../../../../src/extension/workflow-panel/report.ts';
import {
  finalOf,
  graphOf,
  valueOf,
  variablesOf,
} from '../../../../src/extension/workflow-panel/report.ts';
import { asView, checkIncoming } from '../../../../src/webview/workflow/guards.ts';

const output = (status: string, value: unknown, isOutput = true) => ({
  ...{ status, value, error_message: null, raw_error_message: null, is_output_node: isOutput },
});

const redact = (text: string): string => redactText(text, []);
const reportOf = (name: string, given: NodeOutput) => reports.reportOf(name, given, { redact });

const version = (rest: object): WorkflowVersion => ({
  ...{ workflow_id: 1, workflow_name: 'w', version: 1, nodes: [] },
  ...rest,
});

describe('workflow panel: reports', () => {
  it('give the value of a node that is done, as text or as JSON with all its digits', () => {
    assert.deepEqual(reportOf('a', output('success', 'said')).value, {
      ...{ kind: 'text', text: 'said', leftOut: 0 },
    });
    const exact = reportOf('a', output('SUCCESS', [new ExactNumber('12345678901234567890')]));
    assert.match(exact.value?.text ?? '', /12345678901234567890/);
    assert.equal(reportOf('a', output('SUCCESS', null)).value?.text, 'null');
    assert.equal(reportOf('a', output('RUNNING', null)).value, undefined);
  });

  it('leave out the end of what is too long to be shown', () => {
    const { text, leftOut } = valueOf('x'.repeat(100_010));
    assert.deepEqual([text.length, leftOut], [100_000, 10]);
  });

  it('tell both errors of a node once, and a status that is not known in its own word', () => {
    const failed = { ...output('FAILED', null), error_message: 'e', raw_error_message: 'e' };
    assert.deepEqual(reportOf('a', failed), {
      ...{ name: 'a', state: 'failed', status: 'FAILED', error: 'e' },
    });
    assert.equal(reportOf('a', { ...failed, raw_error_message: 'raw' }).rawError, 'raw');
    assert.deepEqual(reportOf('a', output('PAUSED', null)), {
      ...{ name: 'a', state: 'unknown', status: 'PAUSED' },
    });
  });

  it('hide keys that an error has let slip', () => {
    const leaked = { ...output('FAILED', null), error_message: 'Bearer sk-abcdefghijklmnop123456' };
    assert.doesNotMatch(reportOf('a', leaked).error ?? '', /abcdefghijklmnop/);
  });

  it('give the value of the output node, or of each by its name', () => {
    assert.deepEqual(finalOf({ a: output('SUCCESS', null) }), { value: null });
    assert.deepEqual(finalOf({ a: output('SUCCESS', 1), b: output('SUCCESS', 2) }), {
      value: { a: 1, b: 2 },
    });
    assert.equal(finalOf({ a: output('SUCCESS', 1, false), b: output('FAILED', 2) }), undefined);
  });

  it('make a form and a graph of the definition', () => {
    const nodes = ['a', 'b'].map((name) => ({
      ...{ id: name, name, node_type: 'T', is_output_node: name === 'b', configuration: {} },
      dependencies: name === 'b' ? ['a', 'question'] : ['question'],
    }));
    const edge = { source_node_name: 'a', target_node_name: 'b', is_and: true, conditionals: [{}] };
    const workflow = version({
      nodes,
      edges: [edge],
      required_input_variables: { question: 'string', count: 'number' },
    });
    assert.deepEqual(
      graphOf(workflow).map(({ name, after, onlyIf }) => [name, after, onlyIf]),
      [
        ['a', [], []],
        ['b', ['a'], ['a']],
      ],
    );
    assert.deepEqual(variablesOf(workflow), [
      { name: 'question', kind: 'text', text: '' },
      { name: 'count', kind: 'json', text: '', type: 'number' },
    ]);
  });
});

describe('workflow panel: messages', () => {
  it('are refused when they are none of ours or do not fit', () => {
    for (const [kind, name, payload] of [
      ['request', 'runAll', null],
      ['request', 'constructor', null],
      ['request', 'copyOutput', { node: 3 }],
      ['event', 'ready', null],
    ] as const) {
      assert.throws(() => checkFromWorkflowPanel(kind, name, payload), name);
    }
    assert.deepEqual(checkFromWorkflowPanel('request', 'copyOutput', { node: null }), {
      node: null,
    });
  });

  it('of the extension are refused by the page as well', () => {
    const status = { runId: 1, state: 'running', elapsedMs: 3 };
    const node = { name: 'a', state: 'done', status: 'SUCCESS' };
    assert.deepEqual(checkIncoming('event', 'progress', { status, nodes: [node] }), {
      ...{ status, nodes: [node] },
    });
    for (const payload of [{ status }, { status, nodes: [{ ...node, state: 'flying' }] }]) {
      assert.throws(() => checkIncoming('event', 'progress', payload));
    }
    assert.throws(() => checkIncoming('request', 'stop', null));
    assert.throws(() => asView({ page: {} }));
  });
});
