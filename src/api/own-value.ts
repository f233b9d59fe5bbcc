/**
 * What a record holds under a name that somebody else chose: `constructor` and `__proto__` are
 * names like any other, and no record holds them by itself.
 */
export const ownValue = <Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(record, name) ? record[name] : undefined);
