import * as z from 'zod';

/** A choice of a version as pages and addresses of documents keep it. */
export const Choice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('latest') }),
  z.object({ kind: z.literal('version'), version: z.int() }),
  z.object({ kind: z.literal('label'), label: z.string() }),
]);

/** A model as pages, records and arguments of commands name it. */
export const Model = z.object({ provider: z.string().min(1), name: z.string().min(1) });

export const PanelId = z.string().regex(/^[\w-]{1,64}$/);
