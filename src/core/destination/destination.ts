import { ConfigurationError } from '../errors.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

const mappingOf = (value: unknown): Mapping => (isMapping(value) ? value : {});

/**
 * Where a call goes that does not go where the environment says: what the workspace has set.
 * Nothing else of a template counts, least of all the parameters of its model.
 */
export interface Destination {
  /** `custom`: somebody else's server, which gets its own key and none of the environment. */
  readonly source: 'environment' | 'workspace' | 'custom';
  /** As the workspace calls it. */
  readonly name: string | undefined;
  /** Whose language is spoken there; undefined: that of the template's own provider. */
  readonly client: string | undefined;
  readonly baseURL: string | undefined;
  /** The key of a custom provider, which the service keeps. */
  readonly apiKey: string | undefined;
}

/** `provider_base_url` and `custom_provider` are an administrator's settings of the workspace. */
export function destinationOf(template: Mapping): Destination {
  const custom = mappingOf(template['custom_provider']);
  const client = textOf(custom['client']);
  const ownURL = textOf(custom['base_url']);
  const apiKey = textOf(custom['api_key']);
  if (client !== undefined || ownURL !== undefined || apiKey !== undefined) {
    return { source: 'custom', name: textOf(custom['name']), client, baseURL: ownURL, apiKey };
  }
  const base = mappingOf(template['provider_base_url']);
  const baseURL = textOf(base['url']);
  return {
    source: baseURL === undefined ? 'environment' : 'workspace',
    name: textOf(base['name']),
    client: undefined,
    baseURL,
    apiKey: undefined,
  };
}

/**
 * One segment of a path: nothing in it ends the segment, climbs out of it or begins a query. Errors:
 * ConfigurationError for what no encoding can make a name of.
 */
export function pathSegment(text: string, what: string): string {
  if (text === '' || text === '.' || text === '..') {
    throw new ConfigurationError(
      { kind: 'unusable-name', what, name: text },
      { hint: { kind: 'name-model' } },
    );
  }
  // Lone surrogates have no encoding.
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD')).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A name with segments of its own: `models/x`, `projects/p/locations/l/endpoints/1`. */
export const pathSegments = (text: string, what: string): string =>
  text
    .split('/')
    .map((segment) => pathSegment(segment, what))
    .join('/');
