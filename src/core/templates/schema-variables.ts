import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { plainNumbers } from '../http/json.ts';
import { ownValue } from '../../api/own-value.ts';
import type { Budget } from './budget.ts';
import type { Place } from './render-error.ts';
import { renderText } from './render-text.ts';

const enumName = (value: unknown): string | undefined =>
  isMapping(value) && value['type'] === 'enum_variable' && typeof value['name'] === 'string'
    ? value['name']
    : undefined;

function valuesOf(name: string, variables: Mapping): readonly unknown[] {
  // What is sent to a provider is written by JSON.stringify.
  const value = plainNumbers(ownValue(variables, name) ?? []);
  return Array.isArray(value) ? value : [value];
}

/** A JSON schema with its Jinja2 texts rendered and its enum variables replaced by their values. */
export function fillSchema(
  schema: unknown,
  variables: Mapping,
  place: Place,
  budget?: Budget,
): unknown {
  if (typeof schema === 'string') {
    return /\{\{|\{%/.test(schema)
      ? renderText(schema, 'jinja2', variables, place, budget)
      : schema;
  }
  if (Array.isArray(schema)) {
    return schema.flatMap((item: unknown) => {
      const name = enumName(item);
      return name === undefined
        ? [fillSchema(item, variables, place, budget)]
        : valuesOf(name, variables);
    });
  }
  const name = enumName(schema);
  if (name !== undefined) return valuesOf(name, variables);
  if (!isMapping(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, item]) => [key, fillSchema(item, variables, place, budget)]),
  );
}
