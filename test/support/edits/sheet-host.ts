/**
 * What the extension host does with one open sheet, in a process that can be killed: the session, its
 * journal and a client of the real service, spoken to with the page's own requests.
 */
import path from 'node:path';
import process from 'node:process';
import { Client, silentLogger } from '../../../src/core/index.ts';
import { Journal } from '../../../src/extension/grid/edit/journal.ts';
import { plainView } from '../../../src/extension/grid/columns/layouts.ts';
import { Session } from '../../../src/extension/grid/session.ts';
import { sheetSource } from '../../../src/extension/grid/rows/source.ts';
import { Spool } from '../../../src/extension/grid/rows/spool.ts';
import type { CellDraft } from '../../../src/protocol/grid-edits.ts';
import type { SheetRequests } from '../../../src/protocol/grid.ts';
import { testEditorHost } from '../../unit/extension/grid/editor-host.ts';

export interface SheetHostStart {
  readonly url: string;
  readonly key: string;
  readonly folder: string;
  readonly tableId: string;
  readonly sheetId: string;
  readonly takesMany: boolean;
}

export interface SheetHostState {
  readonly unsaved: number;
  readonly isBusy: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly saving: string | null;
  readonly announced: readonly string[];
  readonly asked: readonly string[];
  readonly draft: CellDraft | null;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly emitted: { readonly messages: number; readonly bytes: number };
}

export type SheetHostOrder =
  | { readonly id: number; readonly kind: 'start'; readonly start: SheetHostStart }
  | {
      readonly id: number;
      readonly kind: 'request';
      readonly name: keyof SheetRequests;
      readonly params: unknown;
    }
  | { readonly id: number; readonly kind: 'draft'; readonly draft: CellDraft | null }
  | { readonly id: number; readonly kind: 'state' | 'leave' | 'close' };

let session: Session | undefined;
const editorHost = testEditorHost();
const emitted = { messages: 0, bytes: 0 };
/** Ended with the page: whatever it has asked for is told so, as its channel does. */
let page = new AbortController();

async function start(given: SheetHostStart): Promise<null> {
  const { url, key, folder, takesMany, tableId, sheetId } = given;
  const ref = { tableId, sheetId };
  const client = new Client({ apiKey: key, baseURL: url, logger: silentLogger });
  const onFault = (fault: unknown): void => void editorHost.faults.push(fault);
  session = new Session({
    ...ref,
    connection: { id: 'local', name: 'Local workspace', local: true },
    source: sheetSource(async () => client, ref, takesMany),
    editorHost,
    journal: new Journal({ folder, head: { connectionId: 'local', ...ref }, onFault }),
    spool: new Spool({ file: path.join(folder, `${String(process.pid)}.pages`), onFault }),
    layout: plainView.layout,
    columns: { columnAction: () => null, moveColumn: () => ({ kept: true, message: '' }) },
    emit: (_name, payload) => {
      emitted.messages += 1;
      emitted.bytes += JSON.stringify(payload).length;
    },
    timing: { activeMs: 200, idleMs: 1000 },
    editTiming: { firstPauseMs: 100, longestPauseMs: 500 },
  });
  await session.takeUp();
  return null;
}

function state(): SheetHostState | null {
  if (session === undefined) return null;
  const { unsavedCounts = {}, saving } = session.sheet();
  return {
    unsaved: session.unsavedCount,
    isBusy: session.isBusy,
    counts: unsavedCounts,
    saving: saving === null || saving === undefined ? null : `${saving.title} ${saving.message}`,
    announced: editorHost.announced,
    asked: editorHost.left.map(({ what }) => what),
    draft: session.draft,
    residentBytes: process.memoryUsage().rss,
    heapBytes: process.memoryUsage().heapUsed,
    emitted,
  };
}

async function carryOut(order: SheetHostOrder): Promise<unknown> {
  switch (order.kind) {
    case 'start':
      return start(order.start);
    case 'request':
      return (session?.handlers[order.name] as ((a: unknown, b: unknown) => unknown) | undefined)?.(
        order.params,
        page.signal,
      );
    case 'draft':
      session?.keepDraft(order.draft);
      return null;
    case 'state':
      return state();
    case 'leave':
      page.abort();
      page = new AbortController();
      return null;
    case 'close':
      await session?.close();
      return null;
  }
}

process.on('message', (order: SheetHostOrder) => {
  carryOut(order).then(
    (result) => process.send?.({ id: order.id, result }),
    (error: unknown) =>
      process.send?.({
        id: order.id,
        error: error instanceof Error ? error.message : String(error),
      }),
  );
});
process.on('disconnect', () => process.exit(0));
