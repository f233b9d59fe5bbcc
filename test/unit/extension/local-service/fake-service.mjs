// Behaves like a local service as far as starting, holding and ending go; FAKE_SERVICE says how.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const dir = process.argv[process.argv.indexOf('--data') + 1];
const { FAKE_SERVICE = '{}', PROMPT_TABLES_API_KEY: key } = process.env;
const { version = '1.0.0', exit, complaint = '' } = JSON.parse(FAKE_SERVICE);

if (exit !== undefined) {
  process.stderr.write(`${complaint}\n`);
  process.exit(exit);
}

const lock = path.join(dir, 'lock');
try {
  fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
} catch {
  const holder = Number(fs.readFileSync(lock, 'utf8'));
  let isAlive = true;
  try {
    process.kill(holder, 0);
  } catch {
    isAlive = false;
  }
  if (isAlive) process.exit(3);
  fs.writeFileSync(lock, String(process.pid));
}

const socketPath = path.join(dir, `${process.pid}.sock`);
let holds = 0;
const end = () => {
  fs.rmSync(lock, { force: true });
  process.exit(0);
};
let idle = setTimeout(end, 5000);
const server = http.createServer((request, response) => {
  if (request.headers['x-api-key'] !== key) {
    response.writeHead(401).end('{}');
  } else if (request.url === '/_local/health') {
    response.end(JSON.stringify({ ok: true, version, pid: process.pid }));
  } else {
    holds += 1;
    clearTimeout(idle);
    response.write('held\n');
    response.once('close', () => {
      holds -= 1;
      if (holds === 0) idle = setTimeout(end, 300);
    });
  }
});
process.once('SIGTERM', end);
// Slow enough for two starters to meet.
setTimeout(() => {
  server.listen(socketPath, () => {
    const ready = JSON.stringify({ ready: true, pid: process.pid, socketPath });
    fs.writeFileSync(path.join(dir, 'service.json'), ready);
    process.stdout.write(`${ready}\n`);
    process.stderr.write(
      `${JSON.stringify({ level: 'info', message: 'fake service is ready' })}\n`,
    );
  });
}, 200);
