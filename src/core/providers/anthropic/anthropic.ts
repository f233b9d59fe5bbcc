import type { Mapping } from '../../mapping.ts';
import { completeBase } from '../openai/address.ts';
import type { ModelCall, Provider, ProviderContext } from '../provider.ts';
import { jsonEvents } from '../sse.ts';
import { CompletionAccumulator, replyOfCompletion } from './completion.ts';
import { MessageAccumulator } from './message-accumulator.ts';
import { replyOfMessage } from './message-reply.ts';

const apiVersion = '2023-06-01';
const hostURL = 'https://api.anthropic.com';

/** What all ways to a Claude model share: how its answers are read. */
export const readsMessages = {
  functionName: 'anthropic.messages.create',
  accumulator: ({ provider }: ModelCall) => new MessageAccumulator(provider),
  replyOf: replyOfMessage,
};
export const readsCompletions = {
  functionName: 'anthropic.completions.create',
  accumulator: ({ provider }: ModelCall) => new CompletionAccumulator(provider),
  replyOf: replyOfCompletion,
};

/** Arguments of a call, and the names of the features that are in beta. */
export function splitBetas({ kwargs }: ModelCall): {
  readonly args: Mapping;
  readonly betas: readonly string[];
} {
  const { betas, ...args } = kwargs;
  const list: readonly unknown[] = Array.isArray(betas) ? betas : [betas];
  // They become a header: what is no name is none of theirs.
  return {
    args,
    betas: list.filter((beta) => typeof beta === 'string' && /^[\w.-]+$/.test(beta)) as string[],
  };
}

function anthropicUrl(base: string, path: string): string {
  const root = base.replace(/\/+$/, '').replace(/\/v1$/, '');
  return `${root}/v1/${path}`;
}

/** A gateway of one's own may keep the key itself. */
async function keyFor(
  isElsewhere: boolean,
  { apiKey }: ModelCall,
  context: ProviderContext,
): Promise<string | undefined> {
  if (apiKey !== undefined) return apiKey;
  if (isElsewhere) return context.secret('ANTHROPIC_API_KEY');
  return context.requireSecret('ANTHROPIC_API_KEY');
}

/** Anthropic's own API: Messages, and Text Completions for completion templates. */
export function anthropic({ templateType }: ModelCall): Provider {
  const reads = templateType === 'chat' ? readsMessages : readsCompletions;
  const path = templateType === 'chat' ? 'messages' : 'complete';
  return {
    functionName: reads.functionName,
    prepare: async (call, context) => {
      const own = call.baseURL ?? (await context.variable('ANTHROPIC_BASE_URL'));
      const key = await keyFor(own !== undefined, call, context);
      const { args, betas } = splitBetas(call);
      return {
        url: anthropicUrl(completeBase(call.provider, own ?? hostURL), path),
        headers: {
          'content-type': 'application/json',
          accept: call.stream ? 'text/event-stream' : 'application/json',
          'anthropic-version': apiVersion,
          ...(key !== undefined && { 'x-api-key': key }),
          ...(betas.length > 0 && { 'anthropic-beta': betas.join(',') }),
        },
        body: JSON.stringify({ model: call.model, ...args, stream: call.stream }),
      };
    },
    streaming: { decoder: jsonEvents, accumulator: reads.accumulator },
    replyOf: reads.replyOf,
  };
}
