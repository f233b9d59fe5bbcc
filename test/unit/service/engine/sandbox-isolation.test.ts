import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonToText } from '../../../../src/service/engine/columns/json.ts';
import { Sandbox } from '../../../../src/service/sandbox/sandbox.ts';
import { sandboxProgram } from '../../../support/service-entry.ts';

/** All that code can reach from its globals: names, order, attributes, prototypes, texts of functions. */
const PROBE = `
const seen = new Map();
const lines = [];
const walk = (value, path) => {
  if (typeof value === 'string') return JSON.stringify(value);
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return String(value);
  if (seen.has(value)) return '@' + seen.get(value);
  seen.set(value, path);
  lines.push(path + ' ' + Object.prototype.toString.call(value) + ' ' + Object.isExtensible(value) +
    ' < ' + walk(Object.getPrototypeOf(value), path + '^'));
  if (typeof value === 'function') lines.push(path + ' ' + Function.prototype.toString.call(value));
  for (const key of Reflect.ownKeys(value)) {
    const { get, set, value: own, ...attributes } = Object.getOwnPropertyDescriptor(value, key);
    const at = path + '.' + String(key);
    const shown = get || set ? walk(get, at + '(get)') + walk(set, at + '(set)') : walk(own, at);
    lines.push(at + ' ' + JSON.stringify(attributes) + ' ' + shown);
  }
  return '@' + path;
};
walk(globalThis, 'globalThis');
walk((function* () {})(), 'generator');
walk((async () => {})(), 'promise');
const numbers = [NaN, /./.lastIndex, new Uint8Array(100000).every((byte) => byte === 0), typeof leak];
lines.push(numbers.join(), Symbol.for('mine') === Symbol.for('mine'), [3, 1, 2].sort().join());
return lines.join('\\n');
`;

/** What a cell may do to those after it. Each is a script of its own; most of them end. */
const deeds: readonly string[] = [
  'globalThis.leak = data; leak.more = [leak]; var other = 1; 1',
  'Object.prototype.leak = 1; Object.prototype.toString = () => "mine"; 1',
  'Array.prototype.map = Array.prototype.join = Array.prototype.push = () => "mine"; 1',
  'JSON.stringify = () => "mine"; JSON.parse = null; delete globalThis.JSON; 1',
  'Promise.prototype.then = null; delete globalThis.Promise; 1',
  'Object.setPrototypeOf(Array.prototype, new Proxy({}, { get: () => 7 })); 1',
  'Object.setPrototypeOf(globalThis, { leak: 1 }); 1',
  'for (const name of Reflect.ownKeys(globalThis)) delete globalThis[name]; 1',
  'for (const name of Reflect.ownKeys(globalThis)) try { Object.freeze(globalThis[name]); Object.freeze(globalThis[name].prototype) } catch {} 1',
  'Object.preventExtensions(globalThis); Object.freeze(Object.prototype); 1',
  'Object.defineProperty(Object.prototype, "value", { get: () => 9, set: () => {} }); 1',
  'Math.random = () => 4; Math.max = Math.min; Date.now = () => 0; console.log = () => { throw 1 }; 1',
  'Symbol.for("mine"); Function.prototype.call = null; Function.prototype.toString = () => "x"; 1',
  '/(a)/y.exec("a"); RegExp.prototype.exec = () => null; String.prototype.split = () => []; 1',
  'data.get = null; data.a = "spoiled"; Object.freeze(data); 1',
  'const later = () => Promise.resolve().then(() => { globalThis.leak = 1; return later() }); later(); 1',
  'new Promise(() => {}).finally(() => { leak = 1 }); (function* () { try { yield 1 } finally { leak = 2 } })().next(); 1',
  'new FinalizationRegistry(() => { leak = 1 }).register({}, 1); new WeakRef({}); 1',
  'new Uint8Array(3e6).fill(255); "x".repeat(1e6); 1',
  'const names = {}; for (let n = 0; n < 5000; n += 1) names["name" + n] = Symbol(n); 1',
  'throw new Error("no")',
  'throw { get message() { Object.prototype.leak = 1; throw 2 } }',
  'return 1 1',
  'return await Promise.reject(Object.assign(globalThis, { leak: 1 }))',
  'return await new Promise(() => { leak = 1 })',
  'Array.prototype.toJSON = () => { throw 1 }; [data]',
  '({ toJSON() { Object.prototype.leak = 1; while (true) {} } })',
  'function f() { return f() + 1 } return f()',
  'const all = []; for (;;) all.push("x".repeat(1e5) + all.length)',
  'const all = []; try { for (;;) all.push({ x: all.length }) } catch {} leak = all; 1',
  'while (true) { globalThis.leak = 1 }',
  'const again = () => Promise.resolve().then(again); return await again()',
  '/(x+x+)+y/.test("x".repeat(40)); 1',
  '"x".repeat(5e6)',
];

