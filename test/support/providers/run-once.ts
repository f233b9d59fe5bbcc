/** One run of a stored prompt against a fake provider and a fake service. */
import type { RunChunk, RunResult } from '../../../src/core/run/options.ts';
import { makeTestClient } from '../http/client.ts';
import type { RecordingLogger } from '../http/recording-logger.ts';
import type { ProviderRequestSeen, ProviderScript } from './fake-provider.ts';
import { startFakeProvider } from './fake-provider.ts';
import type { FakeService } from './fake-service.ts';
import { startFakeService } from './fake-service.ts';

export interface RunOnce {
  /** Of a run without stream, and of the last chunk of one with it. */
  readonly result: RunResult | undefined;
  readonly chunks: readonly RunChunk[];
  readonly error: unknown;
  readonly asked: readonly ProviderRequestSeen[];
  readonly tracked: FakeService['tracked'];
  /** Everything that the service was sent, bodies, headers and addresses. */
  readonly toService: string;
  readonly log: readonly string[];
}

const texts = (requests: readonly ProviderRequestSeen[]): string =>
  requests
    .map(({ path, query, headers, text }) => `${path}?${query} ${JSON.stringify(headers)} ${text}`)
    .join('\n');

const linesOf = ({ lines }: RecordingLogger): string[] => lines.map((line) => JSON.stringify(line));

export async function runOnce({
  template = {},
  templateAt = () => template,
  script,
  environment,
  stream = false,
}: {
  readonly template?: object;
  /** A template that names the provider's address. */
  readonly templateAt?: (url: string) => object;
  readonly script: ProviderScript;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  readonly stream?: boolean;
}): Promise<RunOnce> {
  const provider = await startFakeProvider(script);
  const { url } = provider;
  const service = await startFakeService({
    greeting: templateAt(url),
  });
  const found = environment(url);
  const { client, logger } = makeTestClient({
    baseURL: service.url,
    providerEnvironment: (name) => found[name],
  });
  const chunks: RunChunk[] = [];
  let result: RunResult | undefined;
  let error: unknown;
  try {
    if (stream) {
      const opened = await client.run({ promptName: 'greeting', stream: true });
      for await (const chunk of opened) chunks.push(chunk);
      const last = chunks.at(-1);
      if (last !== undefined) result = last as RunResult;
    } else {
      result = await client.run({ promptName: 'greeting' });
    }
  } catch (caught) {
    error = caught;
  } finally {
    await client.close();
    await service.close();
    await provider.close();
  }
  return {
    result,
    chunks,
    error,
    asked: provider.requests,
    tracked: service.tracked,
    toService: texts(service.requests),
    log: linesOf(logger),
  };
}
