import { pathSegment } from '../../destination/destination.ts';
import { TimeoutError } from '../../errors.ts';
import { delay } from '../../http/delay.ts';
import type { Mapping } from '../../mapping.ts';
import type { Address } from '../openai/address.ts';
import { argumentsFor } from '../openai/arguments.ts';
import { fetchChecked } from '../openai/checked.ts';
import { present } from '../openai/fields.ts';
import { snakeArguments } from '../openai/snake-case.ts';
import { ProviderError, streamError } from '../provider-error.ts';
import type { ModelCall, Provider, ProviderContext } from '../provider.ts';
import { ReplyBuilder } from '../reply.ts';
import type { VideoJob } from './schema.ts';
import { readJob } from './schema.ts';

const pollEveryMs = 5_000;
const patienceMs = 300_000;
const lost = new Set(['failed', 'cancelled', 'expired']);

function jobOf(answer: unknown): { readonly id: string; readonly job: VideoJob } {
  const job = readJob(answer);
  const id = job?.id;
  if (job === undefined || id === undefined) {
    throw new ProviderError({ kind: 'no-video-id' }, { provider: 'openrouter', body: answer });
  }
  return { id, job };
}

/** The job once it is over. Asked for by its id: another address would get the key. */
async function finished(
  address: Address,
  { id, job: first }: { readonly id: string; readonly job: VideoJob },
  call: ModelCall,
  context: ProviderContext,
): Promise<Mapping> {
  const { clock, signal } = context;
  const until = clock.now() + patienceMs;
  let job: VideoJob | undefined = first;
  for (;;) {
    const status: string = job?.status ?? '';
    if (job !== undefined && status === 'completed') return job.raw;
    if (lost.has(status)) {
      throw streamError(call.provider, {
        ...job?.raw,
        error: job?.error ?? `the video is ${status}`,
      });
    }
    if (clock.now() + pollEveryMs > until) {
      throw new TimeoutError(
        { kind: 'video-late', seconds: patienceMs / 1_000 },
        { hint: { kind: 'look-for-video', job: id } },
      );
    }
    await delay(pollEveryMs, { clock, signal, what: 'The wait for the video' });
    const path = `videos/${pathSegment(id, 'A video')}`;
    const request = await address(path, undefined, { ...call, stream: false }, context);
    const answer = await context.fetchJson(request);
    // The job's own error says less than its state does.
    job = readJob(answer);
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
      const job = readJob(response);
      for (const [at, url] of (job?.unsigned_urls ?? []).entries()) {
        if (typeof url !== 'string') continue;
        builder.part(at, {
          type: 'output_media',
          url,
          mime_type: 'video/mp4',
          media_type: 'video',
          provider_metadata: Object.freeze(
            present({ id: job?.raw['id'], generation_id: job?.generation_id }),
          ),
        });
      }
      return builder.reply();
    },
  };
}
