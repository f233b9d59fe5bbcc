import * as z from 'zod';

/** Specification 2.7. Additional properties are allowed; legacy endpoints send only one text. */
export const ErrorResponse = z.looseObject({
  success: z.literal(false).default(false),
  message: z.string().optional(),
  error: z.string().optional(),
  /** The machine-readable word, where `error` holds a text for clients that show nothing else. */
  code: z.string().optional(),
});
export type ErrorResponse = z.output<typeof ErrorResponse>;

/** What is wrong at one place of a request: `['body', 'config', 'sources', 1]`. */
export const ErrorDetail = z.looseObject({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});
export type ErrorDetail = Readonly<z.output<typeof ErrorDetail>>;

/** The 422 body of request validation. */
export const ValidationErrorResponse = z.looseObject({ detail: z.array(ErrorDetail) });
export type ValidationErrorResponse = z.output<typeof ValidationErrorResponse>;

export interface ErrorText {
  readonly message: string | undefined;
  /** Machine-readable code of the body, when it has one beside the message. */
  readonly code: string | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  return isObject(value) ? JSON.stringify(value) : undefined;
}

function details(value: unknown): string | undefined {
  if (!Array.isArray(value)) return text(value);
  const lines = value.flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const where = Array.isArray(entry['loc']) ? entry['loc'].join('.') : '';
    const what = text(entry['msg']) ?? '';
    if (where && what) return [`${where}: ${what}`];
    return where || what ? [where || what] : [];
  });
  return lines.length > 0 ? lines.join('; ') : undefined;
}

/** The places that an error body names, of whatever status. */
export function readErrorDetail(body: unknown): readonly ErrorDetail[] {
  const detail = isObject(body) ? body['detail'] : undefined;
  if (!Array.isArray(detail)) return [];
  return detail.flatMap((entry: unknown) => {
    const read = ErrorDetail.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}

/** Reads any of the five documented error bodies: `message`, then `error`, then `detail`. */
export function readErrorBody(body: unknown): ErrorText {
  if (typeof body === 'string') return { message: body.trim() || undefined, code: undefined };
  if (!isObject(body)) return { message: undefined, code: undefined };
  const message = text(body['message']);
  const error = text(body['error']);
  return {
    message: message ?? error ?? details(body['detail']),
    code: text(body['code']) ?? (message === undefined ? undefined : error),
  };
}
