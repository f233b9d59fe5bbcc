import type { Mapping } from '../mapping.ts';

/**
 * Where answers of models are kept. Keys are 64 hexadecimal digits, values plain JSON. Values that
 * were changed or cut since are noticed; what throws counts as not there.
 */
export interface AnswerStore {
  /** Undefined: there is nothing. */
  read(key: string): Promise<unknown>;
  write(key: string, value: Mapping): Promise<void>;
}
