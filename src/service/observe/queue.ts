import * as prom from 'prom-client';
import type { Database } from '../store/database.ts';

/**
 * What the database holds for all processes together, and how busy this thread's connections are.
 * Each question is answered by a small index.
 */
export function watchDatabase(registry: prom.Registry, database: Database): void {
  const registers = [registry];
  const ask = (name: string, help: string, sql: string): void => {
    const gauge = new prom.Gauge({
      name: `prompt_tables_${name}`,
      help,
      registers,
      async collect(): Promise<void> {
        const row = await database.one<{ number: number | null }>(sql);
        gauge.set(row?.number ?? 0);
      },
    });
  };
  const active = `from operations where status in ('queued', 'running')`;
  ask(
    'operations',
    'Operations that wait or run, anywhere.',
    `select count(*) as number ${active}`,
  );
  ask(
    'queued_cells',
    'Cells of these operations that are not done, anywhere.',
    `select sum(cell_count - completed_count - failed_count - cancelled_count) as number ${active}`,
  );
  ask(
    'claimed_rows',
    'Rows that some worker has claimed, anywhere.',
    `select sum(last_row - first_row + 1) as number from task_ranges where state = 'claimed'`,
  );
  const connections = new prom.Gauge({
    name: 'prompt_tables_database_connections',
    help: 'Connections of the service to the database: busy, idle, and who waits for one.',
    labelNames: ['state'],
    registers,
    collect(): void {
      for (const [state, count] of Object.entries(database.connections())) {
        connections.set({ state }, count);
      }
    },
  });
}
