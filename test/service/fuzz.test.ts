import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { timeLimit } from '../support/time-limit.ts';
import type { Answer, Api, Json } from './support/api.ts';
import { exchange } from './support/exchange.ts';
import { onEachBackend } from './support/backends.ts';
import type { World } from './support/first-workspace.ts';
import { makeWorld, placeFor } from './support/first-workspace.ts';
import {
  bytesOf,
  hostileHeaders,
  hostilePath,
  hostileQuery,
  spoiled,
} from './support/mutations.ts';
import { attemptsOf } from './support/reaching.ts';
import type { RunningService } from './support/running-service.ts';

/** Requests to each operation, on each database. `PROMPT_TABLES_FUZZ_RUNS=5000` looks for longer. */
const numRuns = Number(process.env['PROMPT_TABLES_FUZZ_RUNS'] ?? 5);
/** `PROMPT_TABLES_FUZZ_SEED` repeats a run. */
const seed = Number(process.env['PROMPT_TABLES_FUZZ_SEED'] ?? Date.now() % 1e9);
const answerLimitMs = timeLimit(5000);

interface Described {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  /** Names of the fields of the body; undefined when there is none. */
  readonly fields: readonly string[] | undefined;
  /** By status. */
  readonly schemas: Readonly<Record<string, object>>;
}

/** As much of the description as is read here. */
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema: { readonly properties?: object } }>>;

function describedBy(document: Json): Described[] {
  const paths = document.paths as unknown as Readonly<
    Record<string, Readonly<Record<string, Operation>>>
  >;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const body = operation.requestBody?.content['application/json']?.schema;
      return {
        name: operation.operationId,
        method: method.toUpperCase(),
        path,
        query: operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name),
        fields: body && Object.keys(body.properties ?? {}),
        schemas: Object.fromEntries(
          Object.entries(operation.responses).map(([status, { content }]) => [
            status,
            content['application/json']?.schema ?? {},
          ]),
        ),
      };
    }),
  );
}

onEachBackend(`Whatever is sent to the service (seed ${String(seed)})`, (backend) => {
  let service: RunningService;
  let api: Api;
  let described: Described[];
  let ajv: Ajv2020;
  let world: World;
  let worlds = 0;

  const newWorld = async (): Promise<void> => {
    world = await makeWorld(api, `world ${String((worlds += 1))}`);
  };

  before(async function () {
    this.timeout(60_000);
    service = await backend.start();
    ({ api } = service);
    const document = await api.get('/openapi.json');
    described = describedBy(document);
    ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { components } = document as unknown as { readonly components: object };
    ajv.addSchema({ $id: 'own', components });
    await newWorld();
  });

  const validators = new Map<object, (body: unknown) => boolean>();
  function fits(schema: object, body: unknown): boolean {
    let validate = validators.get(schema);
    if (validate === undefined) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"own#/components');
      const compiled = ajv.compile(JSON.parse(text) as object);
      validate = (value) => compiled(value);
      validators.set(schema, validate);
    }
    return validate(body);
  }

  function assertDocumented({ schemas }: Described, { status, text }: Answer, where: string): void {
    const answered = `${where} answered ${String(status)}: ${text.slice(0, 400)}`;
    assert.ok(status < 500, `${answered}\n${service.log.slice(-2000)}`);
    if (status < 400) return;
    // Of no operation: a path that only looks like this one, an address that is too long.
    const schema = [405, 431].includes(status)
      ? { $ref: '#/components/schemas/ErrorResponse' }
      : schemas[String(status)];
    assert.ok(schema, `not a documented status: ${answered}`);
    assert.ok(fits(schema, JSON.parse(text)), `not the documented body: ${answered}`);
  }

  const requestTo = (operation: Described) => {
    const { path, query, fields, name } = operation;
    const attempts = attemptsOf(world)[name] ?? [{}];
    const queries = attempts.flatMap((one) => one.query?.split('&') ?? []);
    const values = queries.map((pair) => pair.slice(pair.indexOf('=') + 1));
    const body =
      fields === undefined
        ? fc.constant(undefined)
        : fc
            .constantFrom(...attempts)
            .chain((one) => spoiled(one.body ?? {}, fields))
            .chain(bytesOf);
    return fc.record({
      path: hostilePath(path, (place) => placeFor(path, place, world)),
      query: hostileQuery(query, values),
      headers: hostileHeaders,
      raw: body,
    });
  };

  it('is answered as the description says', async function () {
    this.timeout(60_000 + numRuns * 10_000);
    let count = 0;
    for (const operation of described) {
      if (operation.method === 'DELETE') await newWorld();
      await fc.assert(
        fc.asyncProperty(requestTo(operation), async ({ path, query, headers, raw }) => {
          const url = query === '' ? path : `${path}?${query}`;
          const where = `${operation.name}: ${operation.method} ${url.slice(0, 300)}`;
          count += 1;
          const answer = await within(
            api.call(operation.method, url, undefined, {
              headers,
              ...(raw !== undefined && { raw }),
            }),
            where,
          );
          assertDocumented(operation, answer, where);
        }),
        { seed, numRuns },
      );
    }
    assert.ok(count >= numRuns * described.length, `only ${String(count)} requests`);
    await api.get('/_local/health');
    await newWorld();
  });

  it('is answered when it is no HTTP, or too much of it', async () => {
    const { port } = new URL(service.ready.url!);
    for (const [request, status] of [
      ['GET / HTTP/9.9\r\n\r\n', 400],
      ['\u0000\u0001\u0002\r\n\r\n', 400],
      [`GET /?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
      [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n', 400],
      ['POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz\r\n', 400],
    ] as const) {
      const answer = await exchange(Number(port), request);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${String(status)} `), request.slice(0, 60));
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as unknown;
      assert.ok(fits({ $ref: '#/components/schemas/ErrorResponse' }, body), answer);
    }
  });
});

async function within(answer: Promise<Answer>, where: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer: ${where}`)), answerLimitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
