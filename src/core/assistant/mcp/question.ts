import type { Plan } from '../tool.ts';

const usd = (amount: number): string => (amount < 0.01 ? amount.toFixed(4) : amount.toFixed(2));

const costText = (amount: number | undefined): string =>
  amount === undefined ? 'The cost is unknown.' : `Estimated cost: about $${usd(amount)}.`;

/** The question to the user before a tool changes or costs something. */
export function questionOf(plan: Plan): string {
  const where = `in the workspace "${plan.workspace}"`;
  switch (plan.kind) {
    case 'recalculate': {
      const { cellCount, isUpperLimit, columns, rowIndices, scope, costUsd } = plan;
      const count = `${isUpperLimit ? 'up to ' : ''}${String(cellCount)} ${scope === 'all' ? '' : `${scope} `}cells`;
      const which = columns === undefined ? 'all computed columns' : columns.join(', ');
      const rows = rowIndices === undefined ? 'all rows' : `${String(rowIndices.length)} rows`;
      return `Run ${count} (${which}; ${rows}) of ${plan.table} / ${plan.sheet} ${where}? ${costText(costUsd)}`;
    }
    case 'cancel': {
      const pending =
        plan.pendingCount === undefined ? '' : ` ${String(plan.pendingCount)} cells are pending.`;
      return `Cancel the operation ${plan.operationId} of ${plan.table} / ${plan.sheet} ${where}?${pending}`;
    }
    case 'run': {
      const version = plan.label ?? (plan.version === undefined ? '' : `v${String(plan.version)}`);
      const model = plan.model === undefined ? '' : ` with ${plan.model}`;
      return `Run the prompt ${plan.prompt} ${version}${model} ${where}? ${costText(plan.costUsd)}`;
    }
  }
}
