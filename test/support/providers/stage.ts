/** A service with one template, a provider that plays a recording, and a client between them. */
import type { Client } from '../../../src/core/client.ts';
import type { RunChunk } from '../../../src/core/run/options.ts';
import { makeTestClient } from '../http/client.ts';
import type { TestClient } from '../http/client.ts';
import { doorOf } from './doors.ts';
import type { FakeProvider, ProviderScript } from './fake-provider.ts';
import { startFakeProvider } from './fake-provider.ts';
import type { FakeService } from './fake-service.ts';
import { chatTemplate, startFakeService } from './fake-service.ts';
import { wireOf } from './playback.ts';
import type { Recording } from './recordings/recording.ts';

export interface Stage {
  readonly client: Client;
  readonly test: TestClient;
  readonly provider: FakeProvider;
  readonly service: FakeService;
  close(): Promise<void>;
}

/** Plays a recording: as a stream to whoever asks for one. */
export const playing =
  (recording: Recording): ProviderScript =>
  ({ json }) =>
    json['stream'] === true ? { pieces: [wireOf(recording)] } : { body: recording.whole };

export function templateOf(recording: Recording, rest: object = {}): object {
  const { provider, apiType, templateType, kwargs } = recording;
  const model = typeof kwargs['model'] === 'string' ? kwargs['model'] : 'model';
  return chatTemplate({
    provider,
    model,
    apiType: apiType ?? null,
    kwargs,
    ...(templateType === 'completion' && {
      prompt_template: {
        type: 'completion',
        content: [{ type: 'text', text: 'Once' }],
        input_variables: [],
        template_format: 'f-string',
      },
    }),
    ...rest,
  });
}

export async function setStage(
  recording: Recording,
  {
    script = playing(recording),
    template = () => templateOf(recording),
    environment,
  }: {
    readonly script?: ProviderScript;
    /** Made when the address of the provider is known. */
    readonly template?: (url: string) => object;
    /** Instead of that which opens the provider's door. */
    readonly environment?: (url: string) => Readonly<Record<string, string>>;
  } = {},
): Promise<Stage> {
  const provider = await startFakeProvider(script);
  const service = await startFakeService({ greeting: template(provider.url) });
  const door = doorOf(recording.provider);
  const variables =
    environment?.(provider.url) ??
    ({ ...door.at(provider.url), [door.keyVariable]: 'test-provider-key' } as const);
  const test = makeTestClient({
    baseURL: service.url,
    providerEnvironment: (name) => variables[name],
  });
  return {
    client: test.client,
    test,
    provider,
    service,
    close: async () => {
      await test.client.close();
      await provider.close();
      await service.close();
    },
  };
}

export async function streamed(client: Client): Promise<RunChunk[]> {
  const chunks: RunChunk[] = [];
  for await (const chunk of await client.run({ promptName: 'greeting', stream: true })) {
    chunks.push(chunk);
  }
  return chunks;
}
