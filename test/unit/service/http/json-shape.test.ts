import assert from 'node:assert/strict';
import { parseBodyText } from '../../../../src/service/http/body.ts';
import { MalformedBody } from '../../../../src/service/http/malformed-body.ts';
import { Problem } from '../../../../src/service/http/problem.ts';
import { timeLimit } from '../../../support/time-limit.ts';

/** The longest time of the processor between two turns of the event loop, in milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  const state = { isDone: false };
  const spent = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const watching = (async () => {
    while (!state.isDone) {
      const before = spent();
      await new Promise((resolve) => setImmediate(resolve));
      longest = Math.max(longest, spent() - before);
    }
  })();
  await work().finally(() => (state.isDone = true));
  await watching;
  return longest;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const distinct = (count: number): string =>
  `{${Array.from({ length: count }, (_none, index) => `"name${String(index)}":1`).join(',')}}`;

const hostile: readonly (readonly [what: string, text: string, status: number | undefined])[] = [
  ['open brackets', '['.repeat(4e6), undefined],
  ['closed brackets', '['.repeat(2e6) + ']'.repeat(2e6), undefined],
  ['open braces', '{"a":'.repeat(8e5), undefined],
  ['a deep value', `{"a":${'['.repeat(513)}${']'.repeat(513)}}`, undefined],
  ['names of one object', distinct(700_000), 413],
  ['names of many objects', `[${Array(700_000).fill('{"a":1}').join(',')}]`, 413],
];

describe('Bodies that would hold up everybody', function () {
  this.timeout(60_000);

  for (const [what, text, status] of hostile) {
    it(`are refused before they are parsed: ${what}`, async () => {
      const bytes = bytesOf(text);
      // Compiled and warm, as in a service that has answered before.
      await parseBodyText(bytes.subarray(0, 100_000)).catch(() => undefined);
      let refusal: unknown;
      const longest = await longestTurn(async () => {
        refusal = await parseBodyText(bytes).then(
          () => undefined,
          (error: unknown) => error,
        );
      });
      if (status === undefined) assert.ok(refusal instanceof MalformedBody, String(refusal));
      else {
        assert.ok(refusal instanceof Problem, String(refusal));
        assert.equal(refusal.status, status);
      }
      // Without the check: seconds. A busy machine gives no turn for a while.
      assert.ok(longest < timeLimit(200), `${String(longest)} ms`);
    });
  }

  it('are told from what only looks like them', async () => {
    const texts = [
      JSON.stringify('['.repeat(100_000)),
      JSON.stringify({ a: '{":\\"'.repeat(200_000) }),
      JSON.stringify({ '\\': '[', '"': '\\', ':::': [[[]]] }),
      `${'['.repeat(512)}${']'.repeat(512)}`,
      `[${'[],'.repeat(100_000)}[]]`,
      distinct(99_999),
      '[1.5]',
    ];
    for (const text of texts) {
      assert.deepEqual(await parseBodyText(bytesOf(text)), JSON.parse(text), text.slice(0, 40));
    }
    for (const text of ['{"a', '"\\', '[1', ']]]]', '{"a":"b}']) {
      await assert.rejects(parseBodyText(bytesOf(text)), /is not valid JSON/);
    }
    assert.equal(await parseBodyText(new Uint8Array()), undefined);
  });
});
