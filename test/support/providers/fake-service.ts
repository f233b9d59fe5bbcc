/** As much of the prompt service as a run needs: templates to fetch, and a log of what was run. */
import type { FakeProvider } from './fake-provider.ts';
import { startFakeProvider } from './fake-provider.ts';

export interface FakeService extends Pick<FakeProvider, 'url' | 'requests' | 'close'> {
  /** Bodies of `/track-request`, in order. */
  readonly tracked: readonly Readonly<Record<string, unknown>>[];
  readonly templates: Map<string, object>;
  /** Status with which requests are logged; 200 unless a test wants a fault. */
  trackStatus: number;
}

/** A chat template of the registry whose one message says `text`. */
export function chatTemplate({
  provider = 'openai',
  model = 'gpt-test',
  apiType = 'chat-completions',
  kwargs,
  ...rest
}: {
  readonly provider?: string;
  readonly model?: string;
  readonly apiType?: string | null;
  readonly kwargs?: object;
  readonly [other: string]: unknown;
} = {}): object {
  return {
    id: 7,
    prompt_name: 'greeting',
    version: 3,
    prompt_template: {
      type: 'chat',
      messages: [
        {
          role: 'user',
          input_variables: [],
          template_format: 'f-string',
          content: [{ type: 'text', text: 'Say hello.' }],
        },
      ],
      input_variables: [],
    },
    metadata: { model: { provider, name: model, parameters: {}, api_type: apiType } },
    llm_kwargs: kwargs ?? { model, messages: [{ role: 'user', content: 'Say hello.' }] },
    tags: [],
    ...rest,
  };
}

export async function startFakeService(
  templates: Readonly<Record<string, object>> = { greeting: chatTemplate() },
): Promise<FakeService> {
  const known = new Map(Object.entries(templates));
  const tracked: Readonly<Record<string, unknown>>[] = [];
  const state = { trackStatus: 200, groups: 0 };
  const server = await startFakeProvider((request) => {
    const [, first, name = ''] = request.path.split('/');
    if (first === 'prompt-templates') {
      const template = known.get(decodeURIComponent(name));
      return template === undefined
        ? { status: 404, body: { success: false, message: 'Prompt template not found.' } }
        : { body: template };
    }
    if (first === 'create-group') {
      state.groups += 1;
      return { status: 201, body: { success: true, id: 500 + state.groups } };
    }
    if (first === 'track-request') {
      if (state.trackStatus !== 200) {
        return { status: state.trackStatus, body: { success: false, message: 'No log today.' } };
      }
      tracked.push(request.json);
      return {
        body: {
          request_id: 1000 + tracked.length,
          prompt_blueprint: { prompt_template: { type: 'chat', messages: [] }, logged: true },
        },
      };
    }
    return { status: 404, body: { success: false, message: 'Unknown path.' } };
  });
  return {
    url: server.url,
    requests: server.requests,
    close: () => server.close(),
    tracked,
    templates: known,
    get trackStatus() {
      return state.trackStatus;
    },
    set trackStatus(status) {
      state.trackStatus = status;
    },
  };
}
