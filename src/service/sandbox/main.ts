/**
 * The process in which code of users runs: started with an empty environment, JavaScript inside
 * QuickJS (no files, no network, no processes by construction), and killed when it does not answer.
 */
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { loadJavaScript } from './javascript.ts';
import type { SandboxReply, SandboxRequest, TimedRequest } from './protocol.ts';
import { loadSql } from './sql.ts';
import { Watched, type WatchdogData } from './watched.ts';

type Work = () => Omit<SandboxReply, 'ms'>;

/** Loads what the work needs, which is nobody's time: code and SQL can do without the columns. */
async function workOf(request: SandboxRequest): Promise<Work> {
  switch (request.kind) {
    case 'javascript': {
      const runJavaScript = await loadJavaScript();
      return () => runJavaScript(request.code, request.dataText, request.limits);
    }
    case 'column': {
      const { runColumn } = await import('./column.ts');
      return () => ({ answer: runColumn(request), isSpent: false });
    }
    case 'sql': {
      const runSql = await loadSql();
      return () => ({ answer: runSql(request.text), isSpent: false });
    }
  }
}

function startWatchdog(): Watched {
  const watched = new Watched();
  const name = import.meta.url.endsWith('.ts') ? './watchdog.ts' : './sandbox-watchdog.mjs';
  const workerData: WatchdogData = { memory: watched.memory, servicePid: Number(process.argv[2]) };
  new Worker(new URL(name, import.meta.url), {
    workerData,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  }).unref();
  return watched;
}

const watched = startWatchdog();
process.stdout.write('ready\n');
let job = 0;
for await (const line of createInterface({ input: process.stdin })) {
  // The service wrote the line itself; this process only exists for it.
  const request = JSON.parse(line) as TimedRequest;
  const work = await workOf(request);
  watched.begin((job += 1), request.timeMs);
  const began = performance.now();
  const reply: SandboxReply = { ...work(), ms: performance.now() - began };
  watched.end();
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
