import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { createFolder } from '../../src/api/folder.ts';
import * as columns from '../../src/api/column.ts';
import * as rows from '../../src/api/row.ts';
import * as tables from '../../src/api/table.ts';
import { createSkillCollection } from '../../src/api/skill-collection.ts';
import { createLabel, publishTemplate } from '../../src/api/template.ts';
import * as versions from '../../src/api/version.ts';
import { createWorkflow } from '../../src/api/workflow.ts';
import { arbitraryOf, hardText } from '../support/contract/arbitrary.ts';
import { contract, type Schema } from '../support/contract/description.ts';
import { servedEndpoints } from '../support/contract/endpoints.ts';
import { live, placeOf } from '../support/contract/live.ts';
import { laxerFields, stricterRules } from './accepted-differences.ts';

/** About half a minute for all of it. */
const millisecondsEach = 400;

/** For as long as a property has, but for a few values also where one takes longer than that. */
async function holds<Value>(property: fc.IAsyncProperty<Value>, numRuns = 75): Promise<void> {
  const ended = await fc.check(property, {
    numRuns,
    plugins: [fc.interruptAfterTimeLimit(millisecondsEach)],
  });
  if (ended.interrupted && ended.numRuns === 0) return fc.assert(property, { numRuns: 3 });
  const message = await fc.asyncDefaultReportMessage(ended);
  if (message !== undefined) throw new Error(message, { cause: ended.errorInstance });
}