describe('Cells of JavaScript', function () {
  this.timeout(240_000);
  const memoryBytes = 8 * 2 ** 20;
  const sandbox = new Sandbox({
    ...sandboxProgram,
    slots: 1,
    limits: { timeMs: 400, memoryBytes },
  });
  /** For cells that end: a process that has just begun takes longer. */
  const patient = new Sandbox({ ...sandboxProgram, slots: 1, limits: { memoryBytes } });
  const { signal } = new AbortController();
  const run = async (code: string, by = sandbox): Promise<string> =>
    jsonToText(await by.runJavaScript(code, { a: 1 }, { signal }));
  let untouched = '';

  before(async () => {
    untouched = await run(PROBE, patient);
    assert.ok(untouched.length > 50_000, 'It sees too little.');
    assert.equal(await run(PROBE, patient), untouched);
  });
  after(() => {
    sandbox.close();
    patient.close();
  });

  it('see nothing of what any one before them has done', async () => {
    for (const deed of deeds) {
      // What becomes of the first does not matter: it may fail in its own way.
      const [, after] = await Promise.allSettled([run(deed), run(PROBE)]);
      assert.deepEqual(after, { status: 'fulfilled', value: untouched }, deed);
    }
  });

  it('see nothing of what several before them have done, in any order', async () => {
    const several = fc.array(fc.constantFrom(...deeds), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(several, async (chosen) => {
        const all = await Promise.allSettled([...chosen.map((deed) => run(deed)), run(PROBE)]);
        assert.deepEqual(all.at(-1), { status: 'fulfilled', value: untouched });
      }),
      { numRuns: 12 },
    );
  });

  it('have the same limit of memory each, whatever they take it for', async () => {
    for (const [taken, bytes] of [
      ['new Uint8Array(65536)', 65_536],
      ['("x" + n).repeat(20000)', 20_000],
      ['Array(10000).fill(n)', 80_000],
    ] as const) {
      const most = `let n = 0; const all = [];
        try { for (;;) { all.push(${taken}); n += 1 } } catch {}
        all.length = 0; n`;
      const counts = await Promise.all(Array.from({ length: 3 }, () => run(most, patient)));
      assert.equal(new Set(counts).size, 1, counts.join());
      // The heap has some room from the beginning.
      assert.ok(
        Number(counts[0]) * bytes < memoryBytes + 16 * 2 ** 20,
        `${taken}: ${counts.join()}`,
      );
      assert.ok(Number(counts[0]) * bytes > memoryBytes / 2, `${taken}: ${counts.join()}`);
    }
  });

  it('have random numbers of their own', async () => {
    const code = 'Array.from({ length: 200 }, Math.random)';
    const all = await Promise.all(Array.from({ length: 20 }, () => run(code, patient)));
    const numbers = all.flatMap((text) => JSON.parse(text) as number[]);
    assert.equal(new Set(numbers).size, numbers.length);
    assert.ok(numbers.every((number) => number >= 0 && number < 1));
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
    assert.ok(Math.abs(mean - 0.5) < 0.05, String(mean));
  });
});
