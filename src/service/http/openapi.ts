import * as z from 'zod';
import type { Endpoint } from '../../api/endpoint.ts';
import { serviceVersion } from '../version.ts';

type Side = 'input' | 'output';

/** The client's schemas settle several spellings into one; the document describes what is sent. */
function schemaOf(schema: z.ZodType, side: Side): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' });
  return rest;
}

function parameters(endpoint: Endpoint): object[] {
  const of = (place: 'path' | 'query', shape: Readonly<Record<string, z.ZodType>>): object[] =>
    Object.entries(shape).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path',
      schema: schemaOf(schema, place === 'query' ? 'output' : 'input'),
    }));
  return [...of('path', endpoint.params.shape), ...of('query', endpoint.query.shape)];
}

const error = (description: string): object => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
});

const file = { schema: { type: 'string', format: 'binary' } };

function describe(endpoint: Endpoint): object {
  const takesBody = !(endpoint.body instanceof z.ZodUndefined);
  const filesOf = (types: readonly string[] = []): object =>
    Object.fromEntries(types.map((type) => [type, file]));
  // An answer that is always a file has no schema.
  const isFile = endpoint.answer instanceof z.ZodUnknown;
  const answer = {
    ...(!isFile && { 'application/json': { schema: schemaOf(endpoint.answer, 'input') } }),
    ...filesOf(endpoint.media),
  };
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    parameters: parameters(endpoint),
    ...(takesBody && {
      requestBody: {
        required: !endpoint.body.safeParse(undefined).success,
        content: {
          'application/json': { schema: schemaOf(endpoint.body, 'input') },
          ...filesOf(endpoint.takes),
        },
      },
    }),
    responses: {
      ...Object.fromEntries(
        endpoint.ok.map((status) => [String(status), { description: 'Success', content: answer }]),
      ),
      '400': error("The request can't be carried out as it is"),
      '401': error('The API key is missing or not valid'),
      '404': error('Not found in the workspace of the key'),
      ...(endpoint.method !== 'GET' && {
        '409': error('At odds with what is there'),
        '413': error('Larger than what is accepted'),
      }),
      ...(endpoint.takes && { '415': error('Of a media type that is not accepted') }),
      ...(endpoint.media && { '429': error('Too many files are being sent') }),
      '503': error('The database does not answer'),
      '507': error('The disk of the service is full'),
      '422': {
        description: "Parts of the request aren't valid",
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Unfit' } } },
      },
    },
  };
}

/** What of a request does not fit: where it stands, and what is asked for. */
const fault = {
  type: 'object',
  properties: {
    loc: { type: 'array', items: { type: ['string', 'integer'] } },
    msg: { type: 'string' },
    type: { type: 'string' },
  },
  required: ['loc', 'msg', 'type'],
};

/** The OpenAPI description of the endpoints, made from the same schemas that check the requests. */
export function openApiDocument(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describe(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Prompt Tables local service', version: serviceVersion },
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
      schemas: {
        ErrorResponse: {
          type: 'object',
          properties: {
            success: { type: 'boolean', default: false },
            message: { type: 'string' },
            error: { type: 'string' },
            code: { type: 'string' },
          },
          required: ['success', 'message', 'error'],
        },
        Unfit: {
          type: 'object',
          properties: { detail: { type: 'array', minItems: 1, items: fault } },
          required: ['detail'],
        },
      },
    },
  };
}
