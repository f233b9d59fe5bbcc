import type { Mapping } from '../../mapping.ts';
import type { PartialArg } from './schema.ts';

type Fields = Record<string, unknown>;
type Step = string | number;

/** `$.place.streets[0]` -> `['place', 'streets', 0]` */
function stepsOf(path: string): readonly Step[] {
  const steps: Step[] = [];
  for (const match of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[["']([^"']*)["']\]/g)) {
    const [, name, index, quoted] = match;
    steps.push(index === undefined ? (name ?? quoted ?? '') : Number(index));
  }
  return steps;
}

/** A step that can't lead anywhere in arguments that a model writes. */
const isSafe = (step: Step): boolean =>
  typeof step === 'number' ? step < 10_000 : step !== '__proto__';

function put(root: Fields, steps: readonly Step[], change: (before: unknown) => unknown): void {
  let at: Fields = root;
  for (const [depth, step] of steps.entries()) {
    if (!isSafe(step)) return;
    const next = steps[depth + 1];
    if (next === undefined) {
      at[step] = change(at[step]);
      return;
    }
    const inner = at[step];
    if (typeof inner !== 'object' || inner === null) at[step] = typeof next === 'number' ? [] : {};
    at = at[step] as Fields;
  }
}

/** The arguments of a function call that come in pieces, each with the path of its place. */
export class PartialArgs {
  readonly #args: Fields = {};
  /** The text that the next piece with the same path goes on with. */
  #open: string | undefined;

  add(pieces: readonly PartialArg[]): void {
    for (const piece of pieces) this.#add(piece);
  }

  #add({ jsonPath, stringValue, numberValue, boolValue, willContinue }: PartialArg): void {
    if (jsonPath === undefined) return;
    const goesOn = this.#open === jsonPath;
    this.#open = willContinue === true ? jsonPath : undefined;
    put(this.#args, stepsOf(jsonPath), (before) => {
      if (typeof stringValue === 'string') {
        return goesOn && typeof before === 'string' ? before + stringValue : stringValue;
      }
      if (goesOn && stringValue === undefined && typeof before === 'string') return before;
      return numberValue ?? boolValue ?? null;
    });
  }

  whole(): Mapping {
    return structuredClone(this.#args);
  }
}
