// What the scripts tell the person who runs them: steps as they begin, failures with their cure.

/** @param {string} text */
export const say = (text) => process.stdout.write(`${text}\n`);

/** A failure that a person can cure: says what failed and what to do next. */
export class Trouble extends Error {
  /**
   * @param {string} what
   * @param {string} [cure]
   */
  constructor(what, cure) {
    super(cure ? `${what}\n  What to do: ${cure}` : what);
    this.name = 'Trouble';
  }
}

/**
 * Runs a script's main function; a Trouble ends it with its own words, anything else with a stack.
 * @param {() => Promise<number | void>} main
 */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const text =
      error instanceof Trouble
        ? error.message
        : error instanceof Error
          ? error.stack
          : String(error);
    process.stderr.write(`\n${text}\n`);
    process.exitCode = 1;
  }
}

/** @param {number} sinceMs a value of Date.now() */
export const seconds = (sinceMs) => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
