import pg from 'pg';

/** Tables whose rows are held by whoever works on them, and how long the longest lease is. */
const held = [
  'task_ranges',
  'imports',
  'score_calculations',
  'workflow_executions',
  'provider_slots',
];
const LONGEST_MS = 20_000;

/**
 * In a PostgreSQL that only killed processes have worked on: as if they had been dead for 20 s, which
 * is what their leases take to run out. In a folder nothing is to be waited for.
 */
export async function letLeasesRunOut(databaseUrl: string | undefined): Promise<void> {
  if (databaseUrl === undefined) return;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const table of held) {
      await client.query(
        `update ${table} set lease_until = lease_until - ${String(LONGEST_MS)} where lease_until > 0`,
      );
    }
  } finally {
    await client.end();
  }
}
