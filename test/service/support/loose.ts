/**
 * Any answer that is not about tables: a test reads what it expects, and fails when it is not
 * there.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- answers of many shapes, read loosely
export type Loose = any;
