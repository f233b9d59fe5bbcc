export type EngineProblemCode =
  | 'invalid_config'
  | 'invalid_value'
  | 'unknown_column'
  | 'cycle'
  | 'not_computed'
  | 'invalid_selection';

/** A request that the engine refuses; the message is for the user and names what to change. */
export class EngineProblem extends Error {
  override readonly name = 'EngineProblem';
  readonly code: EngineProblemCode;

  constructor(code: EngineProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
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
