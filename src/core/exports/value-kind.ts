import { ExactNumber } from '../../api/exact-number.ts';
import { parseJson } from '../http/json.ts';

/**
 * What the values of a column have in common, and so what a typed file can hold without losing a
 * digit. `digits`: numbers of which some fit neither 64-bit integers nor doubles. `mixed`: JSON.
 */
export type ValueKind = 'none' | 'boolean' | 'int64' | 'double' | 'digits' | 'string' | 'mixed';

const INTEGER = /^-?\d+$/;
const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** Remembers what it has seen of one column. */
export class KindSeen {
  kind: ValueKind = 'none';
  /** Whether all integers among the numbers are exact as doubles. */
  #areSafe = true;

  /** JSON text of a value; null and JSON null say nothing. */
  see(text: string | null): void {
    if (text === null || text === 'null' || this.kind === 'mixed') return;
    this.kind = this.#with(text);
  }

  #with(text: string): ValueKind {
    const first = text.charCodeAt(0);
    if (first === 0x22) return this.#only('string');
    if (first === 0x74 || first === 0x66) return this.#only('boolean');
    if (first === 0x7b || first === 0x5b) return 'mixed';
    return this.#number(text);
  }

  #only(kind: 'string' | 'boolean'): ValueKind {
    return this.kind === 'none' || this.kind === kind ? kind : 'mixed';
  }

  #number(text: string): ValueKind {
    if (this.kind === 'string' || this.kind === 'boolean') return 'mixed';
    const number = numberKind(text);
    if (number === 'int64' && !Number.isSafeInteger(Number(text))) this.#areSafe = false;
    if (number === 'digits' || this.kind === 'digits') return 'digits';
    const isDouble = number === 'double' || this.kind === 'double';
    if (!isDouble) return 'int64';
    return this.#areSafe ? 'double' : 'digits';
  }
}

function numberKind(text: string): 'int64' | 'double' | 'digits' {
  // -0 is an integer that only a double holds.
  if (INTEGER.test(text) && text !== '-0') {
    if (text.length < 19) return 'int64';
    const integer = BigInt(text);
    return integer >= LOWEST && integer <= HIGHEST ? 'int64' : 'digits';
  }
  return parseJson(text) instanceof ExactNumber ? 'digits' : 'double';
}

/** Whether a value fits into a column of a kind. */
export function fits(kind: ValueKind, text: string): boolean {
  if (kind === 'mixed') return true;
  const seen = new KindSeen();
  seen.see(text);
  if (seen.kind === 'none' || seen.kind === kind) return true;
  if (kind === 'digits') return seen.kind === 'int64' || seen.kind === 'double';
  return kind === 'double' && seen.kind === 'int64' && Number.isSafeInteger(Number(text));
}
