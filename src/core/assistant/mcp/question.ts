import type { Plan } from '../tool.ts';

const usd = (amount: number): string => (amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2));

/** Rows by their index; long lists are counted. */
const mostNamed = 20;
function rowsText(rows: readonly number[] | undefined): string {
  if (rows === undefined) return 'all rows';
  if (rows.length > mostNamed) return `${String(rows.length)} rows`;
  return `${rows.length === 1 ? 'row' : 'rows'} with row_index ${rows.join(', ')}`;
}

const costText = (amount: number | undefined): string =>
  amount === undefined ? 'The cost is unknown.' : `Estimated cost: about $${usd(amount)}.`;

/** The question to the user before a tool changes or costs something. */
export function questionOf(plan: Plan): string {
  const where = `in the workspace "${plan.workspace}"`;
  switch (plan.kind) {
    case 'recalculate': {
      const { cellCount, isUpperLimit, columns, rowIndices, scope, costUsd, costCeilingUsd } = plan;
      const count = `${isUpperLimit ? 'up to ' : ''}${String(cellCount)} ${scope === 'all' ? '' : `${scope} `}${cellCount === 1 ? 'cell' : 'cells'}`;
      const which = columns === undefined ? 'all computed columns' : columns.join(', ');
      const limit =
        costCeilingUsd === undefined
          ? ''
          : ` Stops at: $${usd(costCeilingUsd)} (local workspace only).`;
      return `Run ${count} (${which}; ${rowsText(rowIndices)}) of ${plan.table} / ${plan.sheet} ${where}? ${costText(costUsd)}${limit}`;
    }
    case 'cancel': {
      const pending =
        plan.pendingCount === undefined ? '' : ` ${String(plan.pendingCount)} cells are pending.`;
      return `Cancel the operation ${plan.operationId} of ${plan.table} / ${plan.sheet} ${where}?${pending}`;
    }
    case 'run': {
      const version = plan.label ?? (plan.version === undefined ? '' : `v${String(plan.version)}`);
      const model = plan.model === undefined ? '' : ` with ${plan.model}`;
      const sentTo = plan.sentTo === undefined ? '' : ` Requests go to ${plan.sentTo}.`;
      return `Run the prompt ${plan.prompt} ${version}${model} ${where}?${sentTo} ${costText(plan.costUsd)}`;
    }
  }
}
