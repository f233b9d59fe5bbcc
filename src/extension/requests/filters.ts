import * as z from 'zod';
import type { Translate } from '../shell/translate.ts';

export const Filter = z.object({
  field: z.string(),
  operator: z.string(),
  value: z
    .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
    .exactOptional(),
  /** Of a field that holds others: which of them. */
  nestedKey: z.string().exactOptional(),
  /** How the value is called, where it is an id. */
  shown: z.string().exactOptional(),
});
export type Filter = Readonly<z.output<typeof Filter>>;

export type FieldKind = 'text' | 'number' | 'time' | 'flag' | 'list' | 'nested' | 'prompt';

export interface LogField {
  readonly name: string;
  readonly title: string;
  readonly kind: FieldKind;
  /** By which name the service suggests values of it. */
  readonly suggested?: string;
  /** By which name it suggests the keys of a nested one. */
  readonly suggestedKeys?: string;
}

/** Fields that a search can be made by, those wanted most first. */
export const logFields = (t: Translate): readonly LogField[] => [
  { name: 'prompt_id', title: t('Prompt'), kind: 'prompt' },
  { name: 'engine', title: t('Model'), kind: 'text', suggested: 'engine' },
  { name: 'status', title: t('Status'), kind: 'text', suggested: 'status' },
  { name: 'request_start_time', title: t('Started'), kind: 'time' },
  { name: 'cost', title: t('Cost (USD)'), kind: 'number' },
  { name: 'latency_ms', title: t('Latency (ms)'), kind: 'number' },
  { name: 'tags', title: t('Tags'), kind: 'list', suggested: 'tags' },
  {
    ...{ name: 'metadata', title: t('Metadata'), kind: 'nested' },
    ...{ suggested: 'metadata_values', suggestedKeys: 'metadata_keys' },
  },
  {
    ...{ name: 'input_variables', title: t('Variable'), kind: 'nested' },
    ...{ suggested: 'input_variable_values', suggestedKeys: 'input_variable_keys' },
  },
  {
    ...{ name: 'output', title: t('Field of the output'), kind: 'nested' },
    ...{ suggested: 'output_values', suggestedKeys: 'output_keys' },
  },
  { name: 'input_text', title: t('Text of the input'), kind: 'text' },
  { name: 'output_text', title: t('Text of the output'), kind: 'text' },
  { name: 'provider_type', title: t('Provider'), kind: 'text', suggested: 'provider_type' },
  { name: 'prompt_version_number', title: t('Version'), kind: 'number' },
  { name: 'input_tokens', title: t('Tokens in'), kind: 'number' },
  { name: 'output_tokens', title: t('Tokens out'), kind: 'number' },
  { name: 'tool_names', title: t('Tools called'), kind: 'list', suggested: 'tool_names' },
  { name: 'is_tool_call', title: t('Calls a tool'), kind: 'flag' },
  { name: 'is_json', title: t('Answers with JSON'), kind: 'flag' },
  { name: 'request_end_time', title: t('Ended'), kind: 'time' },
  { name: 'pl_id', title: t('Request'), kind: 'number' },
];

export interface Operator {
  readonly name: string;
  readonly title: string;
  /** How many values it takes. */
  readonly values: 0 | 1 | 2;
}

export function operatorsOf(kind: FieldKind, t: Translate): readonly Operator[] {
  const one = (name: string, title: string): Operator => ({ name, title, values: 1 });
  const none = (name: string, title: string): Operator => ({ name, title, values: 0 });
  const between: Operator = { name: 'between', title: t('is between'), values: 2 };
  const filled = [
    none('is_empty', t('is empty')),
    none('is_not_empty', t('is not empty')),
  ] as const;
  const order = [
    one('gt', t('is greater than')),
    one('gte', t('is at least')),
    one('lt', t('is less than')),
    one('lte', t('is at most')),
  ] as const;
  switch (kind) {
    case 'text':
      return [
        one('is', t('is')),
        one('is_not', t('is not')),
        one('contains', t('contains')),
        one('not_contains', t('does not contain')),
        one('starts_with', t('starts with')),
        one('ends_with', t('ends with')),
        ...filled,
      ];
    case 'number':
      return [one('eq', t('is')), one('neq', t('is not')), ...order, between, ...filled];
    case 'time':
      return [one('after', t('is after')), one('before', t('is before')), between];
    case 'flag':
      return [none('is_true', t('yes')), none('is_false', t('no'))];
    case 'list':
      return [
        one('contains', t('contains')),
        one('not_contains', t('does not contain')),
        ...filled,
      ];
    case 'nested':
      return [
        one('is', t('is')),
        one('is_not', t('is not')),
        one('contains', t('contains')),
        ...order,
        ...filled,
      ];
    case 'prompt':
      return [one('is', t('is')), one('is_not', t('is not'))];
  }
}

/** A filter in words: `Cost (USD) is at least 0.01`. */
export function filterText(filter: Filter, t: Translate): string {
  const field = logFields(t).find(({ name }) => name === filter.field);
  const operator = operatorsOf(field?.kind ?? 'text', t).find(
    ({ name }) => name === filter.operator,
  );
  const { value, nestedKey, shown } = filter;
  const title = field?.title ?? filter.field;
  const values = Array.isArray(value) ? value.join(' – ') : value?.toString();
  return [
    nestedKey === undefined ? title : `${title} ${nestedKey}`,
    operator?.title ?? filter.operator,
    shown ?? values,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** All of them, as a search wants them; undefined: none. */
export function groupOf(filters: readonly Filter[]): Readonly<Record<string, unknown>> | undefined {
  if (filters.length === 0) return undefined;
  return {
    logic: 'AND',
    filters: filters.map(({ field, operator, value, nestedKey }) => ({
      ...{ field, operator },
      ...(value !== undefined && { value }),
      ...(nestedKey !== undefined && { nested_key: nestedKey }),
    })),
  };
}
