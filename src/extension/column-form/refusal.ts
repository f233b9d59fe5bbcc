import type { PromptTablesError } from '../../core/errors.ts';
import { isPromptTablesError } from '../../core/errors.ts';

/** Whether the service refused what was entered, which the form then says. */
export const isRefusal = (error: unknown): error is PromptTablesError =>
  isPromptTablesError(error) && (error.code === 'validation' || error.code === 'conflict');
