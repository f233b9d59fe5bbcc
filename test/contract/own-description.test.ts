import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { contract } from '../support/contract/description.ts';
import { servedEndpoints } from '../support/contract/endpoints.ts';
import { live } from '../support/contract/live.ts';
import { acceptedDifferences } from './accepted-differences.ts';

const hasOwnDefault = (place: string, name: string): boolean =>
  acceptedDifferences.some(
    ({ where, part, what }) => part === 'query' && where === place && what === `default of ${name}`,
  );

interface OwnParameter {
  readonly name: string;
  readonly schema: { readonly default?: unknown };
}
interface OwnOperation {
  readonly operationId: string;
  readonly parameters: readonly OwnParameter[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: Json;
}
type Json = Readonly<Record<string, { readonly schema?: object; readonly content?: Json }>>;
interface OwnDescription {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OwnOperation>>>>;
}

contract('the description that the local service gives of itself', (description) => {
  const running = live(description);
  let own: OwnDescription;

  before(async () => {
    const { url, key } = running().service;
    const response = await fetch(`${url}/openapi.json`, { headers: { 'x-api-key': key } });
    own = (await response.json()) as OwnDescription;
  });

  it('names exactly the endpoints that it serves', () => {
    assert.match(own.openapi, /^3\.1\./);
    const named = Object.entries(own.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = servedEndpoints.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(named.sort(), served.sort());
  });

  it('holds schemas that compile, with the defaults of the public description', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { method, path } of servedEndpoints) {
      const operation = own.paths[path]?.[method.toLowerCase()];
      assert.ok(operation);
      const bodies = [operation.requestBody, ...Object.values(operation.responses)];
      const schemas = bodies.flatMap((body) => body?.content?.['application/json']?.schema ?? []);
      for (const schema of schemas) if (!('$ref' in schema)) ajv.compile(schema);
      const described = description.operation(method, path);
      if (described === undefined) continue;
      for (const [name, { default: expected }] of Object.entries(description.query(described))) {
        const parameter: OwnParameter | undefined = operation.parameters.find(
          (each) => each.name === name,
        );
        assert.ok(parameter, `${method} ${path} ${name}`);
        if (!hasOwnDefault(`${method} ${path}`, name)) {
          assert.deepEqual(parameter.schema.default, expected, `${path} ${name}`);
        }
      }
    }
  });
});
