import type { Mapping } from '../../mapping.ts';
import type { ModelCall, Provider } from '../provider.ts';
import { jsonEvents } from '../sse.ts';
import type { Address } from './address.ts';
import { withUsage } from './arguments.ts';
import { ChatAccumulator } from './chat-accumulator.ts';
import type { ChatHabits } from './chat-choice.ts';
import { replyOfChat } from './chat-reply.ts';
import { fetchChecked } from './checked.ts';

/** The Chat Completions API at an address that speaks it. */
export function chatCompletions(
  address: Address,
  {
    functionName = 'openai.chat.completions.create',
    bodyOf = withUsage,
    habits = {},
  }: {
    readonly functionName?: string;
    readonly bodyOf?: (call: ModelCall) => Mapping;
    readonly habits?: ChatHabits;
  } = {},
): Provider {
  const prepare: Provider['prepare'] = (call, context) =>
    address('chat/completions', bodyOf(call), call, context);
  return {
    functionName,
    prepare,
    streaming: {
      decoder: jsonEvents,
      accumulator: (call) => new ChatAccumulator(call, habits),
    },
    complete: async (call, context) => fetchChecked(await prepare(call, context), call, context),
    replyOf: replyOfChat,
  };
}
