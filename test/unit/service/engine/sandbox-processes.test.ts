import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Sources } from '../../../../src/service/engine/columns/sources.ts';
import { pythonRunner } from '../../../../src/service/sandbox/python-runner.ts';
import { Sandbox } from '../../../../src/service/sandbox/sandbox.ts';
import type { ColumnTask } from '../../../../src/service/sandbox/protocol.ts';
import { sandboxProgram } from '../../../support/service-entry.ts';
import { until } from '../../../support/until.ts';

const sandboxUrl = new URL('../../../../src/service/sandbox/sandbox.ts', import.meta.url).href;

const childrenOf = (parent: number): number[] =>
  fs
    .readdirSync(`/proc/${String(parent)}/task`)
    .flatMap((task) =>
      fs.readFileSync(`/proc/${String(parent)}/task/${task}/children`, 'utf8').split(' '),
    )
    .filter((pid) => pid.trim() !== '')
    .map(Number);

function isRunning(pid: number): boolean {
  try {
    // The third field is the state: one that nobody has asked for its end is a zombie.
    return !/\) [ZX]/.test(fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A JSONPath that looks at every item for every item. */
const pathTask = (items: number): ColumnTask => ({
  type: 'JSON_PATH',
  configText: JSON.stringify({ source: 'a', json_path: '$..[?count($..*)>0]' }),
  sourcesText: new Sources([
    {
      configKey: 'source',
      name: undefined,
      state: { kind: 'value', title: 'a', value: Array.from({ length: items }, () => ({})) },
    },
  ]).toText(),
});
const QUICK = 3;
const ENDLESS = 20_000;

describe('Processes of the sandbox', function () {
  this.timeout(120_000);
  const { signal } = new AbortController();

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('end when their service is killed, whatever they compute', async () => {
    for (const call of [
      `runJavaScript('while (true) {}', {}, options)`,
      `runColumn(${JSON.stringify(pathTask(ENDLESS))}, options)`,
    ]) {
      const program = `
        const { Sandbox } = await import(${JSON.stringify(sandboxUrl)});
        const sandbox = new Sandbox({ limits: { timeMs: 600_000 }, shortTimeMs: 600_000 });
        const options = { signal: new AbortController().signal, onBegin: () => console.log('begun') };
        await sandbox.${call};`;
      const service = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(service.stdout, 'data');
      const [computing = assert.fail('There is no process.')] = childrenOf(service.pid ?? 0);
      try {
        await delay(300);
        assert.ok(isRunning(computing), 'It had ended before.');
        service.kill('SIGKILL');
        await once(service, 'exit');
        await until('it has ended with its service', () => !isRunning(computing));
      } finally {
        if (isRunning(computing)) process.kill(computing, 'SIGKILL');
      }
    }
  });

  it('have their time of the processor, not of the clock', async () => {
    const sandbox = new Sandbox({ ...sandboxProgram, slots: 1, shortTimeMs: 600 });
    try {
      const before = childrenOf(process.pid);
      const value = await sandbox.runColumn(pathTask(QUICK), { signal });
      const pid = childrenOf(process.pid).find((each) => !before.includes(each)) ?? assert.fail();
      process.kill(pid, 'SIGSTOP');
      const waiting = sandbox.runColumn(pathTask(QUICK), { signal });
      await delay(1500);
      process.kill(pid, 'SIGCONT');
      assert.deepEqual(await waiting, value);
      // What really computes is stopped, and those behind it have their turn.
      const endless = sandbox.runColumn(pathTask(ENDLESS), { signal });
      const next = sandbox.runColumn(pathTask(QUICK), { signal });
      await assert.rejects(endless, { code: 'timed_out', message: /did not end within 0\.6 s/ });
      assert.deepEqual(await next, value);
    } finally {
      sandbox.close();
    }
  });

  it('of Python end by themselves, also when their code only waits', async () => {
    const child = spawn('python3', ['-I', '-c', pythonRunner, '5', '500000000', '1000', '1'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(JSON.stringify({ code: 'import time\ntime.sleep(1000)', data: {} }));
    await once(child, 'exit');
    assert.equal(child.exitCode, 1);
  });
});
