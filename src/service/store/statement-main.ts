/** The entry of the thread that does what takes long in an SQLite database, with a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SqlValue } from './database.ts';
import { Connection } from './sqlite-connection.ts';
import { StoreError } from './store-error.ts';
import type {
  MoreRows,
  SentValue,
  Statement,
  StatementAnswer,
  StatementOrder,
  StatementThreadData,
} from './statement-thread.ts';

// The data come from statement-thread.ts.
const { path, options } = workerData as StatementThreadData;
const connection = new Connection(path, options);

/** Received at once. */
const PIECE = 500;

let wanted = Promise.withResolvers<undefined>();

const tell = (answer: StatementAnswer): void => parentPort?.postMessage(answer);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const valuesOf = (sent: readonly SentValue[]): SqlValue[] =>
  sent.map((value) =>
    typeof value === 'object' && value !== null && 'utf8' in value
      ? decoder.decode(value.utf8)
      : value,
  );

async function answerRows(id: number, sql: string, params: readonly SqlValue[]): Promise<void> {
  let rows: object[] = [];
  for (const row of connection.rows(sql, params)) {
    rows.push(row);
    if (rows.length < PIECE) continue;
    wanted = Promise.withResolvers();
    tell({ id, rows, hasMore: true });
    rows = [];
    await wanted.promise;
  }
  tell({ id, rows });
}

async function carryOut(id: number, statement: Statement<SentValue>): Promise<void> {
  switch (statement.kind) {
    case 'query':
      await answerRows(id, statement.sql, valuesOf(statement.params));
      return;
    case 'one': {
      const row = await connection.one(statement.sql, valuesOf(statement.params));
      tell({ id, rows: row === undefined ? [] : [row] });
      return;
    }
    case 'run':
      tell({ id, changes: await connection.run(statement.sql, valuesOf(statement.params)) });
      return;
    case 'insertMany':
      tell({
        id,
        changes: await connection.insertMany(statement.insert, statement.rows.map(valuesOf)),
      });
      return;
    case 'exec':
      connection.exec(statement.sql);
      tell({ id });
  }
}

/** Errors lose their class on the way: what the driver said goes, and is read over there. */
function failureOf(error: unknown): NonNullable<StatementAnswer['failed']> {
  const own = error instanceof StoreError ? error.cause : error;
  const { message, errcode } = own as Error & { readonly errcode?: number };
  return { message, errcode };
}

async function answer({ id, statement }: StatementOrder): Promise<void> {
  try {
    await carryOut(id, statement);
  } catch (error) {
    tell({ id, failed: failureOf(error) });
  }
}

let turn = Promise.resolve();

parentPort?.on('message', (message: StatementOrder | MoreRows) => {
  if ('more' in message) wanted.resolve(undefined);
  else turn = turn.then(() => answer(message));
});
