import { pathSegments } from '../../destination/destination.ts';
import { ConfigurationError } from '../../errors.ts';
import { completeBase } from '../openai/address.ts';
import type { ModelCall, Provider, ProviderContext, ProviderRequest } from '../provider.ts';
import { jsonEvents } from '../sse.ts';
import { GeminiAccumulator, replyOfGemini } from './gemini-accumulator.ts';
import { geminiBody } from './gemini-body.ts';

const keyVariables = ['GOOGLE_API_KEY', 'GEMINI_API_KEY'] as const;
const hostURL = 'https://generativelanguage.googleapis.com';
const family = {
  version: 'v1beta1',
  baseVariable: 'GOOGLE_VERTEX_BASE_URL',
  projectVariables: [],
  locationVariables: [],
} as const;

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

const modelOf = ({ kwargs, model }: ModelCall): string =>
  isName(kwargs['model']) ? kwargs['model'] : model;

const inPath = (name: string): string => pathSegments(name, 'A model');

function requestTo(
  url: string,
  headers: Readonly<Record<string, string>>,
  call: ModelCall,
): ProviderRequest {
  const action = call.stream ? ':streamGenerateContent?alt=sse' : ':generateContent';
  return {
    url: url + action,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(geminiBody(call.kwargs)),
  };
}

/** The Gemini API, opened by a key. */
async function fromGeminiApi(
  key: string | undefined,
  call: ModelCall,
  context: ProviderContext,
): Promise<ProviderRequest> {
  const base = call.baseURL ?? (await context.variable('GOOGLE_GEMINI_BASE_URL')) ?? hostURL;
  const root = completeBase(call.provider, base).replace(/\/+$/, '');
  const versioned = /\/v\d+(?:alpha|beta)?\d*$/.test(root) ? root : `${root}/v1beta`;
  const model = modelOf(call);
  const name = model.includes('/') ? model : `models/${model}`;
  const headers = key === undefined ? {} : { 'x-goog-api-key': key };
  return requestTo(`${versioned}/${inPath(name)}`, headers, call);
}

/** The same models in a project of Google Cloud, opened by Google credentials. */
async function fromVertex(call: ModelCall, context: ProviderContext): Promise<ProviderRequest> {
  const { vertexPlace } = await import('./vertex-address.ts');
  const { url, headers } = await vertexPlace(family, call, context);
  const model = modelOf(call).replace(/^models\//, '');
  // A tuned model is named in full: projects/.../endpoints/...
  const full = /\/v1beta1(?=\/projects\/)/.exec(url);
  if (model.startsWith('projects/') && full !== null) {
    return requestTo(`${url.slice(0, full.index)}/v1beta1/${inPath(model)}`, headers, call);
  }
  const name = /^(?:publishers|endpoints)\//.test(model)
    ? model
    : `publishers/google/models/${model}`;
  return requestTo(`${url}/${inPath(name)}`, headers, call);
}

async function hasProject(context: ProviderContext): Promise<boolean> {
  const { projectOf } = await import('./vertex-address.ts');
  return (await projectOf(context)) !== undefined;
}

/** A key opens the Gemini API; without one, a project of Google Cloud is asked. */
async function prepareGoogle(call: ModelCall, context: ProviderContext): Promise<ProviderRequest> {
  if (call.apiKey !== undefined) return fromGeminiApi(call.apiKey, call, context);
  const key = await context.secret(...keyVariables);
  if (key === undefined && (await hasProject(context))) return fromVertex(call, context);
  const own = call.baseURL ?? (await context.variable('GOOGLE_GEMINI_BASE_URL'));
  // A gateway of one's own may keep the key itself.
  if (key === undefined && own === undefined) await context.requireSecret(...keyVariables);
  return fromGeminiApi(key, call, context);
}

/** The project is meant; only where there is none, a key opens the Gemini API instead. */
async function prepareVertex(call: ModelCall, context: ProviderContext): Promise<ProviderRequest> {
  const isVertex =
    call.apiKey !== undefined ||
    (await hasProject(context)) ||
    (await context.variable('GOOGLE_APPLICATION_CREDENTIALS')) !== undefined;
  if (isVertex) return fromVertex(call, context);
  const key = await context.secret(...keyVariables);
  if (key !== undefined) return fromGeminiApi(key, call, context);
  throw new ConfigurationError(
    { kind: 'no-google-project-or-key' },
    { hint: { kind: 'set-google-project-or-key' } },
  );
}

/** Gemini: the Gemini API for `google`, Vertex AI for `vertexai`. */
export function gemini({ provider, templateType }: ModelCall): Provider {
  return {
    functionName:
      templateType === 'chat' ? 'google.convo.send_message' : 'google.model.generate_content',
    prepare: provider === 'vertexai' ? prepareVertex : prepareGoogle,
    streaming: {
      decoder: jsonEvents,
      accumulator: (call) => new GeminiAccumulator(call.provider),
    },
    replyOf: replyOfGemini,
  };
}
