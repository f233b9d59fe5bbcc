import { isMapping } from '../../core/mapping.ts';
import { invalid } from '../http/problem.ts';
import type { Dialect } from '../store/dialect.ts';
import { like } from '../store/folded.ts';
import type { Condition, Filter } from './filter-parts.ts';
import {
  flagCondition,
  listCondition,
  nestedCondition,
  numberCondition,
  textCondition,
  timeCondition,
} from './filter-parts.ts';
import { ownValue } from '../../api/own-value.ts';

const MAX_DEPTH = 10;
const MAX_FILTERS = 200;

type Compile = (filter: Filter, dialect: Dialect) => Condition;

const numbers =
  (column: string): Compile =>
  (filter) =>
    numberCondition(column, filter);
const texts =
  (column: string): Compile =>
  (filter) =>
    textCondition(column, filter, false);
const kindIs =
  (kind: string): Compile =>
  (filter) =>
    flagCondition(`output_kind = '${kind}'`, filter);

const noIntents: Compile = ({ field }) => {
  throw invalid(
    `"${field}" needs a classification of requests by a model, which this local service does not make.`,
  );
};

/** By the names of the public description. */
const fields: Readonly<Record<string, Compile>> = {
  pl_id: numbers('id'),
  prompt_id: numbers('prompt_id'),
  prompt_version_number: numbers('prompt_version_number'),
  input_tokens: numbers('input_tokens'),
  output_tokens: numbers('output_tokens'),
  cost: numbers('price'),
  latency_ms: numbers('latency_ms'),
  engine: texts('model'),
  provider_type: texts('provider'),
  status: texts('status'),
  input_text: (filter) => textCondition('input_text', filter, true),
  output_text: (filter) => textCondition('output_text', filter, true),
  request_start_time: (filter) => timeCondition('started_at', filter),
  request_end_time: (filter) => timeCondition('ended_at', filter),
  is_json: kindIs('json'),
  is_tool_call: kindIs('tool_call'),
  is_plain_text: kindIs('plain_text'),
  tags: (filter, dialect) => listCondition(dialect, 'tags_json', 'items', filter),
  tool_names: (filter, dialect) => listCondition(dialect, 'tool_names_json', 'items', filter),
  metadata_keys: (filter, dialect) => listCondition(dialect, 'metadata_json', 'keys', filter),
  output_keys: (filter, dialect) => listCondition(dialect, 'output_object_json', 'keys', filter),
  input_variable_keys: (filter, dialect) =>
    listCondition(dialect, 'variables_json', 'keys', filter),
  metadata: (filter, dialect) => nestedCondition(dialect, 'metadata_json', filter),
  output: (filter, dialect) => nestedCondition(dialect, 'output_object_json', filter),
  input_variables: (filter, dialect) => nestedCondition(dialect, 'variables_json', filter),
  user_intent: noIntents,
  agent_intent: noIntents,
};

class Groups {
  readonly #dialect: Dialect;
  #count = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  group(sent: unknown, depth: number): Condition {
    if (!isMapping(sent) || !Array.isArray(sent['filters'])) {
      throw invalid('A filter group has "filters", a list of filters and groups.');
    }
    if (depth > MAX_DEPTH) {
      throw invalid(`Filter groups nest at most ${String(MAX_DEPTH)} deep.`);
    }
    const logic = sent['logic'] ?? 'AND';
    if (logic !== 'AND' && logic !== 'OR') throw invalid('"logic" is "AND" or "OR".');
    const parts = sent['filters'].map((one: unknown) =>
      isMapping(one) && 'filters' in one ? this.group(one, depth + 1) : this.#filter(one),
    );
    if (parts.length === 0) return { sql: '1 = 1', values: [] };
    return {
      sql: `(${parts.map(({ sql }) => `(${sql})`).join(logic === 'AND' ? ' and ' : ' or ')})`,
      values: parts.flatMap(({ values }) => values),
    };
  }

  #filter(sent: unknown): Condition {
    this.#count += 1;
    if (this.#count > MAX_FILTERS) {
      throw invalid(`A search has at most ${String(MAX_FILTERS)} filters.`);
    }
    const { field, operator, value, nested_key: key } = isMapping(sent) ? sent : {};
    if (typeof field !== 'string' || typeof operator !== 'string') {
      throw invalid('A filter has a field and an operator, such as "engine" and "is".');
    }
    const compile = ownValue(fields, field);
    if (compile === undefined) {
      throw invalid(`There is no field "${field}". Available: ${Object.keys(fields).join(', ')}.`);
    }
    const nestedKey = typeof key === 'string' ? key.replaceAll('\0', '\u2400') : undefined;
    return compile({ field, operator, value, nestedKey }, this.#dialect);
  }
}

export interface RequestQuery {
  readonly filter_group?: unknown;
  readonly filters?: readonly unknown[] | null | undefined;
  readonly q?: string | null | undefined;
}

/** Words begin anywhere in what was asked or answered; all must be there. */
function wordConditions(q: string): Condition[] {
  const words = q
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 20);
  return words.map((word) => ({
    sql: String.raw`(input_text like ? escape '\' or output_text like ? escape '\')`,
    values: [like(word), like(word)],
  }));
}

/** The requests of a workspace that a query means, as a condition on the table `requests`. */
export function requestConditions(
  dialect: Dialect,
  workspaceId: number,
  { filter_group: group, filters, q }: RequestQuery,
): Condition {
  const groups = [group, filters && { logic: 'AND', filters }].filter(
    (one) => one !== undefined && one !== null,
  );
  const conditions: Condition[] = [
    { sql: 'workspace_id = ?', values: [workspaceId] },
    ...groups.map((one) => new Groups(dialect).group(one, 1)),
    ...wordConditions((q ?? '').replaceAll('\0', '\u2400')),
  ];
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    values: conditions.flatMap(({ values }) => values),
  };
}
