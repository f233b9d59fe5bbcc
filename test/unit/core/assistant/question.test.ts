import assert from 'node:assert/strict';
import { questionOf } from '../../../../src/core/assistant/mcp/question.ts';
import type { Plan } from '../../../../src/core/assistant/tool.ts';

const recalculation: Extract<Plan, { kind: 'recalculate' }> = {
  kind: 'recalculate',
  scope: 'stale',
  ...{ workspace: 'First', table: 'Words', sheet: 'Sheet' },
  ...{ columns: ['Answer'], rowIndices: [3, 5], cellCount: 2, isUpperLimit: true },
  ...{ costUsd: 0.5, costCeilingUsd: undefined },
};
const prompt: Extract<Plan, { kind: 'run' }> = {
  kind: 'run',
  ...{ workspace: 'First', prompt: 'greet', version: 3 },
  ...{ label: undefined, model: 'openai/gpt-4o-mini', costUsd: 0.0021 },
};

describe('questions of the MCP server', () => {
  it('name cells, columns, rows, place, workspace and cost of a recalculation', () => {
    assert.equal(
      questionOf(recalculation),
      'Run up to 2 stale cells (Answer; rows with row_index 3, 5) of Words / Sheet in the workspace "First"? Estimated cost: about $0.50.',
    );
    const one = { ...recalculation, rowIndices: [3], cellCount: 1, isUpperLimit: false };
    assert.match(questionOf(one), /^Run 1 stale cell \(Answer; row with row_index 3\)/);
    const many = { ...recalculation, rowIndices: Array.from({ length: 21 }, (_, at) => at) };
    assert.match(questionOf(many), /\(Answer; 21 rows\)/);
  });

  it('say what is not limited or not known', () => {
    const all = { ...recalculation, columns: undefined, rowIndices: undefined };
    const asked = questionOf({ ...all, scope: 'all', costUsd: undefined, costCeilingUsd: 2 });
    assert.equal(
      asked,
      'Run up to 2 cells (all computed columns; all rows) of Words / Sheet in the workspace "First"? The cost is unknown. Stops at: $2.00 (local workspace only).',
    );
  });

  it('name prompt, version, model, workspace and cost of a run', () => {
    assert.equal(
      questionOf(prompt),
      'Run the prompt greet v3 with openai/gpt-4o-mini in the workspace "First"? Estimated cost: about $0.0021.',
    );
    const labelled = { ...prompt, label: 'prod', model: undefined, costUsd: undefined };
    assert.equal(
      questionOf(labelled),
      'Run the prompt greet prod in the workspace "First"? The cost is unknown.',
    );
  });

  it('name the operation that is cancelled, and how many cells it leaves', () => {
    const cancelling = {
      kind: 'cancel',
      workspace: 'First',
      table: 'Words',
      sheet: 'Sheet',
    } as const;
    assert.equal(
      questionOf({ ...cancelling, operationId: 'op', pendingCount: 7 }),
      'Cancel the operation op of Words / Sheet in the workspace "First"? 7 cells are pending.',
    );
  });
});