/** Requests made from the public description: nothing may hang, crash or answer out of order. */
contract('generated requests', (description) => {
  const running = live(description);
  let known: Record<string, string> = {};
  let count = 0;

  beforeEach(async () => {
    const { talk } = running();
    const made = await talk.call(tables.createTable, { body: { title: 'Generated' } });
    known = {
      table_id: (made.body['table'] as { id: string }).id,
      sheet_id: (made.body['default_sheet'] as { id: string }).id,
      operation_id: 'none',
    };
    const column = await talk.call(columns.createColumn, {
      params: known,
      body: { title: 'c', type: 'TEXT' },
    });
    known['column_id'] = (column.body['column'] as { id: string }).id;
    const page = await talk.call(rows.listRows, { params: known });
    const [row] = page.body['data'] as { cells: Record<string, { id: string }> }[];
    known['cell_id'] = row?.cells[known['column_id'] ?? '']?.id ?? '';
    const saved = await talk.call(versions.createVersion, { params: known, body: { name: 'v' } });
    known['version_id'] = (saved.body['version'] as { id: string }).id;
    await addRegistry();
  });

  /** A template and a workflow of one name, a label and a run. */
  async function addRegistry(): Promise<void> {
    const { talk } = running();
    const name = `generated ${String((count += 1))}`;
    const template = await talk.call(publishTemplate, {
      body: {
        prompt_template: { prompt_name: name },
        prompt_version: { prompt_template: { type: 'completion', content: [] } },
      },
    });
    known = { ...known, name, id: String(template.body['id']) };
    const skills = await talk.call(createSkillCollection, { body: { name } });
    known['identifier'] = (skills.body['skill_collection'] as { id: string }).id;
    const folder = await talk.call(createFolder, { body: { name } });
    known['folder_id'] = String((folder.body['folder'] as { id: number }).id);
    const label = await talk.call(createLabel, {
      params: known,
      body: { prompt_version_number: 1, name: 'x' },
    });
    known['label_id'] = String(label.body['id']);
    const configuration = { value: { type: 'string', value: 'x' } };
    await talk.call(createWorkflow, {
      body: {
        name,
        nodes: [{ name: 'n', node_type: 'VARIABLE', configuration, is_output_node: true }],
      },
    });
  }

  afterEach(() => {
    assert.ok(running().service.isRunning, 'the service has ended');
  });

  const isStricter = (endpoint: Endpoint, body: unknown): boolean =>
    typeof body === 'object' &&
    body !== null &&
    stricterRules.some(({ refuses }) =>
      refuses(body as Readonly<Record<string, unknown>>, placeOf(endpoint)),
    );

  for (const endpoint of servedEndpoints) {
    const operation = description.operation(endpoint.method, endpoint.path);
    const body = operation && description.body(operation);
    const query = operation ? description.query(operation) : {};

    if (body !== undefined) {
      describe(`${endpoint.method} ${endpoint.path}`, () => {
        it('takes or refuses in order what the description allows', async () => {
          await holds(
            fc.asyncProperty(arbitraryOf(description, body), async (sent) => {
              const { status } = await running().talk.call(endpoint, { params: known, body: sent });
              if (isStricter(endpoint, sent))
                assert.ok([400, 422].includes(status), String(status));
              else assert.notEqual(status, 422);
            }),
          );
        });

        it('refuses a field of a wrong type with the documented body', async () => {
          await holds(
            fc.asyncProperty(wrongly(body, placeOf(endpoint)), async (sent) => {
              const { status } = await running().talk.call(endpoint, { params: known, body: sent });
              assert.ok([400, 422].includes(status), `${status} for ${JSON.stringify(sent)}`);
            }),
          );
        });

        it('answers whatever it is sent', async () => {
          await holds(
            fc.asyncProperty(strangeBody, async (sent) => {
              const { status } = await running().talk.call(endpoint, { params: known, body: sent });
              assert.ok(status < 500);
            }),
          );
        });
      });
    }

    if (Object.keys(query).length > 0) {
      it(`${endpoint.method} ${endpoint.path} answers any query`, async () => {
        const strange = fc.oneof(hardText, fc.string(), fc.integer().map(String), fc.constant(''));
        const value = (schema: Schema) =>
          fc.oneof({ weight: 4, arbitrary: arbitraryOf(description, schema).map(String) }, strange);
        const anyQuery = fc.record(
          Object.fromEntries(Object.entries(query).map(([name, schema]) => [name, value(schema)])),
          { requiredKeys: [] },
        );
        await holds(
          fc.asyncProperty(anyQuery, async (sent) => {
            // Longer addresses are refused before anything reads them (test/service/fuzz.test.ts).
            fc.pre(new URLSearchParams(sent as Record<string, string>).toString().length < 12_000);
            const { status } = await running().talk.call(endpoint, {
              params: known,
              query: sent as Record<string, string>,
            });
            const isTable = endpoint.path.startsWith(tables.tablesPath);
            const isVerdicts = endpoint.path.includes('/scorecard/rows');
            // A query of the others may name a version, a label or a run that is not there.
            const expected = isTable && !isVerdicts ? [200, 400, 422] : [200, 202, 400, 404, 422];
            assert.ok(expected.includes(status), String(status));
          }),
        );
      });
    }

    if (Object.keys(endpoint.params.shape).length > 0) {
      it(`${endpoint.method} ${endpoint.path} answers any path`, async () => {
        const segment = fc.oneof(
          fc.uuid(),
          hardText.filter((text) => /[^./\s]/.test(text)),
        );
        const names = Object.keys(endpoint.params.shape);
        await holds(
          fc.asyncProperty(
            fc.record(Object.fromEntries(names.map((name) => [name, segment]))),
            async (params) => {
              const sent = params as Record<string, string>;
              const { status } = await running().talk.call(endpoint, { params: sent });
              assert.ok([400, 404, 422].includes(status), String(status));
            },
          ),
          30,
        );
      });
    }
  }

  function wrongly(body: Schema, place: string): fc.Arbitrary<unknown> {
    const fields = Object.entries(body.properties ?? {}).filter(
      ([name]) => laxerFields[place]?.includes(name) !== true,
    );
    const wrongs = fields.flatMap(([name, schema]) =>
      wrongValues(schema).map((value) => ({ name, value })),
    );
    return fc
      .tuple(arbitraryOf(description, body), fc.constantFrom(...wrongs))
      .map(([sent, { name, value }]) => ({ ...(sent as object), [name]: value }));
  }

  /** Values of another type than the schema's; none for a schema that takes any. */
  function wrongValues(sent: Schema): unknown[] {
    const types = typesOf(sent);
    if (types.size === 0) return [];
    const samples: readonly (readonly [string, unknown])[] = [
      ['string', 'a text'],
      ['integer', 12],
      ['boolean', true],
      ['array', [[]]],
      ['object', { a: { b: 1 } }],
    ];
    return samples
      .filter(([type]) => !types.has(type) && !(type === 'integer' && types.has('number')))
      .map(([, value]) => value);
  }

  function typesOf(sent: Schema): Set<string> {
    const schema = description.resolve(sent);
    const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
    if (parts.length > 0) return new Set(parts.flatMap((part) => [...typesOf(part)]));
    return new Set(schema.type === undefined ? [] : [schema.type].flat());
  }
});

const strangeBody = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hardText,
  fc.constantFrom(
    [],
    null,
    0,
    '',
    { title: 'x'.repeat(200_000) },
    JSON.parse('{"__proto__":{"title":"x"},"constructor":1}') as unknown,
    deep(2_000),
    { row_ids: Array.from({ length: 5_000 }, (_, index) => index) },
    { count: 1e308, index: 2 ** 53, folder_id: -(2 ** 63) },
  ),
);

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { title: value };
  return value;
}
