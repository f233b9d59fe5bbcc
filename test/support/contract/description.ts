import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Method } from '../../../src/api/endpoint.ts';

/** A JSON Schema as far as the tests look into it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping?: Readonly<Record<string, string>>;
  };
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface DescribedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/**
 * The public description of the service is not ours to ship. Without it the contract tests are
 * skipped, and say so.
 */
export function contract(title: string, body: (description: Description) => void): void {
  const file = descriptionFile();
  if (file === undefined) {
    describe.skip(title, () => {
      it('needs the public description (PROMPT_TABLES_OPENAPI)', () => undefined);
    });
    return;
  }
  describe(title, function () {
    this.timeout(60_000);
    body(new Description(file));
  });
}

let hasWarned = false;

function descriptionFile(): string | undefined {
  const wanted = process.env['PROMPT_TABLES_OPENAPI'];
  const file =
    wanted ?? path.resolve(import.meta.dirname, '../../../../shared/contract/openapi.json');
  if (existsSync(file)) return file;
  if (wanted !== undefined)
    throw new Error(`PROMPT_TABLES_OPENAPI names ${file}, which is missing.`);
  if (hasWarned) return undefined;
  hasWarned = true;
  console.warn(
    '\n  CONTRACT TESTS SKIPPED: no public description of the service on this machine.\n' +
      '  Download its openapi.json and set PROMPT_TABLES_OPENAPI to the file.\n',
  );
  return undefined;
}

/** The public description, with its dialect settled and its answers compiled. */
export class Description {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  readonly #compiled = new Map<Schema, ValidateFunction>();

  constructor(file: string) {
    const text = readFileSync(file, 'utf8');
    this.#document = settleNullable(JSON.parse(text)) as Document;
    formats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'public', components: this.#document.components });
  }

  /** By method and path; what the parameters of a path are called is nobody's business. */
  operation(method: Method, template: string): DescribedOperation | undefined {
    const wanted = withoutNames(template);
    const known = Object.keys(this.#document.paths).find((path) => withoutNames(path) === wanted);
    return known === undefined ? undefined : this.#document.paths[known]?.[method.toLowerCase()];
  }

  /** Method and path of all that is described below a path. */
  operationsBelow(prefix: string): string[] {
    const methods = ['get', 'post', 'patch', 'put', 'delete'];
    return Object.entries(this.#document.paths)
      .filter(([template]) => template === prefix || template.startsWith(`${prefix}/`))
      .flatMap(([template, item]) =>
        Object.keys(item)
          .filter((method) => methods.includes(method))
          .map((method) => `${method.toUpperCase()} ${template}`),
      );
  }

  query(operation: DescribedOperation): Readonly<Record<string, Schema>> {
    const parameters = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
    return Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  }

  body(operation: DescribedOperation): Schema | undefined {
    const schema = operation.requestBody?.content['application/json']?.schema;
    return schema && this.#whole(schema);
  }

  /** A body that may also be null is the one that it is otherwise; parts of one are put together. */
  #whole(sent: Schema): Schema {
    const schema = this.resolve(sent);
    const choices = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    if (choices.length === 1 && choices[0] !== undefined) return this.#whole(choices[0]);
    if (schema.allOf === undefined) return schema;
    const parts = schema.allOf.map((part) => this.#whole(part));
    return {
      type: 'object',
      properties: Object.assign(
        {},
        ...parts.map(({ properties }) => properties ?? {}),
      ) as NonNullable<Schema['properties']>,
      required: parts.flatMap(({ required }) => required ?? []),
    };
  }

  /** Schema of an answer; undefined when the status is not documented. */
  answer(operation: DescribedOperation, status: number): Schema | undefined {
    const sent = operation.responses[String(status)];
    const response =
      sent?.$ref === undefined ? sent : this.#document.components.responses[lastPart(sent.$ref)];
    if (response === undefined) return undefined;
    return response.content?.['application/json']?.schema ?? {};
  }

  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = this.#document.components.schemas[lastPart(schema.$ref)];
    if (found === undefined) throw new Error(`The description lacks ${schema.$ref}.`);
    return this.resolve(found);
  }

  /** What of a body does not fit a schema of the description. */
  faults(schema: Schema, body: unknown): readonly ErrorObject[] {
    let validate = this.#compiled.get(schema);
    if (validate === undefined) {
      validate = this.#ajv.compile(qualify(schema) as Schema);
      this.#compiled.set(schema, validate);
    }
    return validate(body) ? [] : [...(validate.errors ?? [])];
  }
}

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

const lastPart = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** References inside a part of the document lead to the whole. */
function qualify(node: unknown): unknown {
  return mapObjects(node, (object) =>
    typeof object['$ref'] === 'string' && object['$ref'].startsWith('#')
      ? { ...object, $ref: `public${object['$ref']}` }
      : object,
  );
}

/** The description says 3.1 and writes `nullable` as 3.0 does. */
function settleNullable(node: unknown): unknown {
  return mapObjects(node, (object) => {
    if (object['nullable'] !== true) return object;
    const { nullable: _, ...rest } = object;
    return { anyOf: [rest, { type: 'null' }] };
  });
}

function mapObjects(
  node: unknown,
  change: (object: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(node)) return node.map((item) => mapObjects(item, change));
  if (typeof node !== 'object' || node === null) return node;
  const mapped = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, mapObjects(value, change)]),
  );
  return change(mapped);
}
