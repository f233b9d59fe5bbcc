import * as z from 'zod';
import { endingKinds } from '../../protocol/run.ts';

/** A choice of a version as pages and addresses of documents keep it. */
export const Choice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('latest') }),
  z.object({ kind: z.literal('version'), version: z.int() }),
  z.object({ kind: z.literal('label'), label: z.string() }),
]);

/** A prompt as it stands outside of the registry, in the form that services have for it. */
export const Blueprint = z.looseObject({
  prompt_template: z.looseObject({ type: z.string() }),
  metadata: z.looseObject({}).nullish(),
  /** It was filled in: what looks like a variable in its texts is none. */
  isRendered: z.boolean().exactOptional(),
});
export type Blueprint = z.output<typeof Blueprint>;

/** Where a prompt stands that runs as it is, as pages and arguments of commands name it. */
export const Unpublished = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('document'), uri: z.string() }),
  z.object({ kind: z.literal('kept') }),
]);

/** How an answer ended that is not whole. */
export const Ending = z.object({ kind: z.enum(endingKinds), reason: z.string() });

/** A model as pages, records and arguments of commands name it. */
export const Model = z.object({ provider: z.string().min(1), name: z.string().min(1) });

/** What is to be changed of a prompt's model: that it is another one, and parameters by their names. */
export const ModelChange = z.object({
  model: Model.exactOptional(),
  parameters: z.record(z.string(), z.unknown()),
  /** In the place of its tools, and of how it is to choose among them. */
  tools: z.array(z.unknown()).readonly().exactOptional(),
  toolChoice: z.union([z.string(), z.record(z.string(), z.unknown())]).exactOptional(),
  /** The changes for people to read. */
  summary: z.string(),
});
export type ModelChange = z.output<typeof ModelChange>;

/** Values of parameters as they were entered; bounds that no honest page reaches. */
export const SentParameters = z
  .array(z.object({ name: z.string().min(1).max(200), text: z.string().max(1_000_000) }))
  .max(100)
  .readonly();

export const PanelId = z.string().regex(/^[\w-]{1,64}$/);
