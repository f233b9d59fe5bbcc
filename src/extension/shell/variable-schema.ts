import * as z from 'zod';
import { variableForms, variableKinds } from '../../protocol/run.ts';

/** A variable as it is remembered, kept with a run, or handed to a command. */
export const Variable = z.object({
  name: z.string(),
  kind: z.enum(variableKinds),
  text: z.string(),
  as: z.enum(variableForms).exactOptional(),
});
