/**
 * Limits of time only end what hangs; what a test waits for is a state. How much longer than on a quiet,
 * quick machine something may take is measured once in each `npm test` (scripts/patience.mjs).
 */
const patience = Number(process.env['PROMPT_TABLES_TEST_PATIENCE'] ?? '2');

/** Milliseconds that something may take here which takes `ms` at most on a quiet, quick machine. */
export const timeLimit = (ms: number): number => Math.round(ms * patience);
