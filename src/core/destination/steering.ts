import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { holdsParameters, isContent, isSteering } from './steering-names.ts';
import { shortened } from '../shortened.ts';

/** Deeper than anything that a provider takes. */
const maxDepth = 40;
const maxNamed = 8;
const maxNameLength = 60;

/** Parameters without those that would say where a request goes, and the names of the latter. */
export interface Settled {
  readonly kept: Record<string, unknown>;
  /** With the place that they stood at: `extra_body.base_url`. */
  readonly ignored: readonly string[];
}

/** Takes in what is kept, and notes what is not. */
class Sieve {
  readonly ignored: string[] = [];

  mapping(
    given: Mapping,
    isParameters: boolean,
    place: readonly string[],
  ): Record<string, unknown> {
    const kept: [string, unknown][] = [];
    for (const [name, value] of Object.entries(given)) {
      const path = [...place, name];
      if (isSteering(name, isParameters) || path.length > maxDepth) {
        this.ignored.push(path.join('.'));
      } else {
        kept.push([name, isContent(name) ? value : this.value(value, name, isParameters, path)]);
      }
    }
    // Not by assignment: `__proto__` is a name like any other.
    return Object.fromEntries(kept);
  }

  value(value: unknown, name: string, isParameters: boolean, path: readonly string[]): unknown {
    if (isMapping(value)) return this.mapping(value, isParameters && holdsParameters(name), path);
    if (!Array.isArray(value)) return value;
    return path.length > maxDepth
      ? []
      : value.map((item: unknown, at) =>
          this.value(item, name, isParameters, [...path, String(at)]),
        );
  }
}

/**
 * Where a request goes, with which headers and whose key, is never said by a prompt: not by the
 * parameters of its model, nor by the arguments that were made of them. What would say so is left
 * out, in any spelling and at any depth; what the model is asked (messages, tools, schemas) stays.
 */
export function withoutSteering(parameters: Mapping): Settled {
  const sieve = new Sieve();
  const kept = sieve.mapping(parameters, true, []);
  return { kept, ignored: sieve.ignored };
}

/** Names of what is left out of these, each once. Anything but a plain object has none. */
export const steeringIn = (...parameters: readonly unknown[]): readonly string[] => [
  ...new Set(
    parameters.flatMap((given) => (isMapping(given) ? withoutSteering(given).ignored : [])),
  ),
];

/** `extra.base_url` -> `base_url` */
const leafOf = (place: string): string => place.slice(place.lastIndexOf('.') + 1);

/**
 * What a run of a template leaves out: of the parameters of its model, of those in their place, then
 * of what only the arguments hold, which a service has made.
 */
export function ignoredIn(
  { metadata, llm_kwargs: given }: { readonly metadata?: unknown; readonly llm_kwargs?: unknown },
  overrides?: unknown,
): readonly string[] {
  const model = isMapping(metadata) ? metadata['model'] : undefined;
  const own = steeringIn(isMapping(model) ? model['parameters'] : undefined, overrides);
  const known = new Set(own.map(leafOf));
  return [...own, ...steeringIn(given).filter((place) => !known.has(leafOf(place)))];
}

/** Names out of foreign hands, fit for one line. */
export function namesInWords(names: readonly string[]): string {
  const shown = names.slice(0, maxNamed).map((name) => {
    const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ');
    return shortened(line, maxNameLength);
  });
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} (+${String(more)})` : shown.join(', ');
}

/** What is said wherever there is but one language. */
export const ignoredInWords = (names: readonly string[]): string =>
  `Ignored parameters: ${namesInWords(names)}. Prompts can't set where requests are sent.`;
