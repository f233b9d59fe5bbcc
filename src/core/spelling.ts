import { refuseLost } from './http/sendable.ts';

type SnakeCase<Text extends string> = Text extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Text;

/** The same fields in camelCase or in snake_case. */
export type EitherSpelling<Fields> =
  Fields | { readonly [Name in keyof Fields as SnakeCase<Name & string>]: Fields[Name] };

type CamelCase<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

/** The same, of fields that are declared in snake_case. */
export type AlsoCamelCase<Fields> =
  Fields | { readonly [Name in keyof Fields as CamelCase<Name & string>]: Fields[Name] };

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of one object as the service spells them; what is inside is the caller's own. */
export function snakeFields(fields: object): Record<string, unknown> {
  refuseLost(fields);
  const spelled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const snake = snakeCase(name);
    // Given in both spellings, the one that is sent as it is counts.
    if (snake === name || !Object.hasOwn(fields, snake)) spelled[snake] = value;
  }
  return spelled;
}

/** Fields of a query or a body in either spelling, as the service spells them. */
export const asSent = <Fields extends object>(given: AlsoCamelCase<Fields>): Fields =>
  snakeFields(given) as Fields;
