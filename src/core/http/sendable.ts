import { ExactNumber } from '../../api/exact-number.ts';
import { ValidationError } from '../errors.ts';
import { isMapping } from '../mapping.ts';

/** Deeper than anybody means to, and than JSON.stringify can go. */
const DEEPEST = 1000;

/** A fault of the program, not of the service: shown whatever `throwOnError` says. */
export class UnsendableError extends ValidationError {}

/** What JSON has no form for, and would leave out, empty or turn into null without a word. */
function lostIn(value: unknown): { readonly what: string; readonly hint: string } | undefined {
  switch (typeof value) {
    case 'function':
      return { what: 'a function', hint: 'Leave it out, or give what it returns.' };
    case 'symbol':
      return { what: 'a symbol', hint: 'Give its description as a text.' };
    case 'number':
      return Number.isFinite(value)
        ? undefined
        : { what: String(value), hint: 'Give a finite number, or null.' };
    case 'object':
      return value === null ? undefined : lostObject(value);
    default:
      return undefined;
  }
}

function lostObject(value: object): { readonly what: string; readonly hint: string } | undefined {
  if (value instanceof Map) return { what: 'a Map', hint: 'Give Object.fromEntries(map).' };
  if (value instanceof Set) return { what: 'a Set', hint: 'Give a list: [...set].' };
  if (value instanceof Date && Number.isNaN(value.getTime())) {
    return { what: "a Date that isn't a time", hint: 'Give a valid date, or null.' };
  }
  if (hasJson(value)) return undefined;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return { what: 'bytes', hint: 'Give them as a base64 text, or as a list of numbers.' };
  }
  const isBoxed = [Number, String, Boolean, BigInt].some((kind) => value instanceof kind);
  if (Array.isArray(value) || isMapping(value) || isBoxed) return undefined;
  if (Object.keys(value).length > 0) return undefined;
  const { constructor } = value;
  const name =
    typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'such';
  return {
    what: `a ${name} object, whose JSON is empty`,
    hint: 'Give a plain object with the fields that are meant.',
  };
}

/** Of an object whose fields are taken one by one: a Map has none. */
export function refuseLost(fields: object): void {
  const lost = lostObject(fields);
  if (lost === undefined) return;
  throw new UnsendableError(
    {
      kind: 'invalid-argument',
      doing: "The request can't be sent",
      problem: `its fields were given in ${lost.what}`,
    },
    { hint: { kind: 'argument', words: lost.hint } },
  );
}

const hasJson = (value: object): value is { toJSON: (key: string) => unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

const placeIn = (path: readonly (string | number)[]): string =>
  path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at > 0 ? '.' : ''}${part}`))
    .join('');

/** Visits all that would be sent, the innermost path in `path`. */
function visit(
  value: unknown,
  path: (string | number)[],
  above: Set<object>,
  refuse: (what: string, hint: string) => never,
): void {
  const lost = lostIn(value);
  if (lost !== undefined) refuse(lost.what, lost.hint);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return;
  if (above.has(value)) {
    refuse('something that holds itself', 'Give a copy without the part that leads back to it.');
  }
  if (path.length > DEEPEST) refuse('something nested too deep', 'Give it in fewer levels.');
  above.add(value);
  if (hasJson(value)) visit(value.toJSON(String(path.at(-1) ?? '')), path, above, refuse);
  else if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    for (let at = 0; at < items.length; at += 1) visitAt(items[at], at, path, above, refuse);
  } else {
    for (const [name, item] of Object.entries(value)) visitAt(item, name, path, above, refuse);
  }
  above.delete(value);
}

function visitAt(
  item: unknown,
  place: string | number,
  path: (string | number)[],
  above: Set<object>,
  refuse: (what: string, hint: string) => never,
): void {
  // Nearly all values by far: nothing to see.
  if (typeof item === 'string' || typeof item === 'boolean' || item === undefined) return;
  path.push(place);
  visit(item, path, above, refuse);
  path.pop();
}

/**
 * Throws an UnsendableError that names the field which JSON cannot hold: a circle, a Map, a function.
 * Everything that a caller gives and that is sent on goes through here.
 */
export function checkSendable(value: unknown, failed: string): void {
  const path: (string | number)[] = [];
  visit(value, path, new Set(), (what, hint) => {
    const field = path.length > 20 ? `${placeIn(path.slice(0, 20))}…` : placeIn(path);
    const problem = `${field === '' ? 'what was given' : field} is ${what}, which can't be sent as JSON`;
    throw new UnsendableError(
      { kind: 'invalid-argument', doing: failed, problem },
      { hint: { kind: 'argument', words: hint } },
    );
  });
}
