/** What types of columns mean for a run: which have cells that run, and which of these are paid for. */

const withoutRuns: ReadonlySet<string> = new Set(['COMPOSITION', 'HUMAN', 'TEXT']);

/** Whether operations run its cells: they are neither typed in, nor shown from elsewhere. */
export const isRun = (type: string): boolean => !withoutRuns.has(type);

const paidTypes: ReadonlySet<string> = new Set([
  'AI_DATA_EXTRACTION',
  'CONVERSATION_SIMULATOR',
  'COSINE_SIMILARITY',
  'FOR_LOOP',
  'LLM_ASSERTION',
  'PROMPT_TEMPLATE',
  'WHILE_LOOP',
  'WORKFLOW',
]);

/** Whether its cells ask a model, or something that does: what they cost is unknown, not nothing. */
export const isPaid = (type: string): boolean => paidTypes.has(type);
