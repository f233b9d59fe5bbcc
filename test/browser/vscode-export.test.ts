/** An export that is cancelled half-way, in a real VS Code: the service stops in the middle of the file. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import {
  answerFile,
  notification,
  patiently,
  pick,
  pickBy,
  quickInput,
  screenshot,
  treeItem,
  type Workbench,
} from '../support/host/workbench.ts';
import { connectedWorkbench } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

/** Hands everything on to a service, but of a file only the first half. */
async function startHalfway(target: string): Promise<{
  readonly url: string;
  readonly halves: { readonly closed: Promise<unknown> }[];
  close(): Promise<void>;
}> {
  const halves: { readonly closed: Promise<unknown> }[] = [];
  const server = http.createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const answered = await fetch(new URL(request.url ?? '/', target), {
        method: request.method ?? 'GET',
        headers: {
          'content-type': 'application/json',
          'x-api-key': String(request.headers['x-api-key']),
        },
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const bytes = new Uint8Array(await answered.arrayBuffer());
      const isFile = /\/export/.test(request.url ?? '');
      const type = answered.headers.get('content-type') ?? 'application/json';
      response.writeHead(answered.status, { 'content-type': type });
      if (!isFile) {
        response.end(bytes);
        return;
      }
      halves.push({ closed: once(response, 'close') });
      response.write(bytes.subarray(0, bytes.length / 2));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    halves,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('VS Code: an export that is cancelled', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let halfway: Awaited<ReturnType<typeof startHalfway>>;

  before(async () => {
    service = await RunningService.start();
    halfway = await startHalfway(service.ready.url ?? '');
    const { api } = service;
    const sheet = await api.newSheet();
    await api.expect(200, 'PATCH', sheet.path.replace(/\/sheets\/.*/, ''), { title: 'Lexicon' });
    await api.expect(200, 'PATCH', sheet.path, { title: 'Words' });
    await api.expect(201, 'POST', `${sheet.path}/rows`, {
      count: 100,
      values: Array.from({ length: 100 }, (_, at) => ({
        [sheet.columnId]: `word ${String(at)} ${'x'.repeat(1000)}`,
      })),
    });
    workbench = await connectedWorkbench(halfway.url, firstKey);
    await treeItem(workbench, /Table Lexicon/).waitFor(patiently);
  });
  after(async () => {
    await halfway.close();
    await service.stop();
  });

  it('leaves neither half a file nor a draft, and ends at the socket', async () => {
    const { host } = workbench;
    const files = (): string[] => fs.readdirSync(host.workspace).sort();
    const before = files();
    await pickBy(workbench, 'Prompt Tables: Export Sheet…', /^Lexicon/);
    await pick(workbench, /Words/);
    await pick(workbench, /^JSON Lines/);
    await quickInput(workbench).getByText('Status and error of each cell').waitFor();
    await quickInput(workbench).getByRole('button', { name: 'OK' }).click();
    await answerFile(workbench, path.join(host.workspace, 'words.jsonl'));
    const progress = notification(workbench, 'Exporting Words');
    await progress.waitFor(patiently);
    const draft = (): string | undefined => files().find((file) => file.endsWith('.part'));
    await until(
      'the export to be half-way',
      () => draft() !== undefined && halfway.halves.length > 0,
    );
    assert.ok(!files().includes('words.jsonl'), 'It is not there before it is whole.');
    await screenshot(workbench, 'export-halfway');
    await progress.hover();
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await progress.waitFor({ state: 'hidden' });
    await halfway.halves[0]?.closed;
    await until('the draft to be gone', () => draft() === undefined);
    assert.deepEqual(files(), before);
    await screenshot(workbench, 'export-cancelled');
  });
});
