/** What runs inside a web worker: the SDK for the edge, against the services that it is told. */
import {
  Client,
  isPromptTablesError,
  silentLogger,
  stringifyJson,
} from '../../../src/core/edge.ts';

export interface EdgeServers {
  readonly service: string;
  readonly workflows: string;
  readonly provider: string;
  readonly elsewhere: string;
}

const codeOf = (error: unknown): string =>
  isPromptTablesError(error) ? error.code : `not ours: ${String(error)}`;

const codeFrom = (work: Promise<unknown>): Promise<string> => work.then(() => 'no error', codeOf);

interface Message {
  readonly content: readonly { readonly text: string }[];
}

function lastText(blueprint: Readonly<Record<string, unknown>>): string {
  const { messages } = blueprint['prompt_template'] as { messages: readonly Message[] };
  return (
    messages
      .at(-1)
      ?.content.map(({ text }) => text)
      .join('') ?? ''
  );
}

const scenarios: Readonly<Record<string, (servers: EdgeServers) => Promise<unknown>>> = {
  rows: async ({ service }) => {
    const client = clientFor(service);
    const page = await client.tables.rows.page({ tableId: 't', sheetId: 's' });
    return stringifyJson(page.items[0]?.cells['k']?.value);
  },
  upload: async ({ service }) => {
    const content = new TextEncoder().encode('word\nHallo Wörld\n'.repeat(2_000));
    const ref = { tableId: 't', sheetId: 's' };
    const started = await clientFor(service).tables.imports.file(ref, {
      fileName: 'a.csv',
      content,
    });
    return started.operation_id;
  },
  cachedTemplate: async ({ service }) => {
    const client = clientFor(service, { cacheTtlSeconds: 60 });
    const texts = [];
    for (const name of ['Ada', 'Grace', 'Ada']) {
      const template = await client.templates.get('cached', { inputVariables: { name } });
      texts.push(lastText({ prompt_template: template.prompt_template }));
    }
    return texts;
  },
  run: async ({ service, provider }) => {
    const client = clientFor(service, { provider });
    const { request_id, prompt_blueprint } = await client.run({ promptName: 'whole' });
    return [request_id, Object.keys(prompt_blueprint)];
  },
  stream: async ({ service, provider }) => {
    const client = clientFor(service, { provider });
    const reported: unknown[] = [];
    for await (const { request_id, prompt_blueprint } of await client.run({
      promptName: 'greeting',
      stream: true,
    })) {
      reported.push(request_id ?? lastText(prompt_blueprint));
    }
    return reported;
  },
  cancelStream: async ({ service, provider }) => {
    const client = clientFor(service, { provider });
    const stop = new AbortController();
    const chunks = await client.run(
      { promptName: 'endless', stream: true },
      { signal: stop.signal },
    );
    await chunks.next();
    stop.abort();
    return codeFrom(
      (async () => {
        while ((await chunks.next()).done !== true);
      })(),
    );
  },
  leaveStream: async ({ service, provider }) => {
    const client = clientFor(service, { provider });
    const chunks = await client.run({ promptName: 'endless', stream: true });
    await chunks.next();
    await chunks.return();
    return 'left';
  },
  workflow: ({ workflows }) => clientFor(workflows).runWorkflow({ workflowName: 'w' }),
  errors: async ({ service, elsewhere }) => {
    const client = clientFor(service);
    const closed = clientFor(service);
    const pending = codeFrom(closed.templates.getRaw('hangs'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await closed.close();
    return {
      missing: await codeFrom(client.templates.getRaw('missing')),
      redirect: await codeFrom(client.templates.getRaw('redirects')),
      closedClient: await pending,
      elsewhere: await codeFrom(
        clientFor(elsewhere, { clock: { now: () => 0, schedule: fastTimers } }).templates.getRaw(
          'x',
        ),
      ),
      aborted: await codeFrom(client.templates.getRaw('x', {}, { signal: AbortSignal.abort() })),
      socket: (() => {
        try {
          new Client({ apiKey: 'k', socketPath: '/tmp/x' });
          return 'no error';
        } catch (error) {
          return codeOf(error);
        }
      })(),
    };
  },
};

/** Waits between attempts are over at once; deadlines never come. */
function fastTimers(ms: number, action: () => void): () => void {
  if (ms > 15_000) return () => undefined;
  const timer = setTimeout(action, 0);
  return () => clearTimeout(timer);
}

function clientFor(
  baseURL: string,
  { provider, ...options }: { readonly provider?: string; readonly [name: string]: unknown } = {},
): Client {
  return new Client({
    apiKey: 'edge-key',
    baseURL,
    logger: silentLogger,
    providerEnvironment: (name) =>
      ({ OPENAI_API_KEY: 'sk-edge-canary', OPENAI_BASE_URL: `${provider ?? ''}/v1` })[name],
    ...options,
  });
}

globalThis.addEventListener('message', ({ data }: MessageEvent) => {
  const { name, servers } = data as { readonly name: string; readonly servers: EdgeServers };
  const scenario = scenarios[name];
  const run = scenario === undefined ? Promise.reject(new Error(name)) : scenario(servers);
  run.then(
    (result) => globalThis.postMessage({ name, result }),
    (error: unknown) =>
      globalThis.postMessage({
        name,
        failure: error instanceof Error ? error.stack : String(error),
      }),
  );
});
