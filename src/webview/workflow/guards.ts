/**
 * Checks what the extension sends: enough of its shape that nothing here can trip over it. The
 * full truth of the values is the extension's business.
 */
import { runStates } from '../../protocol/run.ts';
import { nodeStates } from '../../protocol/workflow.ts';
import type { WorkflowPanelView, WorkflowViewEvents } from '../../protocol/workflow.ts';
import {
  flag,
  listOf,
  nullable,
  number,
  oneOf,
  optional,
  shape,
  text,
  type Check,
} from '../common/checks.ts';
import { t } from '../common/language.ts';
import { incomingOf, readerOf } from '../common/read.ts';
import { choice, problem, runVariables } from '../common/run-checks.ts';

const page = shape({ panelId: text, connectionId: text, workflowName: text, choice });
const names = listOf(text);
const presentation = shape({
  name: text,
  choice: text,
  version: optional(number),
  connection: shape({ name: text, local: flag }),
  variables: runVariables,
  nodes: listOf(shape({ name: text, type: text, isOutput: flag, after: names, onlyIf: names })),
});
const status = shape({
  runId: number,
  state: oneOf(runStates),
  elapsedMs: number,
  executionId: optional(number),
  problem: optional(problem),
  note: optional(text),
});
const value = shape({ kind: oneOf(['text', 'json']), text, leftOut: number });
const nodes = listOf(
  shape({
    name: text,
    state: oneOf(nodeStates),
    status: text,
    value: optional(value),
    error: optional(text),
    rawError: optional(text),
    warning: optional(text),
    tookMs: optional(number),
  }),
);
const reported = { page, presentation: nullable(presentation), problem: nullable(problem) };

const events: { readonly [Name in keyof WorkflowViewEvents]: Check<WorkflowViewEvents[Name]> } = {
  workflow: shape(reported),
  started: status,
  progress: shape({ status, nodes, final: optional(value) }),
};

const view: Check<WorkflowPanelView> = shape({
  ...reported,
  run: shape({ status, nodes, final: optional(value) }),
});

export const asView = readerOf('panel')(view, () => t('a workflow'));
export const checkIncoming = incomingOf('panel', { events, requests: { start: oneOf([null]) } });
