import assert from 'node:assert/strict';
import fs from 'node:fs';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import { jsonToText } from '../../../../src/service/engine/columns/json.ts';
import { Sandbox } from '../../../../src/service/sandbox/sandbox.ts';
import { sandboxProgram } from '../../../support/service-entry.ts';
import { timeLimit } from '../../../support/time-limit.ts';

/** Promises without end, none of which keeps the one before: their time ends first, not their memory. */
const ENDLESS = 'for (;;) await null; return 1';

const childrenOfThis = (): number[] =>
  fs
    .readdirSync(`/proc/${process.pid}/task`)
    .flatMap((task) =>
      fs.readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').split(' '),
    )
    .filter((pid) => pid.trim() !== '')
    .map(Number);

describe('JavaScript of users', function () {
  this.timeout(60_000);
  const sandbox = new Sandbox({ ...sandboxProgram, slots: 1, limits: { timeMs: 1000 } });
  const data = { a: 4, 'Column B': 'x', big: new ExactNumber('9007199254740993') };
  const run = async (code: string, signal = new AbortController().signal): Promise<string> =>
    jsonToText(await sandbox.runJavaScript(code, data, { signal }));
  const never = new AbortController().signal;
  after(() => sandbox.close());

  it('gives the value of the last expression or of return', async () => {
    assert.equal(await run('data.a + 1'), '5');
    assert.equal(await run('return data["Column B"] + "y"'), '"xy"');
    assert.equal(await run('const f = (x) => { return x * 3 }; f(data.a)'), '12');
    assert.equal(await run('return await Promise.resolve({ok: true})'), '{"ok":true}');
    assert.equal(await run('undefined'), 'null');
  });

  it('keeps the digits of long numbers', async () => {
    assert.equal(await run('9007199254740993n + 1n'), '9007199254740994');
    assert.equal(await run('BigInt(data.big) + 1n'), '9007199254740994');
    assert.equal(await run('data.big'), '"9007199254740993"');
  });

  it('has no way to files, network, processes, the environment or other cells', async () => {
    for (const name of [
      'process',
      'require',
      'fetch',
      'XMLHttpRequest',
      'Deno',
      'globalThis.process',
    ]) {
      assert.equal(await run(`typeof ${name}`), '"undefined"', name);
    }
    await assert.rejects(run('return await import("fs")'), /could not load module|The code failed/);
    assert.equal(await run('globalThis.leak = 1; 1'), '1');
    assert.equal(await run('typeof leak'), '"undefined"');
    assert.equal(await run('new Function("return typeof process")()'), '"undefined"');
  });

  it('says what failed, on which line, and what was logged', async () => {
    await assert.rejects(run('console.log("step", {a: 1});\ndata.zz.y'), {
      code: 'code_failed',
      message: `The code failed: TypeError: cannot read property 'y' of undefined (line 2)\nIts log: step {"a":1}`,
    });
    await assert.rejects(run('return 1 1'), /SyntaxError/);
    await assert.rejects(run('throw null'), /The code failed/);
  });

  it('stops endless loops, endless recursion and endless promises, and goes on', async () => {
    await assert.rejects(run('while (true) {}'), { code: 'timed_out' });
    await assert.rejects(run('function f() { return f() + 1 } return f()'), /stack overflow/);
    await assert.rejects(run('return await new Promise(() => {})'), /never settles/);
    await assert.rejects(run(ENDLESS), { code: 'timed_out' });
    assert.equal(await run('data.a'), '4');
  });

  it('stops endless promises every time, and the cells behind them have their turn', async () => {
    const quick = new Sandbox({ ...sandboxProgram, slots: 1, limits: { timeMs: 200 } });
    try {
      for (let round = 0; round < 4; round += 1) {
        const stopped = quick.runJavaScript(ENDLESS, {}, { signal: never });
        const next = quick.runJavaScript('7', {}, { signal: never });
        await assert.rejects(stopped, { code: 'timed_out' });
        assert.equal(await next, 7);
      }
    } finally {
      quick.close();
    }
  });

  it('counts the time of the processor, not that in which the machine does other things', async function () {
    if (process.platform !== 'linux') this.skip();
    // Three times what the code needs: the engine's own threads count, and more on a slow machine.
    const quick = new Sandbox({ ...sandboxProgram, slots: 1, limits: { timeMs: 600 } });
    try {
      const before = childrenOfThis();
      await quick.runJavaScript('1', {}, { signal: never });
      const pid = childrenOfThis().find((each) => !before.includes(each)) ?? assert.fail();
      const busy =
        'for (let n = 0; n < 2; n += 1) { const end = Date.now() + 100; while (Date.now() < end); } 7';
      const running = quick.runJavaScript(
        busy,
        {},
        {
          signal: never,
          onBegin: () =>
            setTimeout(() => {
              process.kill(pid, 'SIGSTOP');
              setTimeout(() => process.kill(pid, 'SIGCONT'), 1450);
            }, 50),
        },
      );
      assert.equal(await running, 7);
    } finally {
      quick.close();
    }
  });

  it('limits memory and output', async () => {
    const roomy = new Sandbox({
      ...sandboxProgram,
      slots: 1,
      limits: { timeMs: 15_000, memoryBytes: 8 * 2 ** 20 },
    });
    try {
      await assert.rejects(
        roomy.runJavaScript(
          'const a = []; for (;;) a.push({ x: a.length })',
          {},
          { signal: new AbortController().signal },
        ),
        /needs more than 8 MB/,
      );
      // Each promise keeps the one before; the error in one of their jobs reaches nobody.
      const chain = 'const f = () => Promise.resolve().then(f); return await f()';
      await assert.rejects(roomy.runJavaScript(chain, {}, { signal: never }), {
        code: 'limit_exceeded',
        message: /needs more than 8 MB/,
      });
      assert.equal(await roomy.runJavaScript('7', {}, { signal: never }), 7);
    } finally {
      roomy.close();
    }
    await assert.rejects(run('"x".repeat(5e6)'), { code: 'limit_exceeded' });
    await assert.rejects(run('let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a'), /The code/);
    assert.equal(await run('data.a'), '4');
  });

  it('is aborted at once when nobody wants the result any more', async () => {
    const abort = new AbortController();
    const running = run('while (true) {}', abort.signal);
    setTimeout(() => abort.abort(), 100);
    await assert.rejects(running, { name: 'AbortError' });
    assert.equal(await run('data.a'), '4');
  });

  describe('many cells at once', () => {
    // Enough quick ones first, so that the process is given several ahead.
    const warmUp = () => Promise.all(Array.from({ length: 60 }, () => run('data.a')));

    it('keeps nothing of one cell for the next one', async () => {
      await warmUp();
      const spoil = `globalThis.leak = data.n; Object.prototype.leak = 1; Array.prototype.map = () => 'mine';
        JSON.stringify = () => '"mine"'; Promise.prototype.then = null; data.n`;
      const look = `[typeof leak, [1].map((x) => x + data.n), JSON.stringify({})]`;
      const results = await Promise.all(
        Array.from({ length: 120 }, (_, n) =>
          sandbox
            .runJavaScript(n % 2 === 0 ? spoil : look, { n }, { signal: never })
            .then((value) => jsonToText(value)),
        ),
      );
      for (const [n, text] of results.entries()) {
        assert.equal(text, n % 2 === 0 ? String(n) : `["undefined",[${String(n + 1)}],"{}"]`);
      }
    });

    it('fails only the cell that hangs or grows: those behind it have their turn', async () => {
      await warmUp();
      const codes = Array.from({ length: 40 }, (_, n) => {
        if (n === 7) return 'while (true) {}';
        if (n === 20) return 'throw new Error("no")';
        if (n === 21) return 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)';
        return 'data.a';
      });
      const outcomes = await Promise.allSettled(codes.map((code) => run(code)));
      assert.deepEqual(
        outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : [])),
        [7, 20, 21],
      );
    });

    it('drops all that waits when nobody wants the results any more', async () => {
      await warmUp();
      const abort = new AbortController();
      const wanted = run('data.a');
      const hanging = Array.from({ length: 40 }, () => run('while (true) {}', abort.signal));
      setTimeout(() => abort.abort(), 50);
      const began = performance.now();
      const outcomes = await Promise.allSettled(hanging);
      assert.ok(performance.now() - began < timeLimit(20_000));
      assert.ok(outcomes.every(({ status }) => status === 'rejected'));
      assert.equal(await wanted, '4');
      assert.equal(await run('data.a'), '4');
    });

    it('lets askers take turns, however much one of them wants', async () => {
      const slow = 'const end = Date.now() + 100; while (Date.now() < end); 1';
      const greedy = new AbortController();
      const many = Array.from({ length: 40 }, () => run(slow, greedy.signal));
      let done = 0;
      for (const result of many) void result.then(() => (done += 1)).catch(() => undefined);
      assert.equal(await run('data.a', new AbortController().signal), '4');
      assert.ok(done < 40, 'The few cells of one asker waited for all of the other.');
      greedy.abort();
      await Promise.allSettled(many);
    });

    it('says when the code of a cell begins', async () => {
      const begun: number[] = [];
      const runOptions = (n: number) => ({ signal: never, onBegin: () => void begun.push(n) });
      await Promise.all([0, 1, 2].map((n) => sandbox.runJavaScript('1', {}, runOptions(n))));
      assert.deepEqual(begun, [0, 1, 2]);
    });

    it('answers all that waits when it is closed', async () => {
      const closing = new Sandbox({ ...sandboxProgram, slots: 1 });
      const waiting = Array.from({ length: 5 }, () =>
        closing.runJavaScript('while (true) {}', {}, { signal: never }),
      );
      setTimeout(() => closing.close(), 50);
      const outcomes = await Promise.allSettled(waiting);
      assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    });
  });
});
