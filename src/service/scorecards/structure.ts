import * as z from 'zod';
import { defineColumn, sourceName } from '../engine/columns/column-kind.ts';
import { isObject, jsonToText, toJson, type Json } from '../engine/columns/json.ts';
import { readDecimal } from '../engine/columns/decimal.ts';
import { orderOf, sameJson } from '../../core/comparison.ts';
import { EngineProblem, readAt } from '../engine/problem.ts';

/**
 * The part of JSON Schema that describes answers of models. Written out here, because a whole
 * validator would compile what a user sends into code.
 */
type Schema = { readonly [keyword: string]: Json };

const checks: Readonly<Record<string, (rule: Json, value: Json) => boolean>> = {
  type: (rule, value) => list(rule).some((name) => isType(name, value)),
  enum: (rule, value) => list(rule).some((one) => sameJson(one, value)),
  const: (rule, value) => sameJson(rule, value),
  required: (rule, value) =>
    !isObject(value) ||
    list(rule).every((name) => typeof name === 'string' && Object.hasOwn(value, name)),
  properties: (rule, value) =>
    !isObject(value) ||
    Object.entries(objectOf(rule)).every(
      ([name, schema]) =>
        !Object.hasOwn(value, name) || checkStructure(objectOf(schema), value[name] ?? null),
    ),
  items: (rule, value) =>
    !Array.isArray(value) || value.every((item) => checkStructure(objectOf(rule), item)),
  minItems: (rule, value) => !Array.isArray(value) || value.length >= Number(rule),
  maxItems: (rule, value) => !Array.isArray(value) || value.length <= Number(rule),
  minLength: (rule, value) => typeof value !== 'string' || value.length >= Number(rule),
  maxLength: (rule, value) => typeof value !== 'string' || value.length <= Number(rule),
  minimum: (rule, value) => fits(value, rule, (order) => order >= 0),
  maximum: (rule, value) => fits(value, rule, (order) => order <= 0),
};

/** Say something about a schema and nothing about a value. */
const silent = ['title', 'description', '$schema', 'default', 'examples', 'additionalProperties'];
const DEPTH = 20;

const list = (rule: Json): readonly Json[] => (Array.isArray(rule) ? rule : [rule]);
const objectOf = (rule: Json): Schema => (isObject(rule) ? rule : {});
const numeric = (value: Json): Json => (typeof value === 'string' ? null : value);

/** A limit says something about numbers alone. */
function fits(value: Json, limit: Json, test: (order: number) => boolean): boolean {
  const order = orderOf(numeric(value), numeric(limit));
  return typeof order === 'string' || test(order);
}

function isType(name: Json, value: Json): boolean {
  switch (name) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return value !== null && isObject(value);
    case 'number':
      return readDecimal(numeric(value)) !== undefined;
    case 'integer':
      return readDecimal(numeric(value))?.mod(1).eq(0) ?? false;
    default:
      return typeof value === name;
  }
}

/** `schema`, or the names of the fields that must be there in `required_keys`. */
function compileStructure(config: Json): Schema {
  const { schema, required_keys: keys } = objectOf(config);
  if (schema !== undefined && schema !== null) {
    readAt(['schema'], () => refuseUnknown(schema, 'schema', 0));
    return objectOf(schema);
  }
  if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) {
    return { type: 'object', required: keys };
  }
  throw new EngineProblem(
    'invalid_config',
    'A STRUCTURE step needs a JSON Schema in "schema", or names of fields in "required_keys".',
  );
}

function refuseUnknown(schema: Json, place: string, depth: number): void {
  if (schema === null || !isObject(schema) || depth > DEPTH) {
    throw new EngineProblem(
      'invalid_config',
      `"${place}" must be an object that is a JSON Schema.`,
    );
  }
  for (const keyword of Object.keys(schema)) {
    if (!Object.hasOwn(checks, keyword) && !silent.includes(keyword)) {
      throw new EngineProblem(
        'invalid_config',
        `"${place}" has the keyword "${keyword}", which is not checked here. Known: ${Object.keys(checks).join(', ')} and additionalProperties: false.`,
      );
    }
  }
  for (const [name, inner] of Object.entries(objectOf(schema['properties'] ?? null))) {
    refuseUnknown(inner, `${place}.properties.${name}`, depth + 1);
  }
  if (schema['items'] !== undefined) refuseUnknown(schema['items'], `${place}.items`, depth + 1);
}

function checkStructure(schema: Schema, value: Json): boolean {
  const isClosed = schema['additionalProperties'] === false;
  if (isClosed && value !== null && isObject(value)) {
    const known = objectOf(schema['properties'] ?? null);
    if (Object.keys(value).some((name) => !Object.hasOwn(known, name))) return false;
  }
  return Object.entries(schema).every(([keyword, rule]) => checks[keyword]?.(rule, value) ?? true);
}

/** Comparisons that take about 20 ms. */
const QUICK_STEPS = 1_000_000;

/** Whether a value has the form that a JSON Schema describes. Each part may be held against each. */
export const structure = defineColumn(
  'STRUCTURE',
  z.looseObject({ source: sourceName }),
  (config) => {
    const shape = compileStructure(config as Json);
    return {
      slow: false,
      quickUpTo: Math.floor(QUICK_STEPS / jsonToText(config as Json).length),
      compute: (sources) => {
        const { title, value } = sources.one('source');
        return checkStructure(shape, toJson(value, title));
      },
    };
  },
);
