/**
 * Made when it is first asked for. Schemas of modules that are loaded at activation are: zod and what
 * it builds would take half of that time, and most are for something that happens much later.
 */
export function lazy<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
