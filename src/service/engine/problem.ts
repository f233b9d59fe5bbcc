import type { z } from 'zod';

export type EngineProblemCode =
  | 'invalid_config'
  | 'invalid_value'
  | 'unknown_column'
  | 'cycle'
  | 'not_computed'
  | 'invalid_selection';

export type Path = readonly (string | number)[];

/** What is wrong at one place of what was given, such as `['config', 'sources', 1]`. */
export interface Fault {
  readonly loc: Path;
  readonly msg: string;
  readonly type: string;
}

export const faultsOf = (error: z.ZodError): Fault[] =>
  error.issues.map(({ path, message, code }) => ({
    loc: path.map((step) => (typeof step === 'symbol' ? String(step) : step)),
    msg: message,
    type: code,
  }));

/** A request that the engine refuses; the message is for the user and names what to change. */
export class EngineProblem extends Error {
  override readonly name = 'EngineProblem';
  readonly code: EngineProblemCode;
  /** For programs: the places that the message is about. */
  readonly faults: readonly Fault[];

  constructor(
    code: EngineProblemCode,
    message: string,
    { cause, faults = [] }: { readonly cause?: unknown; readonly faults?: readonly Fault[] } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.faults = faults;
  }

  /** The same of something larger, in which this was at a path. */
  at(path: Path): EngineProblem {
    const whole: readonly Fault[] = [{ loc: [], msg: this.message, type: this.code }];
    const faults = (this.faults.length > 0 ? this.faults : whole).map((fault) => ({
      ...fault,
      loc: [...path, ...fault.loc],
    }));
    return new EngineProblem(this.code, this.message, { cause: this.cause, faults });
  }
}

/** Reads a part of something; what is wrong with it says where it was. */
export function readAt<Result>(path: Path, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof EngineProblem ? error.at(path) : error;
  }
}

export type CellProblemCode =
  | 'source_failed'
  | 'source_not_computed'
  | 'source_missing'
  | 'invalid_input'
  | 'invalid_config'
  | 'limit_exceeded'
  | 'code_failed'
  | 'timed_out'
  | 'model_failed'
  | 'prompt_invalid'
  | 'no_model'
  | 'not_allowed'
  | 'request_failed'
  | 'not_supported'
  | 'cost_ceiling'
  | 'cost_unknown'
  | 'internal';

/** A cell that can't be computed. The code goes to the cell's `error`, the text to `error_message`. */
export class CellProblem extends Error {
  override readonly name = 'CellProblem';
  readonly code: CellProblemCode;

  constructor(code: CellProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A list that leaves some out, and says nothing, would be taken for all. */
export const tooManyMatches = (what: string, most: number): CellProblem =>
  new CellProblem(
    'limit_exceeded',
    `${what} finds more than ${most.toLocaleString('en-US')} matches, which is the most that a cell can have. Make it find less.`,
  );

/** What ran out of stack or of room on a user's value is a fault of the value; others stay. */
export const settledError = (error: unknown): unknown =>
  error instanceof RangeError
    ? new CellProblem(
        'limit_exceeded',
        'A value is nested too deeply or grows too large for this. Make it flatter or shorter.',
        { cause: error },
      )
    : error;

export function messageOf(thrown: unknown): string {
  const error = settledError(thrown);
  return error instanceof Error ? error.message : String(error);
}
