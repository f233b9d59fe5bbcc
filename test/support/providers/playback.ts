/** Plays recordings to the modules of providers, without a network. */
import { findProvider } from '../../../src/core/providers/registry.ts';
import type { ModelCall, Provider, ProviderEvent } from '../../../src/core/providers/provider.ts';
import type { Reply } from '../../../src/core/providers/reply.ts';
import type { Recording } from './recordings/recording.ts';

export const callOf = (
  { provider, apiType, templateType = 'chat', kwargs }: Recording,
  rest: Partial<ModelCall> = {},
): ModelCall => ({
  provider,
  apiType,
  templateType,
  model: typeof kwargs['model'] === 'string' ? kwargs['model'] : '',
  kwargs,
  stream: true,
  baseURL: undefined,
  apiKey: undefined,
  ...rest,
});

export const providerOf = (recording: Recording): Promise<Provider> =>
  findProvider(callOf(recording));

export interface Played {
  readonly events: readonly ProviderEvent[];
  /** After each event. */
  readonly replies: readonly Reply[];
  readonly response: unknown;
  readonly isWhole: boolean;
}

/** `watch` sees each event and the reply after it. */
export function play(
  provider: Provider,
  recording: Recording,
  pieces: readonly Uint8Array[],
  watch: (event: ProviderEvent, reply: Reply) => void = () => undefined,
): Played {
  const { streaming } = provider;
  if (streaming === undefined) throw new Error(`${recording.title}: there is no stream.`);
  const decoder = streaming.decoder();
  const accumulator = streaming.accumulator(callOf(recording));
  const events: ProviderEvent[] = [];
  const replies: Reply[] = [];
  const take = (batch: readonly ProviderEvent[]): void => {
    for (const event of batch) {
      accumulator.add(event);
      const reply = accumulator.reply();
      watch(event, reply);
      events.push(event);
      replies.push(reply);
    }
  };
  for (const piece of pieces) take(decoder.push(piece));
  take(decoder.end());
  return { events, replies, response: accumulator.response(), isWhole: accumulator.isWhole };
}

export interface Wiring {
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly hasMark: boolean;
  /** Comments before each event. */
  readonly comments: readonly string[];
  /** Data in several lines. */
  readonly isSpread: boolean;
  readonly hasSpace: boolean;
}

const plain: Wiring = {
  lineEnd: '\n',
  hasMark: false,
  comments: [],
  isSpread: false,
  hasSpace: true,
};

/** A recording as server-sent events, in one of the many ways to write the same. */
export function wireOf({ events, named, done }: Recording, wiring: Wiring = plain): Buffer {
  const { lineEnd, hasMark, comments, isSpread, hasSpace } = wiring;
  const field = (name: string, value: string): string => `${name}:${hasSpace ? ' ' : ''}${value}`;
  const block = (data: string, type?: string): string[] => [
    ...comments.map((comment) => `:${comment}`),
    ...(comments.length > 0 ? [''] : []),
    ...(type === undefined ? [] : [field('event', type)]),
    ...data.split('\n').map((line) => field('data', line)),
    '',
  ];
  const lines = events.flatMap((event) => {
    const { type } = { ...event } as { readonly type?: unknown };
    const text = isSpread ? JSON.stringify(event, null, 1) : JSON.stringify(event);
    return block(text, named === true && typeof type === 'string' ? type : undefined);
  });
  if (done === true) lines.push(...block('[DONE]'));
  return Buffer.from((hasMark ? '\ufeff' : '') + lines.map((line) => line + lineEnd).join(''));
}

/** Cuts bytes at these places (shares of the whole). */
export function cutAt(bytes: Uint8Array, shares: readonly number[]): Uint8Array[] {
  const places = shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const place of [...places, bytes.length]) {
    pieces.push(bytes.subarray(from, place));
    from = place;
  }
  return pieces;
}
