import http from 'node:http';
import { once } from 'node:events';

/** A provider on this machine that thinks for so long. */
export interface Provider {
  readonly url: string;
  readonly asked: () => number;
  /** The most requests that were under way together since it was last asked. */
  readonly takeMost: () => number;
  readonly close: () => void;
}

export async function startProvider(latencyMs: number): Promise<Provider> {
  let asked = 0;
  let underWay = 0;
  let most = 0;
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => {
      asked += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.setHeader('content-type', 'application/json');
        response.end(answer);
      }, latencyMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    asked: () => asked,
    takeMost: () => {
      const taken = most;
      most = 0;
      return taken;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const answer = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Yes.' } }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
});

/** A column that asks it about the column "word". */
export const promptColumn = {
  title: 'Answer',
  type: 'PROMPT_TEMPLATE',
  config: {
    prompt_template_variable_mappings: { word: 'word' },
    inline_template: {
      prompt_template: {
        type: 'chat',
        messages: [
          {
            role: 'user',
            input_variables: ['word'],
            template_format: 'f-string',
            content: [{ type: 'text', text: 'Say {word}' }],
          },
        ],
        input_variables: ['word'],
      },
      metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
    },
  },
};

export const environmentOf = (url: string): Record<string, string> => ({
  OPENAI_API_KEY: 'sk-fake',
  OPENAI_BASE_URL: url,
});
