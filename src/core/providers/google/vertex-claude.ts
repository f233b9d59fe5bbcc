import { pathSegment } from '../../destination/destination.ts';
import { readsMessages, splitBetas } from '../anthropic/anthropic.ts';
import type { Provider } from '../provider.ts';
import { jsonEvents } from '../sse.ts';
import { vertexPlace } from './vertex-address.ts';

const apiVersion = 'vertex-2023-10-16';
const family = {
  version: 'v1',
  baseVariable: 'ANTHROPIC_VERTEX_BASE_URL',
  projectVariables: ['ANTHROPIC_VERTEX_PROJECT_ID'],
  locationVariables: ['CLOUD_ML_REGION'],
} as const;

/** Claude on Vertex AI: the Messages API at another address. */
export const vertexClaude: Provider = {
  functionName: readsMessages.functionName,
  prepare: async (call, context) => {
    const { url, headers } = await vertexPlace(family, call, context);
    const { args, betas } = splitBetas(call);
    const { model: _model, ...rest } = args;
    const action = call.stream ? 'streamRawPredict' : 'rawPredict';
    return {
      url: `${url}/publishers/anthropic/models/${pathSegment(call.model, 'A model')}:${action}`,
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: call.stream ? 'text/event-stream' : 'application/json',
        ...(betas.length > 0 && { 'anthropic-beta': betas.join(',') }),
      },
      body: JSON.stringify({ anthropic_version: apiVersion, ...rest, stream: call.stream }),
    };
  },
  streaming: { decoder: jsonEvents, accumulator: readsMessages.accumulator },
  replyOf: readsMessages.replyOf,
};
