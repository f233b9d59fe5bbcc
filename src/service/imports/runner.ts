import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { errorText } from '../log.ts';
import type { Database } from '../store/database.ts';
import type { WorkOf } from '../store/own-work.ts';
import { isSetAside, setAsideText } from '../store/attempts.ts';
import type { ImportRecord } from '../store/records.ts';
import { ImportError } from '../../core/imports/import-error.ts';
import { BatchWriter } from './batch-writer.ts';
import { claimImport, finishImport, leaveImport, readPieces, savedBytes } from './import-store.ts';
import type { Layout } from './layout.ts';
import { readRows } from './records.ts';
import { countIds, readRequestRows } from './request-ids.ts';

/** Finds imports whose worker, maybe on another machine, is gone. */
const POLL_MS = 3000;

/** Runs waiting imports one after the other, in the process that answers HTTP, in small steps. */
export class ImportRunner {
  readonly #database: Database;
  readonly #log: Log;
  readonly #workOf: WorkOf;
  readonly #poll: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  #isWoken = false;
  #isStopped = false;

  constructor(database: Database, log: Log, workOf?: WorkOf) {
    this.#database = database;
    this.#log = log;
    this.#workOf = workOf;
    this.#poll = setInterval(() => this.wake(), POLL_MS).unref();
  }

  wake(): void {
    this.#isWoken = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isWoken && !this.#isStopped) this.wake();
    });
  }

  /** Stops after the batch that is under way; the next start goes on from there. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#poll);
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#isWoken = false;
    try {
      for (;;) {
        const work = this.#isStopped ? undefined : await claimImport(this.#database, this.#workOf);
        if (work === undefined) return;
        await this.#import(work);
        this.#giveBack();
      }
    } catch (error) {
      this.#log.error('Imports wait for the next attempt', { error: errorText(error) });
    }
  }

  /** The file that was imported was in the database; the next import need not wait for its room. */
  #giveBack(): void {
    this.#database.giveBack().catch((error: unknown) => {
      this.#log.warn('Free space stays in the database', { error: errorText(error) });
    });
  }

  async #import(work: ImportRecord): Promise<void> {
    const { operation_id: operation } = work;
    try {
      if (isSetAside(work)) {
        throw new ImportError(setAsideText('Check the file, then import it in smaller parts.'));
      }
      const isDone = await this.#addRows(work);
      if (!isDone) {
        await leaveImport(this.#database, work);
        return;
      }
      await finishImport(this.#database, work, null);
      this.#log.info('Import finished', { operation });
    } catch (error) {
      const reason =
        error instanceof ImportError
          ? error.message
          : 'The service failed; its log has the reason.';
      this.#log.warn('Import failed', { operation, error: errorText(error) });
      await finishImport(this.#database, work, reason);
    }
  }

  async #addRows(work: ImportRecord): Promise<boolean> {
    if ((await savedBytes(this.#database, work)) !== work.byte_count) {
      throw new ImportError('The file did not arrive completely. Import it again.');
    }
    const layout = JSON.parse(work.layout_json) as Layout;
    const writer = new BatchWriter(this.#database, work, layout.columnKeys);
    try {
      return await this.#readRows(work, layout, writer);
    } finally {
      await writer.settled();
    }
  }

  async #readRows(work: ImportRecord, layout: Layout, writer: BatchWriter): Promise<boolean> {
    let bytesRead = 0;
    const counted = async function* (database: Database): AsyncGenerator<Uint8Array> {
      for await (const piece of readPieces(database, work)) {
        bytesRead += piece.byteLength;
        yield piece;
      }
    };
    let toSkip = work.rows_added;
    let rowsRead = work.rows_added;
    const store = async (): Promise<boolean> => {
      const stored = await writer.store((count) => {
        const share =
          layout.form.format === 'request_logs'
            ? (rowsRead + count) / countIds(work.byte_count)
            : bytesRead / Math.max(1, work.byte_count);
        return Math.min(0.99, share);
      });
      rowsRead += stored;
      // Requests that came meanwhile are answered first.
      await nextTurn();
      return stored > 0 && !this.#isStopped;
    };
    const pieces = counted(this.#database);
    const source =
      layout.form.format === 'request_logs'
        ? readRequestRows(this.#database, work.workspace_id, layout.form.fields, pieces)
        : readRows({ form: layout.form, titles: layout.titles }, pieces);
    for await (const row of source) {
      if (toSkip > 0) toSkip -= 1;
      else if (writer.add(row) && !(await store())) return false;
    }
    await store();
    return true;
  }
}
