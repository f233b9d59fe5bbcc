import type { z } from 'zod';

export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issuePath: string; readonly issue: string };

/** `data[3].cells.id`: how a reader writes a place in JSON. */
function issuePathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}

/** Parsed JSON -> typed value, or the first place that does not fit. */
export function readWith<T>(schema: z.ZodType<T>, json: unknown): ReadResult<T> {
  const result = schema.safeParse(json);
  if (result.success) return { ok: true, value: result.data };
  const [first] = result.error.issues;
  return {
    ok: false,
    issuePath: issuePathOf(first?.path ?? []),
    issue: first?.message ?? "isn't valid",
  };
}
