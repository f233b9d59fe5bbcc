/** A worker in a process of its own, to be killed: argv holds the database's address. */
import { startWorker } from '../../../src/service/engine/index.ts';
import { openDatabase } from '../../../src/service/store/database.ts';
import { createWriteLock } from '../../../src/service/store/write-lock.ts';
import { silent } from './sheet.ts';

const [kind = '', place = '', leaseMs = '20000'] = process.argv.slice(2);
const database = await openDatabase(
  kind === 'sqlite'
    ? { kind: 'sqlite', path: place, writeLock: createWriteLock() }
    : { kind: 'postgres', url: place, connections: 4 },
);
await startWorker({ database, log: silent, leaseMs: Number(leaseMs), pollMs: 200 });
process.stdout.write('ready\n');
