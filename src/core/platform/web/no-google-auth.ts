/**
 * In place of Google's library for signing in, which needs Node: whoever imports it gets an error that says so, and
 * says what to do instead.
 */
throw new Error("Google's library for signing in needs Node.");

export {};
