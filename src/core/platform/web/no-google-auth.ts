/**
 * In place of Google's library for signing in, which needs Node: whoever imports it is told so, and
 * says what to do instead.
 */
throw new Error("Google's library for signing in needs Node.");

export {};
