import type { Mapping } from '../../mapping.ts';
import { readNamed } from './response-schema.ts';

/**
 * An annotation as the blueprint has it: flat. Chat completions put the fields of a `url_citation`
 * into an object of that name; responses have them flat already.
 */
export function annotationOf(annotation: Mapping): Mapping {
  const { type } = annotation;
  const inner = typeof type === 'string' ? readNamed(annotation[type]) : undefined;
  return Object.freeze(inner === undefined ? { ...annotation } : { type, ...inner });
}
