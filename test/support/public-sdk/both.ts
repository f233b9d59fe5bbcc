/** The public client and ours, one after the other against the same service and providers. */
import { Client } from '../../../src/core/client.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import type { FakeProvider, ProviderScript } from '../providers/fake-provider.ts';
import { startFakeProvider } from '../providers/fake-provider.ts';
import type { FakeWorkflows, FakeWorkflowsScript, SeenCall } from '../workflows/fake-workflows.ts';
import { startFakeWorkflows } from '../workflows/fake-workflows.ts';
import type { PublicClient, PublicClientClass } from './public-sdk.ts';

export interface Side {
  /** What came out: a value, or the message of an error. */
  readonly result: unknown;
  readonly error: string | undefined;
  /** What the service and the provider were asked. */
  readonly service: readonly SeenCall[];
  readonly provider: readonly { readonly path: string; readonly json: unknown }[];
}

export interface Both {
  readonly theirs: Side;
  readonly ours: Side;
}

export interface Setting extends FakeWorkflowsScript {
  readonly provider?: ProviderScript;
  readonly options?: object;
}

const providerKeys = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'] as const;
const providerUrls = { OPENAI_BASE_URL: '/v1', ANTHROPIC_BASE_URL: '' } as const;

const quietly = ['log', 'info', 'warn', 'error'] as const;

/** The public client reads the environment and speaks to the console: both are given back. */
async function aside<T>(
  environment: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = { ...process.env };
  const { log, info, warn, error } = console;
  Object.assign(process.env, environment);
  for (const name of quietly) console[name] = () => undefined;
  try {
    return await work();
  } finally {
    Object.assign(console, { log, info, warn, error });
    for (const name of Object.keys(environment)) {
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
    }
  }
}

async function observe(
  setting: Setting,
  work: (urls: { service: string; environment: Record<string, string> }) => Promise<unknown>,
): Promise<Side> {
  const service: FakeWorkflows = await startFakeWorkflows(setting);
  const provider: FakeProvider = await startFakeProvider(
    setting.provider ?? (() => ({ status: 500 })),
  );
  const environment: Record<string, string> = {};
  for (const name of providerKeys) environment[name] = 'sk-provider-canary';
  for (const [name, path] of Object.entries(providerUrls)) {
    environment[name] = `${provider.url}${path}`;
  }
  let result: unknown;
  let error: string | undefined;
  try {
    result = await aside(environment, () => work({ service: service.url, environment }));
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    await Promise.all([service.close(), provider.close()]);
  }
  return { result, error, service: service.calls, provider: provider.requests };
}

/** All that a stream gives, or the value itself. */
async function settled(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value;
  const items: unknown[] = [];
  // Copied: theirs changes what it has given.
  for await (const item of value as AsyncIterable<unknown>) items.push(structuredClone(item));
  return items;
}

export const runTheirs = (
  PublicSdk: PublicClientClass,
  setting: Setting,
  work: (client: PublicClient) => Promise<unknown>,
): Promise<Side> =>
  observe(setting, async ({ service }) =>
    settled(await work(new PublicSdk({ apiKey: 'pl-key', baseURL: service, ...setting.options }))),
  );

export const runOurs = (
  setting: Setting,
  work: (client: Client) => Promise<unknown>,
): Promise<Side> =>
  observe(setting, async ({ service, environment }) => {
    const client = new Client({
      apiKey: 'pl-key',
      baseURL: service,
      logger: silentLogger,
      providerEnvironment: (name) => environment[name],
      ...setting.options,
    });
    try {
      return await settled(await work(client));
    } finally {
      await client.close();
    }
  });

/** The same written for either client. */
export async function runBoth(
  PublicSdk: PublicClientClass,
  setting: Setting,
  {
    theirs,
    ours,
  }: {
    readonly theirs: (client: PublicClient) => Promise<unknown>;
    readonly ours: (client: Client) => Promise<unknown>;
  },
): Promise<Both> {
  return {
    theirs: await runTheirs(PublicSdk, setting, theirs),
    ours: await runOurs(setting, ours),
  };
}
