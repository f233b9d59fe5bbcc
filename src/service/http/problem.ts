/** An answer that is not a success and that the caller can do something about. */
export class Problem extends Error {
  readonly status: number;
  /** Machine-readable; goes into `error` of the body. */
  readonly code: string;
  /** What the body says besides. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    fields: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

export const invalid = (message: string, detail?: readonly ValidationDetail[]): Problem =>
  new Problem(400, 'invalid_request', message, detail && { detail });
export const notFound = (what: string): Problem =>
  new Problem(404, 'not_found', `${what} was not found in this workspace.`);
export const conflict = (message: string): Problem => new Problem(409, 'conflict', message);

export interface ValidationDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Request parts that do not fit their schemas: 422 with one entry for each fault. */
export class ValidationProblem extends Error {
  readonly detail: readonly ValidationDetail[];

  constructor(detail: readonly ValidationDetail[]) {
    super("The request doesn't match its schema.");
    this.name = 'ValidationProblem';
    this.detail = detail;
  }
}

/** A request that fits its schema and still can't be carried out: 422, as a fault of one field. */
export const unprocessable = (
  loc: readonly (string | number)[],
  msg: string,
  type = 'value_error',
): ValidationProblem => new ValidationProblem([{ loc, msg, type }]);
