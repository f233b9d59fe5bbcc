import type * as z from 'zod';
import { ownValue } from '../../api/own-value.ts';

type Schemas = Readonly<Record<'request' | 'event', Readonly<Record<string, z.ZodType>>>>;

/** Gives a message as its schema has it; throws when it is none of ours or does not fit. */
export const checkMessage =
  (who: string, schemas: Schemas) =>
  (kind: 'request' | 'event', name: string, payload: unknown): unknown => {
    const schema = ownValue(schemas[kind], name);
    if (schema === undefined) throw new Error(`${who} sent an unknown ${kind}: ${name}`);
    const read = schema.safeParse(payload);
    if (read.success) return read.data;
    const { path, message } = read.error.issues[0] ?? { path: [], message: "isn't valid" };
    throw new Error(
      `${who} sent a ${kind} "${name}" that isn't valid: ${path.join('.')} ${message}`,
    );
  };
