/**
 * The process in which code of users runs: started with an empty environment, JavaScript inside
 * QuickJS (no files, no network, no processes by construction), and killed when it does not answer.
 */
import { createInterface } from 'node:readline';
import { runJavaScript } from './javascript.ts';
import type { SandboxReply, SandboxRequest } from './protocol.ts';
import { runSql } from './sql.ts';

async function run(request: SandboxRequest): Promise<Omit<SandboxReply, 'ms'>> {
  switch (request.kind) {
    case 'javascript':
      return runJavaScript(request.code, request.dataText, request.limits);
    case 'column': {
      // Code and SQL can do without.
      const { runColumn } = await import('./column.ts');
      return { answer: runColumn(request), isSpent: false };
    }
    case 'sql':
      return { answer: await runSql(request.text), isSpent: false };
  }
}

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  // The service wrote the line itself; this process only exists for it.
  const request = JSON.parse(line) as SandboxRequest;
  const began = performance.now();
  const reply: SandboxReply = { ...(await run(request)), ms: performance.now() - began };
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
