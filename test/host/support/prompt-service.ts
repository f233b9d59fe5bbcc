/** A stand-in for a hosted workspace with prompts, and a model that streams slowly. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeProvider } from '../../support/providers/fake-provider.ts';
import { startFakeProvider } from '../../support/providers/fake-provider.ts';

interface MadePrompt {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly text: string;
  readonly variables: readonly string[];
  /** Fields of the answer that only a service sets, such as `custom_provider`. */
  readonly more?: object;
}

export interface PromptService extends Pick<FakeProvider, 'url' | 'requests' | 'close'> {
  /** Bodies of the logged requests. */
  readonly tracked: readonly Readonly<Record<string, unknown>>[];
  /** From now on this prompt is listed, and nothing else can be asked about it. */
  fail(name: string): void;
}

const usual: readonly MadePrompt[] = [
  {
    id: 7,
    name: 'support/answer',
    version: 3,
    text: 'Answer {question} in a tone that is {tone}.',
    variables: ['question', 'tone'],
  },
  { id: 8, name: 'summarize', version: 1, text: 'Summarize {text}.', variables: ['text'] },
  { id: 9, name: 'no variables', version: 12, text: 'Say hello.', variables: [] },
];

function templateOf(
  { id, name, version, text, variables, more }: MadePrompt,
  model = 'gpt-test',
): object {
  return {
    id,
    prompt_name: name,
    version,
    workspace_id: 1,
    prompt_template: {
      type: 'chat',
      messages: [
        {
          role: 'user',
          input_variables: variables,
          template_format: 'f-string',
          content: [{ type: 'text', text }],
        },
      ],
      input_variables: variables,
    },
    metadata: {
      model: { provider: 'openai', name: model, parameters: {}, api_type: 'chat-completions' },
    },
    llm_kwargs: { model, messages: [{ role: 'user', content: text }] },
    tags: ['test'],
    commit_message: 'Kinder words',
    ...more,
  };
}

interface MadeWorkflow {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  /** Types by their names. */
  readonly variables: Readonly<Record<string, string>>;
}

/** All of them have the label prod on their first version. */
function workflowAnswer(
  workflows: readonly MadeWorkflow[],
  [name, what]: readonly (string | undefined)[],
): { readonly status?: number; readonly body: object } {
  if (name === undefined) {
    const items = workflows.map(({ id, name: own, version }) => ({
      ...{ id, name: own, latest_version_number: version, release_labels: ['prod'] },
    }));
    return { body: { items, page: 1, pages: 1, total: items.length, has_next: false } };
  }
  const found = workflows.find((each) => each.name === name || String(each.id) === name);
  if (found === undefined) return { status: 404, body: { message: 'Workflow not found.' } };
  if (what === 'labels') {
    const label = { release_label: 'prod', release_label_id: 9, workflow_version_id: 30 };
    return { body: { release_labels: [{ ...label, workflow_version_number: 1 }] } };
  }
  return {
    body: {
      ...{ workflow_id: found.id, workflow_name: found.name, version: found.version },
      required_input_variables: found.variables,
      ...{ release_labels: [], nodes: [], edges: [] },
    },
  };
}

export async function startPromptService(
  prompts: readonly MadePrompt[] = usual,
  workflows: readonly MadeWorkflow[] = [],
): Promise<PromptService> {
  const tracked: Readonly<Record<string, unknown>>[] = [];
  const failing = new Set<string>();
  const server = await startFakeProvider(({ method, path, query, json }) => {
    const [, first, second, third] = path.split('/').map(decodeURIComponent);
    if (path === '/api/public/v2/tables') {
      return { body: { success: true, data: [], has_more: false, next_cursor: null } };
    }
    if (first === 'track-request') {
      tracked.push(json);
      return { body: { request_id: 4000 + tracked.length, prompt_blueprint: {} } };
    }
    if (first === 'create-group') return { body: { success: true, id: 31 } };
    if (path === '/api/public/v2/requests/suggestions') {
      return { body: { success: true, values: [] } };
    }
    if (path === '/api/public/v2/requests/search') {
      const item = { id: 4001, engine: 'gpt-test', prompt_name: 'support/answer' };
      const scored = { ...item, id: 4000, scores: [{ name: 'quality', value: 87 }] };
      return { body: { success: true, items: [item, scored], page: 1, pages: 1, total: 2 } };
    }
    if (path === '/api/public/v2/requests/analytics') {
      const isAnswer = JSON.stringify(json).includes(
        '{"field":"prompt_id","operator":"eq","value":7}',
      );
      const sums = { totalRequests: 12, totalTokens: 900, totalCost: 0.24, averageLatency: 1.5 };
      return { body: isAnswer ? sums : { totalRequests: 0 } };
    }
    if (path.startsWith('/api/public/v2/requests/')) {
      return { body: { success: true, request_id: Number(path.split('/').at(-1)), price: 0.0123 } };
    }
    if (first === 'workflows') return workflowAnswer(workflows, [second, third]);
    if (first !== 'prompt-templates') return { status: 404, body: { message: 'Unknown path.' } };
    if (second === undefined && method === 'GET') {
      const name = query.get('name')?.toLowerCase() ?? '';
      const size = Number(query.get('per_page') ?? 30);
      const page = Number(query.get('page') ?? 1);
      const found = prompts.filter((prompt) => prompt.name.includes(name));
      const items = found.slice((page - 1) * size, page * size).map((one) => templateOf(one));
      const pages = Math.ceil(found.length / size);
      return { body: { items, page, pages, total: found.length, has_next: page < pages } };
    }
    if (third === 'labels') {
      const label = {
        prompt_version_id: 70,
        prompt_version_number: 2,
        release_label: 'prod',
        release_label_id: 5,
      };
      return { body: { release_labels: second === '7' ? [label] : [] } };
    }
    const found = prompts.find(({ id, name }) => name === second || String(id) === second);
    if (found !== undefined && failing.has(found.name)) {
      return { status: 400, body: { message: 'This prompt is damaged.' } };
    }
    if (found === undefined) return { status: 404, body: { message: 'Prompt not found.' } };
    const asked = query.get('version') ?? json['version'];
    const labelled = (query.get('label') ?? json['label']) === 'prod' ? 2 : undefined;
    const version =
      labelled ?? (asked === null || asked === undefined ? found.version : Number(asked));
    const { model } = json;
    const made = { ...found, version };
    return { body: typeof model === 'string' ? templateOf(made, model) : templateOf(made) };
  });
  const { url, requests } = server;
  const fail = (name: string): void => void failing.add(name);
  return { url, requests, tracked, fail, close: () => server.close() };
}

