import { pathSegment } from '../../destination/destination.ts';
import { ConfigurationError } from '../../errors.ts';
import { completeBase } from '../openai/address.ts';
import type { ModelCall, ProviderContext } from '../provider.ts';
import type { ProviderVariable } from '../variables.ts';
import { googleAccess, keyFileVariable } from './google-auth.ts';

const projectVariables = [
  'VERTEX_AI_PROJECT_ID',
  'GOOGLE_PROJECT_ID',
  'GOOGLE_CLOUD_PROJECT',
] as const;
const locationVariables = [
  'VERTEX_AI_PROJECT_LOCATION',
  'GOOGLE_PROJECT_LOCATION',
  'GOOGLE_CLOUD_PROJECT_LOCATION',
  'GOOGLE_CLOUD_LOCATION',
] as const;

export const projectOf = (context: ProviderContext): Promise<string | undefined> =>
  context.variable(...projectVariables);

export interface VertexPlace {
  /** With version, project and location, to which the path of a model is added. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

function withoutProject(names: readonly string[]): ConfigurationError {
  return new ConfigurationError(
    { kind: 'no-google-project' },
    { hint: { kind: 'set-google-project', known: names, variable: keyFileVariable } },
  );
}

function hostOf(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com';
  // Two locations are many regions each.
  if (location === 'us' || location === 'eu') {
    return `https://aiplatform.${location}.rep.googleapis.com`;
  }
  return `https://${location}-aiplatform.googleapis.com`;
}

/** How it begins distinguishes a key of Google from an access token. */
const headersFor = (key: string): Readonly<Record<string, string>> =>
  /^(?:AIza|AQ\.)/.test(key) ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };

/** Whose models these are: their maker's client has variables of its own. */
export interface VertexFamily {
  readonly version: 'v1' | 'v1beta1';
  readonly baseVariable: ProviderVariable;
  readonly projectVariables: readonly ProviderVariable[];
  readonly locationVariables: readonly ProviderVariable[];
}

/** Where models of this family are called, and with which headers. Default location: global. */
export async function vertexPlace(
  family: VertexFamily,
  call: ModelCall,
  context: ProviderContext,
): Promise<VertexPlace> {
  const names = [...projectVariables, ...family.projectVariables];
  const named = await context.variable(...names);
  // Only a key file can name the project too; nobody else is asked without one.
  if (named === undefined && (await context.variable(keyFileVariable)) === undefined) {
    throw withoutProject(names);
  }
  const access =
    call.apiKey === undefined
      ? await googleAccess(context)
      : { headers: headersFor(call.apiKey), projectId: undefined };
  const project = named ?? access.projectId;
  if (project === undefined) throw withoutProject(names);
  const location =
    (await context.variable(...family.locationVariables, ...locationVariables)) ?? 'global';
  if (!/^[a-z\d-]+$/.test(location)) {
    throw new ConfigurationError(
      { kind: 'google-location' },
      { hint: { kind: 'set-google-location', variable: locationVariables[0] } },
    );
  }
  const base = call.baseURL ?? (await context.variable(family.baseVariable)) ?? hostOf(location);
  const root = completeBase(call.provider, base)
    .replace(/\/+$/, '')
    .replace(/\/v1(?:beta1)?$/, '');
  const place = `projects/${pathSegment(project, 'A project')}/locations/${location}`;
  return { url: `${root}/${family.version}/${place}`, headers: access.headers };
}
