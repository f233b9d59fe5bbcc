import { stringifyJson } from '../../core/http/json.ts';

/** JSON with two spaces, with the digits of its numbers as they were sent. */
export const laidOut = (value: unknown): string => layOut(stringifyJson(value ?? null));

/** The same of JSON text, token by token. */
export function layOut(json: string): string {
  const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^{}[\],:"]+/g) ?? [];
  let out = '';
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      const closes = next === '}' || next === ']';
      if (!closes) depth += 1;
      out += closes ? token : token + newLine();
    } else if (token === '}' || token === ']') {
      const previous = tokens[index - 1];
      const isEmpty = previous === '{' || previous === '[';
      if (!isEmpty) depth -= 1;
      out += isEmpty ? token : newLine() + token;
    } else if (token === ',') out += token + newLine();
    else out += token === ':' ? ': ' : token;
  }
  return out;
}
