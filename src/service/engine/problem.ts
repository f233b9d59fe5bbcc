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

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
