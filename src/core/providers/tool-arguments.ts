/** The text of arguments that came as text, or, from servers that send whole calls, as an object. */
export function argumentsText(given: unknown): string | undefined {
  if (typeof given === 'object' && given !== null) return JSON.stringify(given);
  return typeof given === 'string' ? given : undefined;
}

/** What is given to a tool, by whichever name: servers that read calls out of a text say `parameters`. */
export function givenTo(
  called: { readonly [Name in 'arguments' | 'input' | 'parameters']?: unknown } | undefined,
): string | undefined {
  const given = [called?.arguments, called?.input, called?.parameters].map(argumentsText);
  return given.find((text) => text !== undefined && text !== '') ?? given[0];
}
