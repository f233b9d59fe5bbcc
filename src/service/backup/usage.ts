export const backupUsage = `Usage: service backup  --data FOLDER --to FILE       keeps the data of a folder in one file,
                                                     also while its service runs
       service restore --data FOLDER --from FILE [--replace]
                                                     fills an empty folder from it; --replace puts
                                                     it in the place of what the folder holds
       service move    --data FOLDER                 copies a folder into the empty PostgreSQL
                                                     database of DATABASE_URL

The address of the database holds a password, so it is read from the environment only. What is in
PostgreSQL already is kept with pg_dump.
`;

/** What a person can put right; the message says how. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