interface WholeAnswer {
  readonly text: string;
  readonly tokens: number;
  readonly waitMs: number;
}

interface ModelCallOptions {
  readonly pieceMs?: number;
  /** Characters of a piece. */
  readonly size?: number;
  /** The last piece of a stream, and its end, come when it is released. */
  readonly held?: boolean;
  /** Why a stream ends, in the provider's word. */
  readonly finish?: string;
  /** What is said to those that want no stream, by the body of their request. */
  readonly whole?: (body: string) => WholeAnswer;
  /** The same for those that want one; the text when absent. */
  readonly streamed?: (body: string) => string;
}

export interface Model {
  readonly url: string;
  /** Authorization headers that came in. */
  readonly keys: readonly string[];
  /** Bodies of the requests. */
  readonly bodies: readonly string[];
  /** Streams whose reader went away before their end. */
  readonly abandoned: number;
  /** What the next answers say; of streams, how fast. */
  say(text: string, options?: ModelCallOptions): void;
  /** Lets the answers end that were held. */
  release(): void;
  close(): Promise<void>;
}

/** Speaks OpenAI's chat API, with a stream to whoever asks for one. */
export async function startModel(): Promise<Model> {
  const keys: string[] = [];
  const bodies: string[] = [];
  let abandoned = 0;
  let words: Omit<Required<ModelCallOptions>, 'held'> & { held: boolean };
  const say: Model['say'] = (
    text,
    {
      pieceMs = 5,
      size = 4,
      held = false,
      finish = 'stop',
      whole = () => ({ text, tokens: 1234, waitMs: 0 }),
      streamed = () => text,
    } = {},
  ) => {
    words = { pieceMs, size, held, finish, whole, streamed };
  };
  say('Hello.');
  const chunk = (delta: object, rest: object = {}): string => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: null, ...rest }];
    const made = { id: 'c1', object: 'chat.completion.chunk', created: 1_700_000_000 };
    return `data: ${JSON.stringify({ ...made, model: 'gpt-test-1', choices })}\n\n`;
  };
  const server = http.createServer((request, response) => {
    keys.push(request.headers.authorization ?? '');
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (more: string) => (body += more));
    request.on('end', () => {
      bodies.push(body);
      const { pieceMs, size, finish } = words;
      const own = words;
      const isOther = body.includes('"gpt-other"');
      const said = words.streamed(body);
      const text = isOther ? `${said} Otherwise.` : said;
      let at = 0;
      const usageOf = (tokens: number): object => ({
        ...{ prompt_tokens: 21, completion_tokens: tokens, total_tokens: 21 + tokens },
      });
      if (!/"stream":\s*true/.test(body)) {
        const whole = words.whole(body);
        const content = isOther ? `${whole.text} Otherwise.` : whole.text;
        const message = { role: 'assistant', content, refusal: null };
        const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
        const made = { id: 'c1', object: 'chat.completion', created: 1_700_000_000 };
        const usage = usageOf(whole.tokens);
        setTimeout(() => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ ...made, model: 'gpt-test-1', choices, usage }));
        }, whole.waitMs);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ role: 'assistant', content: '' }));
      const began = performance.now();
      const timer = setInterval(() => {
        const end = own.held ? text.length - size : text.length;
        if (at < end || own.held) {
          // All that are due: timers of a busy machine come late.
          const due = Math.floor((performance.now() - began) / pieceMs) * size;
          for (; at < Math.min(due, end); at += size)
            response.write(chunk({ content: text.slice(at, at + size) }));
          return;
        }
        clearInterval(timer);
        response.write(chunk({}, { finish_reason: finish }));
        response.write(
          `data: ${JSON.stringify({ id: 'c1', choices: [], usage: usageOf(1234) })}\n\n`,
        );
        response.end('data: [DONE]\n\n');
      }, pieceMs);
      response.on('close', () => {
        clearInterval(timer);
        if (!response.writableFinished) abandoned += 1;
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    bodies,
    get abandoned() {
      return abandoned;
    },
    say,
    release() {
      words.held = false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
