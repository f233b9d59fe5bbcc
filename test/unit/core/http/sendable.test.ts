import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import type { Client } from '../../../../src/core/client.ts';
import { ValidationError } from '../../../../src/core/errors.ts';
import { checkSendable } from '../../../../src/core/http/sendable.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

class Empty {
  readonly #hidden = 1;
  get hidden(): number {
    return this.#hidden;
  }
}

function circle(): Record<string, unknown> {
  const made: Record<string, unknown> = { list: [1] };
  made['list'] = [1, { back: made }];
  return made;
}

function deep(): unknown {
  let value: unknown = 1;
  for (let at = 0; at < 20_000; at += 1) value = [value];
  return value;
}

/** What JSON would lose without a word, or break at. */
const lost: readonly (readonly [what: string, value: unknown, said: RegExp])[] = [
  ['a circle', circle(), /\.list\[1\]\.back is something that holds itself/],
  ['a Map', new Map([['a', 'b']]), / is a Map, /],
  ['a Set inside', { tags: new Set(['a']) }, /\.tags is a Set, /],
  ['a function', { f: () => 1 }, /\.f is a function, /],
  ['a function in a list', [() => 1], /\[0\] is a function, /],
  ['a symbol', Symbol('s'), / is a symbol, /],
  ['a number that is none', { n: Number.NaN }, /\.n is NaN, /],
  ['infinity', [Infinity], /\[0\] is Infinity, /],
  ['a promise', Promise.resolve(1), / is a Promise object, whose JSON is empty/],
  ['a regular expression', /x/, / is a RegExp object, /],
  ['an error', new Error('x'), / is a Error object, /],
  ['an object with hidden fields', new Empty(), / is a Empty object, /],
  ['bytes', { b: new Uint8Array(3) }, /\.b is bytes, /],
  ['a time that is none', new Date(Number.NaN), / is a Date that isn't a time/],
  ['a Map that toJSON gives', { toJSON: () => new Map() }, / is a Map, /],
  ['depth beyond measure', deep(), / is something nested too deep/],
];

const kept: readonly unknown[] = [
  null,
  {},
  [],
  [undefined],
  { a: undefined },
  new Date(0),
  new URL('https://example.com/'),
  12n,
  new ExactNumber('1.10'),
  Object.create(null),
  new (class {
    readonly field = 1;
  })(),
];

const logged = {
  provider: 'openai',
  model: 'm',
  input: { type: 'chat', messages: [] },
  output: { type: 'chat', messages: [] },
  requestStartTime: 1_767_225_600_123,
  requestEndTime: 1_767_225_600_456,
};
const sheet = { tableId: 't', sheetId: 's' };
type Values = Readonly<Record<string, string>>;

/** Every way by which the client sends on what a caller gives, and how the field is called there. */
const doors: readonly (readonly [
  field: string,
  send: (client: Client, value: Values) => Promise<unknown>,
])[] = [
  ['parameters.x', (client, x) => client.logRequest({ ...logged, parameters: { x } })],
  ['metadata', (client, metadata) => client.logRequest({ ...logged, metadata })],
  [
    'prompt_input_variables.x',
    (client, x) => client.logRequest({ ...logged, promptInputVariables: { x } }),
  ],
  [
    'input.messages[0].content[0]',
    (client, x) =>
      client.logRequest({
        ...logged,
        input: { type: 'chat', messages: [{ role: 'user', content: [x] }] },
      }),
  ],
  [
    'prompt_input_variables.x',
    (client, x) =>
      client.track.prompt({ requestId: 1, promptName: 'p', promptInputVariables: { x } }),
  ],
  [
    'input_variables.x',
    (client, x) => client.templates.get('p', { inputVariables: { x }, provider: 'openai' }),
  ],
  ['input_variables.x', (client, x) => client.run({ promptName: 'p', inputVariables: { x } })],
  [
    'model_parameter_overrides.x',
    (client, x) => client.run({ promptName: 'p', modelParameterOverrides: { x } }),
  ],
  [
    'input_variables.x',
    (client, x) => client.runWorkflow({ workflowName: 'w', inputVariables: { x } }),
  ],
  ['values[0].c', (client, x) => client.tables.rows.add(sheet, { values: [{ c: x }] })],
  [
    'config.x',
    (client, x) => client.tables.columns.create(sheet, { title: 'c', type: 'TEXT', config: { x } }),
  ],
];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('what JSON cannot hold', () => {
  for (const [what, value, said] of lost) {
    it(`is refused with the name of the field: ${what}`, () => {
      assert.throws(
        () => checkSendable({ field: value }, 'It failed'),
        (error: unknown) =>
          error instanceof ValidationError &&
          error.message.startsWith('It failed: field') &&
          said.test(error.message) &&
          error.message.endsWith("which can't be sent as JSON.") &&
          error.hint !== undefined,
      );
    });
  }

  it('and nothing else is', () => {
    for (const value of kept) checkSendable(value, 'It failed');
    const shared = { a: 1 };
    checkSendable([shared, shared, { again: shared }], 'It failed');
  });

  it('is thrown even where errors are not', async () => {
    const server = await startScriptedServer([]);
    const { client } = makeTestClient({ baseURL: server.url, throwOnError: false });
    closers.push(
      () => client.close(),
      () => server.close(),
    );
    await assert.rejects(async () => {
      await client.logRequest({ ...logged, parameters: { x: new Map() } });
    }, /parameters\.x is a Map, which can't be sent as JSON/);
    assert.deepEqual(server.requests, []);
  });

  for (const [field, send] of doors) {
    it(`never reaches a service as ${field}`, async () => {
      const server = await startScriptedServer([]);
      const { client } = makeTestClient({ baseURL: server.url });
      closers.push(
        () => client.close(),
        () => server.close(),
      );
      for (const value of [new Map([['a', 'b']]), circle()]) {
        await assert.rejects(
          async () => send(client, value as Values),
          (error: unknown) => error instanceof ValidationError && error.message.includes(field),
        );
      }
      assert.deepEqual(server.requests, []);
    });
  }
});
