import * as z from 'zod';
import type { parseJson } from '../http/json.ts';
import type { Channel } from '../platform/connections.ts';

/** Replies and pushes of a Centrifugo server, as far as they matter here. */
const Publication = z.looseObject({ data: z.unknown() });
const Frame = z.looseObject({
  id: z.number().optional(),
  error: z.looseObject({ code: z.number().optional(), message: z.string().optional() }).optional(),
  connect: z.looseObject({ pong: z.boolean().optional() }).optional(),
  subscribe: z.looseObject({ publications: z.array(Publication).nullish() }).optional(),
  push: z
    .looseObject({
      channel: z.string().optional(),
      pub: Publication.optional(),
      unsubscribe: z.unknown().optional(),
      disconnect: z.unknown().optional(),
    })
    .optional(),
});
type Frame = z.output<typeof Frame>;

/** How an execution ended, as the channel reported it. */
export interface Completion {
  readonly resultCode: string | undefined;
  readonly finalOutput: unknown;
}

const Message = z.looseObject({ message_name: z.string(), data: z.unknown() });
const Ending = z.looseObject({
  result_code: z.string().nullish(),
  final_output: z.unknown().optional(),
});

type Parse = typeof parseJson;

function completionOf(
  publication: { readonly data?: unknown },
  parse: Parse,
): Completion | undefined {
  const message = Message.safeParse(publication.data);
  if (!message.success || message.data.message_name !== 'SET_WORKFLOW_COMPLETE') return undefined;
  const { data } = message.data;
  const ending = Ending.parse(typeof data === 'string' ? parse(data) : data);
  return {
    resultCode: ending.result_code ?? undefined,
    finalOutput: ending.final_output ?? null,
  };
}

function* framesOf(text: string, parse: Parse): Generator<Frame, void> {
  for (const line of text.split('\n')) {
    if (line.trim() !== '') yield Frame.parse(parse(line));
  }
}

const connectId = 1;
const subscribeId = 2;

/**
 * Listens to the channel of an execution: `subscribed` when from now on nothing is missed, then
 * what is published. Ends when the server has no more to say; throws when it refuses.
 */
export async function* listen(
  channel: Channel,
  {
    name,
    token,
    parse,
  }: {
    readonly name: string;
    readonly token: string;
    /** How numbers of the result are read. */
    readonly parse: Parse;
  },
): AsyncGenerator<'subscribed' | Completion, void, undefined> {
  const send = (command: object): void => channel.send(JSON.stringify(command));
  let answersPings = true;
  send({ id: connectId, connect: { token, name: 'js' } });
  for await (const text of channel.messages) {
    for (const frame of framesOf(text, parse)) {
      if (frame.error !== undefined) {
        const { code, message = 'no reason given' } = frame.error;
        throw new Error(`The realtime channel was refused: ${message} (${code ?? 'no code'}).`);
      }
      if (frame.connect !== undefined) {
        answersPings = frame.connect.pong ?? false;
        send({ id: subscribeId, subscribe: { channel: name } });
      } else if (frame.subscribe !== undefined) {
        yield 'subscribed';
        for (const publication of frame.subscribe.publications ?? []) {
          const completion = completionOf(publication, parse);
          if (completion !== undefined) yield completion;
        }
      } else if (frame.push !== undefined) {
        const { channel: from = name, pub, unsubscribe, disconnect } = frame.push;
        if (unsubscribe !== undefined || disconnect !== undefined) return;
        const completion =
          from === name && pub !== undefined ? completionOf(pub, parse) : undefined;
        if (completion !== undefined) yield completion;
      } else if (frame.id === undefined && answersPings) {
        channel.send('{}');
      }
    }
  }
}
