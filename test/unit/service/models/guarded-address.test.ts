/** The policy of requests guards models too, wherever their address is not of the environment. */
import assert from 'node:assert/strict';
import { Template } from '../../../../src/api/template.ts';
import { Models } from '../../../../src/service/models/models.ts';
import type { Database } from '../../../../src/service/store/database.ts';
import { startFakeProvider } from '../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../support/providers/fake-service.ts';
import { timeLimit } from '../../../support/time-limit.ts';

const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

describe('service: models at an address that is not of its environment', () => {
  const bases = (url: string): readonly Readonly<Record<string, unknown>>[] => [
    { provider_base_url: { id: 1, name: 'x', provider: 'openai', url } },
    { custom_provider: { id: 1, name: 'x', client: 'openai', base_url: url, api_key: 'k' } },
  ];

  async function refusal(
    more: Readonly<Record<string, unknown>>,
    allowedHosts?: readonly string[],
  ): Promise<unknown> {
    const models = new Models({
      log,
      // Reached only by what is allowed: turns are taken there.
      database: {
        transaction: () => Promise.reject(new Error('at the gate')),
        read: () => Promise.reject(new Error('at the gate')),
        one: () => Promise.reject(new Error('at the gate')),
      } as unknown as Database,
      lookUp: (name) => (name === 'OPENAI_API_KEY' ? 'sk-canary' : undefined),
      ...(allowedHosts && { allowedHosts }),
    });
    const asking = models.ask(Template.parse(chatTemplate(more)), {
      isRestricted: false,
      variables: {},
      signal: AbortSignal.timeout(timeLimit(5000)),
      settle: () => assert.fail('nothing was answered'),
    });
    const error: unknown = await asking.catch((thrown: unknown) => thrown);
    await models.close();
    return error;
  }

  it('are asked only when its host is allowed', async () => {
    const stranger = await startFakeProvider(() => ({ body: {} }));
    for (const more of bases(`${stranger.url}/v1`)) {
      const error = (await refusal(more)) as { code?: string; message: string };
      assert.equal(error.code, 'not_allowed');
      assert.match(error.message, /PROMPT_TABLES_ALLOWED_HOSTS/);
      const { host } = new URL(stranger.url);
      assert.doesNotMatch(String(await refusal(more, [host])), /not allowed/);
    }
    assert.equal(stranger.requests.length, 0);
    await stranger.close();
  });
});
