import { createHash } from 'node:crypto';
import type { SqlValue } from '../store/database.ts';

const MODULUS = 2n ** 128n;

/**
 * A sum of the hashes of rows, so that the order in which a database hands them out does not
 * matter: each sorts texts in its own way.
 */
export class RowsDigest {
  #sum = 0n;
  #rowCount = 0;

  add(values: readonly SqlValue[]): void {
    const hash = createHash('sha256');
    for (const value of values) addValue(hash, value);
    this.#sum = (this.#sum + BigInt(`0x${hash.digest('hex').slice(0, 32)}`)) % MODULUS;
    this.#rowCount += 1;
  }

  end(): { rowCount: number; digest: string } {
    return { rowCount: this.#rowCount, digest: this.#sum.toString(16).padStart(32, '0') };
  }
}

/** With its kind and its length, so that no two rows look the same. */
function addValue(hash: ReturnType<typeof createHash>, value: SqlValue): void {
  if (value === null) hash.update('n;');
  else if (typeof value === 'number') hash.update(`d${String(value)};`);
  else {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    hash.update(`${typeof value === 'string' ? 's' : 'b'}${String(bytes.length)}:`);
    hash.update(bytes);
  }
}

/** Roughly what the values of a row take in memory, in bytes or characters. */
export const sizeOf = (values: readonly SqlValue[]): number =>
  values.reduce<number>(
    (size, value) => size + (value === null || typeof value === 'number' ? 8 : value.length),
    0,
  );
