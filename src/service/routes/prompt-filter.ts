import type { SqlValue } from '../store/database.ts';
import type { Dialect } from '../store/dialect.ts';

interface PromptFilters {
  readonly prompt_id?: number | undefined;
  readonly prompt_version_id?: number | undefined;
  readonly prompt_label_id?: number | undefined;
}

const places: Readonly<Record<keyof PromptFilters, string>> = {
  prompt_id: 'template.id',
  prompt_version_id: 'template.prompt_version_id',
  prompt_label_id: 'template.prompt_label_id',
};

/** True for a column `c` that runs this prompt; undefined when nothing is asked. */
export function promptCondition(
  dialect: Dialect,
  filters: PromptFilters,
): { condition: string; values: SqlValue[] } | undefined {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  for (const [name, place] of Object.entries(places) as [keyof PromptFilters, string][]) {
    const wanted = filters[name];
    if (wanted === undefined) continue;
    conditions.push(`${dialect.jsonText('c.config_json', place)} = ?`);
    values.push(String(wanted));
  }
  if (conditions.length === 0) return undefined;
  const runsPrompt = `c.type = 'PROMPT_TEMPLATE' and c.deleted_at is null`;
  return { condition: `${runsPrompt} and ${conditions.join(' and ')}`, values };
}
