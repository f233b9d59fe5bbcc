/** Very many edits, a process that is killed in their midst, and the real service. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, silentLogger, type SheetRef } from '../../../../src/core/index.ts';
import { Journal } from '../../../../src/extension/grid/edit/journal.ts';
import { ServiceProcess } from '../../../support/contract/service-process.ts';
import { HostKilledError, HostProcess } from '../../../support/edits/host-process.ts';
import { timeLimit } from '../../../support/time-limit.ts';
import { until } from '../../../support/until.ts';

const megabyte = 1_048_576;

describe('many edits and the real service', function () {
  this.timeout(240_000);
  let service: ServiceProcess;
  let client: Client;
  let folder: string;
  const hosts: HostProcess[] = [];

  before(async () => {
    service = await ServiceProcess.start();
    client = new Client({ apiKey: service.key, baseURL: service.url, logger: silentLogger });
  });
  after(async () => {
    await client.close();
    await service.stop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pt-many-'));
  });
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.kill();
    await rm(folder, { recursive: true, force: true });
  });

  async function newSheet(rows: number): Promise<{ ref: SheetRef; columnId: string }> {
    const { table } = await client.tables.create({ title: 'Many', create_default_sheet: false });
    const lines = Array.from({ length: rows }, (_, index) => `old ${index}`);
    const content = new TextEncoder().encode(`Word\n${lines.join('\n')}\n`);
    const upload = { fileName: 'words.csv', content };
    const { sheet, operation } = await client.tables.sheets.createFromFile(table.id, upload);
    const ref = { tableId: table.id, sheetId: sheet.id };
    for await (const seen of client.tables.imports.watch(table.id, operation!.operation_id, {})) {
      if (seen.isFinished) break;
    }
    const { items } = await client.tables.columns.page(ref);
    return { ref, columnId: items[0]!.id };
  }

  async function host(ref: SheetRef, takesMany = true): Promise<HostProcess> {
    const { url, key } = service;
    const started = await HostProcess.start({ url, key, folder, takesMany, ...ref });
    hosts.push(started);
    return started;
  }

  async function values(ref: SheetRef, columnId: string): Promise<string[]> {
    const all: string[] = [];
    for await (const { items } of client.tables.rows.pages(ref)) {
      for (const { cells } of items) all.push(cells[columnId]?.display_value ?? '');
    }
    return all;
  }

  const paste = (columnId: string, position: number, texts: readonly string[]) =>
    ({
      kind: 'paste',
      position,
      columnIds: [columnId],
      block: texts.map((text) => [text]),
      selection: { rows: [{ from: position, to: position }], columnIds: [columnId] },
    }) as const;

  const filesLeft = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => !name.endsWith('.pages'));

  it('pastes 1,900 cells in the time of a few, and takes them back as fast', async () => {
    const { ref, columnId } = await newSheet(2000);
    const at = await host(ref);
    await at.request('ready', { page: 0 });
    const texts = Array.from({ length: 1900 }, (_, index) => `new ${index}`);
    const began = Date.now();
    const done = await at.request('change', paste(columnId, 50, texts));
    const pastedMs = Date.now() - began;
    assert.equal(done.outcome === 'done' && done.cells, 1900);
    const undoing = Date.now();
    const undone = await at.request('undo', null);
    const undoneMs = Date.now() - undoing;
    assert.deepEqual(undone?.many, { saved: 1900, open: 0, dropped: 0 });
    assert.deepEqual(new Set(await values(ref, columnId)).size, 2000);
    console.log(`      1,900 cells: pasted in ${pastedMs} ms, taken back in ${undoneMs} ms`);
    assert.ok(Math.max(pastedMs, undoneMs) < timeLimit(4000), `${pastedMs} ms, ${undoneMs} ms`);
    assert.deepEqual(await filesLeft(), []);
  });

  it('finishes 40,000 pasted cells after it was killed in their midst', async () => {
    const count = 40_000;
    const { ref, columnId } = await newSheet(count);
    const first = await host(ref);
    await first.request('ready', { page: 0 });
    const texts = Array.from({ length: count }, (_, index) => `new ${index}`);
    const changing = first.request('change', paste(columnId, 0, texts));
    changing.catch((error: unknown) => assert.ok(error instanceof HostKilledError));
    const began = Date.now();
    let most = 0;
    let heap = 0;
    await until('a third is changed, and some are on their way', async () => {
      const { saving, unsaved, residentBytes, heapBytes } = await first.state();
      most = Math.max(most, residentBytes);
      heap = Math.max(heap, heapBytes);
      // "Changing cells 16000 of 40000 cells"
      const done = Number(/(\d+) of \d+ cells$/.exec(saving ?? '')?.[1] ?? 0);
      return unsaved > 0 && done > count / 3;
    });
    const firstMs = Date.now() - began;
    const atKill = await first.state();
    await first.kill();
    const again = Date.now();
    const second = await host(ref);
    const readyMs = Date.now() - again;
    const state = await until(
      'it is finished',
      async () => {
        const now = await second.state();
        most = Math.max(most, now.residentBytes);
        return !now.isBusy && now;
      },
      { limitMs: timeLimit(60_000), everyMs: 50 },
    );
    const finishedMs = Date.now() - again;
    console.log(
      `      40,000 cells: killed after ${firstMs} ms with ${atKill.unsaved} unsaved, ` +
        `open again in ${readyMs} ms, finished in ${finishedMs} ms, ` +
        `at most ${Math.round(most / megabyte)} MB (heap ${Math.round(heap / megabyte)} MB), emitted ${state.emitted.messages} messages, ` +
        `${Math.round(state.emitted.bytes / 1024)} KB`,
    );
    assert.deepEqual(await values(ref, columnId), texts);
    assert.equal(state.unsaved, 0);
    // The whole extension host is measured in a real window; this process has no limit of its heap.
    assert.ok(heap < 300 * megabyte, `${heap} bytes of heap`);
    // Linear and small: patches of what is at hand, never the list of what is left.
    assert.ok(state.emitted.bytes < 16 * megabyte, `${state.emitted.bytes} bytes`);
    assert.deepEqual(await filesLeft(), []);
  });

  it('finishes and takes back what was confirmed when its page goes away', async () => {
    const count = 3000;
    const { ref, columnId } = await newSheet(count);
    const at = await host(ref);
    const old = await values(ref, columnId);
    const texts = Array.from({ length: count }, (_, index) => `new ${index}`);
    const doing = [
      [() => at.request('change', paste(columnId, 0, texts)), texts],
      [() => at.request('undo', null), old],
      [() => at.request('addRows', { count: 300 }), [...old, ...Array<string>(300).fill('')]],
    ] as const;
    for (const [act, expected] of doing) {
      await at.request('ready', { page: 0 });
      const acting = act();
      // Nobody hears of it any more.
      acting.catch(() => undefined);
      await until('it is at work', async () => (await at.state()).isBusy);
      await at.leave();
      await at.idle();
      assert.deepEqual(await values(ref, columnId), expected);
    }
    assert.deepEqual(await filesLeft(), []);
  });

  it('leaves to the next window what a closing one has not sent', async () => {
    const { ref, columnId } = await newSheet(8000);
    const first = await host(ref);
    await first.request('ready', { page: 0 });
    const texts = Array.from({ length: 8000 }, (_, index) => `new ${index}`);
    const changing = first.request('change', paste(columnId, 0, texts));
    changing.catch(() => undefined);
    await until('some are kept', async () => {
      const { unsaved, saving } = await first.state();
      return unsaved > 0 && / of 8000 cells$/.test(saving ?? '');
    });
    const { unsaved } = await first.state();
    await first.close();
    assert.ok(unsaved > 0);
    const second = await host(ref);
    await second.idle();
    assert.deepEqual(await values(ref, columnId), texts);
    assert.deepEqual(await filesLeft(), []);
  });

  it('adds each row once, however often it is killed', async () => {
    const { ref, columnId } = await newSheet(3);
    const texts = Array.from({ length: 700 }, (_, index) => `added ${index}`);
    let at = await host(ref);
    await at.request('ready', { page: 0 });
    const changing = at.request('change', paste(columnId, 2, texts));
    changing.catch(() => undefined);
    // From here on the paste is kept.
    await until('it is kept', async () =>
      (await filesLeft()).some((name) => name.endsWith('.log')),
    );
    for (let kill = 0; kill < 4; kill += 1) {
      await pause(20 + kill * 40);
      await at.kill();
      at = await host(ref);
    }
    await at.idle();
    assert.deepEqual(await values(ref, columnId), ['old 0', 'old 1', ...texts]);
    assert.deepEqual(await filesLeft(), []);
  });

  it('does not write over what somebody else changed between the crash and the next window', async () => {
    const { ref, columnId } = await newSheet(1000);
    const onFault = (fault: unknown): void => assert.fail(String(fault));
    const head = { connectionId: 'local', ...ref };
    const journal = new Journal({ folder, head, onFault });
    const since = new Date().toISOString();
    await journal.put(
      Array.from({ length: 1000 }, (_, rowIndex) => ({
        ...{ columnId, rowIndex, text: `mine ${rowIndex}`, base: `old ${rowIndex}`, since },
      })),
    );
    await journal.close();
    const page = await client.tables.rows.page(ref, { limit: 8 });
    const held = page.items[7]!.cells[columnId]!;
    await client.tables.cells.update(ref, held.id, { value: 'theirs' });
    const at = await host(ref);
    const state = await at.idle();
    const after = await values(ref, columnId);
    assert.equal(after[7], 'theirs');
    assert.equal(after.filter((text) => text.startsWith('mine')).length, 999);
    assert.deepEqual(state.counts, { sending: 0, waiting: 0, conflict: 1, refused: 0 });
    const { sheet } = await at.request('ready', { page: 0 });
    assert.deepEqual(
      sheet.unsaved.map(({ text, current }) => [text, current]),
      [['mine 7', 'theirs']],
    );
    await at.request('resolveEdit', { columnId, rowIndex: 7, keep: 'mine' });
    assert.equal((await values(ref, columnId))[7], 'mine 7');
    assert.deepEqual(await filesLeft(), []);
  });

  it('keeps a text that is being typed, until it is confirmed or given up', async () => {
    const { ref, columnId } = await newSheet(5);
    const first = await host(ref);
    await first.request('ready', { page: 0 });
    const draft = { columnId, rowIndex: 2, position: 2, text: 'half a sen', base: 'old 2' };
    await first.draft(draft);
    await until('it is kept', async () =>
      (await filesLeft()).some((name) => name.endsWith('.log')),
    );
    await first.kill();
    const second = await host(ref);
    const { sheet } = await second.request('ready', { page: 0 });
    assert.deepEqual(sheet.draft, draft);
    const { columnId: column, rowIndex, base } = draft;
    await second.request('edit', { columnId: column, rowIndex, text: 'half a sentence', base });
    assert.equal((await second.state()).draft, null);
    assert.deepEqual(await filesLeft(), []);
  });
});
