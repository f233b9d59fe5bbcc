declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
  }
}

/** JSON whose numbers `JSON.stringify` writes as they were written: a double may not hold them. */
export const parseExact = (json: string): unknown =>
  JSON.parse(json, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value)
      ? JSON.rawJSON(source)
      : value,
  );
