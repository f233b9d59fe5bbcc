/**
 * The process in which code of users runs: started with an empty environment, JavaScript inside
 * QuickJS (no files, no network, no processes by construction), and killed when it does not answer.
 */
import { Worker } from 'node:worker_threads';
import { loadJavaScript } from './javascript.ts';
import { Lines } from './lines.ts';
import type {
  ColumnTask,
  SandboxAnswer,
  SandboxReply,
  SandboxRequest,
  TimedRequest,
} from './protocol.ts';
import { loadSql } from './sql.ts';
import { Watched, type WatchdogData } from './watched.ts';

type Work = () => Omit<SandboxReply, 'ms'>;

let runColumn: ((task: ColumnTask) => SandboxAnswer) | undefined;

/** Loads what the work needs, which is nobody's time: code and SQL can do without the columns. */
async function workOf(request: SandboxRequest): Promise<Work> {
  switch (request.kind) {
    case 'javascript': {
      const runJavaScript = await loadJavaScript();
      return () => runJavaScript(request.code, request.dataText, request.limits);
    }
    case 'column': {
      const run = (runColumn ??= (await import('./column.ts')).runColumn);
      return () => ({ answer: run(request), isSpent: false });
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
const lines = new Lines();
for await (const part of process.stdin.setEncoding('utf8')) {
  for (const line of lines.add(String(part))) {
    // The service wrote the line itself; this process only exists for it.
    const request = JSON.parse(line) as TimedRequest;
    const work = await workOf(request);
    watched.begin((job += 1), request.timeMs);
    const began = performance.now();
    const reply: SandboxReply = { ...work(), ms: performance.now() - began };
    watched.end();
    // At once: those behind it may never end.
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
}
