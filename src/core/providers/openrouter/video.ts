import { pathSegment } from '../../destination/destination.ts';
import { TimeoutError } from '../../errors.ts';
import { delay } from '../../http/delay.ts';
import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import type { Address } from '../openai/address.ts';
import { argumentsFor } from '../openai/arguments.ts';
import { fetchChecked } from '../openai/checked.ts';
import { listOf, present, textOf } from '../openai/fields.ts';
import { snakeArguments } from '../openai/snake-case.ts';
import { ProviderError, streamError } from '../provider-error.ts';
import type { ModelCall, Provider, ProviderContext } from '../provider.ts';
import { ReplyBuilder } from '../reply.ts';

const pollEveryMs = 5_000;
const patienceMs = 300_000;
const lost = new Set(['failed', 'cancelled', 'expired']);

function jobOf(answer: unknown): Mapping & { readonly id: string } {
  const id = isMapping(answer) ? textOf(answer['id']) : undefined;
  if (!isMapping(answer) || id === undefined) {
    throw new ProviderError({ kind: 'no-video-id' }, { provider: 'openrouter', body: answer });
  }
  return { ...answer, id };
}

/** The job once it is over. Asked for by its id: another address would get the key. */
async function finished(
  address: Address,
  first: Mapping & { readonly id: string },
  call: ModelCall,
  context: ProviderContext,
): Promise<Mapping> {
  const { clock, signal } = context;
  const until = clock.now() + patienceMs;
  let job: Mapping = first;
  for (;;) {
    const status = textOf(job['status']) ?? '';
    if (status === 'completed') return job;
    if (lost.has(status)) {
      const error = job['error'] ?? `the video is ${status}`;
      throw streamError(call.provider, isMapping(error) ? job : { ...job, error });
    }
    if (clock.now() + pollEveryMs > until) {
      throw new TimeoutError(
        { kind: 'video-late', seconds: patienceMs / 1_000 },
        { hint: { kind: 'look-for-video', job: first.id } },
      );
    }
    await delay(pollEveryMs, { clock, signal, what: 'The wait for the video' });
    const path = `videos/${pathSegment(first.id, 'A video')}`;
    const request = await address(path, undefined, { ...call, stream: false }, context);
    const answer = await context.fetchJson(request);
    // The job's own error says less than its state does.
    job = isMapping(answer) ? answer : {};
  }
}

/** Videos: a job that is asked for until it is over. */
export function openRouterVideo(address: Address): Provider {
  const prepare: Provider['prepare'] = (call, context) =>
    address('videos', snakeArguments(argumentsFor(call)), { ...call, stream: false }, context);
  return {
    functionName: 'openrouter.video_generation.generate',
    prepare,
    streaming: undefined,
    complete: async (call, context) => {
      const answer = await fetchChecked(await prepare(call, context), call, context);
      return finished(address, jobOf(answer), call, context);
    },
    replyOf: (response) => {
      const builder = new ReplyBuilder();
      const job = isMapping(response) ? response : {};
      for (const [at, url] of listOf(job['unsigned_urls']).entries()) {
        if (typeof url !== 'string') continue;
        builder.part(at, {
          type: 'output_media',
          url,
          mime_type: 'video/mp4',
          media_type: 'video',
          provider_metadata: Object.freeze(
            present({ id: job['id'], generation_id: job['generation_id'] }),
          ),
        });
      }
      return builder.reply();
    },
  };
}
