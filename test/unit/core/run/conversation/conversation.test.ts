/** Conversations: turns with tools over a stored prompt, in the language of every provider. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PromptTemplate } from '../../../../../src/api/template.ts';
import { Client } from '../../../../../src/core/client.ts';
import { argumentsFor } from '../../../../../src/core/kwargs/arguments-for.ts';
import { chooseModel } from '../../../../../src/core/kwargs/choose-model.ts';
import type { Mapping } from '../../../../../src/core/mapping.ts';
import type { Conversation } from '../../../../../src/core/run/conversation/conversation.ts';
import { toolCallsOf } from '../../../../../src/core/run/conversation/turns.ts';
import type { TurnInput } from '../../../../../src/core/run/conversation/turns.ts';
import type { Dialect, Said } from '../../../../support/providers/dialects.ts';
import { dialects } from '../../../../support/providers/dialects.ts';
import type { FakeProvider } from '../../../../support/providers/fake-provider.ts';
import { startFakeProvider } from '../../../../support/providers/fake-provider.ts';
import type { FakeService } from '../../../../support/providers/fake-service.ts';
import { chatTemplate, startFakeService } from '../../../../support/providers/fake-service.ts';

const say = (role: string, text: string): object => ({
  ...{ role, input_variables: [], template_format: 'f-string' },
  content: [{ type: 'text', text }],
});
const tool = (name: string, argument: string): object => ({
  type: 'function',
  function: {
    ...{ name, description: '', strict: false },
    parameters: { type: 'object', properties: { [argument]: { type: 'string' } } },
  },
});
const prompt = PromptTemplate.parse({
  type: 'chat',
  messages: [say('system', 'Help with orders.'), say('user', 'Where is order 7?')],
  tools: [tool('get_order', 'id'), tool('get_policy', 'topic')],
  input_variables: [],
});

/** A template as the service answers it, with the arguments that it has made. */
function storedPrompt({ provider, model: name, apiType }: Dialect, more: object = {}): object {
  const metadata = {
    model: {
      provider,
      name,
      parameters: { max_tokens: 100 },
      ...(apiType && { api_type: apiType }),
    },
  };
  const { model } = chooseModel(metadata, {});
  const kwargs = argumentsFor(prompt, model, undefined) ?? {};
  return chatTemplate({
    ...{ provider, model: name, apiType, kwargs, prompt_template: prompt, metadata },
    ...more,
  });
}

const calls: Said = {
  text: 'I will look.',
  calls: [
    { id: 'abcdefgh1', name: 'get_order', args: { id: '7' } },
    { id: 'abcdefgh2', name: 'get_policy', args: { topic: 'returns' } },
  ],
};

interface Stage {
  readonly conversation: Conversation;
  readonly client: Client;
  readonly provider: FakeProvider;
  readonly service: FakeService;
  /** What the provider was told by its last request. */
  readonly heard: () => readonly string[];
  readonly close: () => Promise<void>;
}

async function stage(
  dialect: Dialect,
  script: readonly Said[] | ((count: number) => Said),
  template: object = storedPrompt(dialect),
): Promise<Stage> {
  let heard: readonly string[] = [];
  const provider = await startFakeProvider((request, count) => {
    heard = dialect.read(request.json);
    const said = typeof script === 'function' ? script(count) : script[count - 1];
    assert.ok(said !== undefined, 'one request too many');
    return dialect.answer(said, dialect.isStream(request));
  });
  const service = await startFakeService({ greeting: template });
  const environment = dialect.environment(provider.url);
  const client = new Client({
    ...{ apiKey: 'test-key', environment: {}, baseURL: service.url },
    providerEnvironment: (name) => environment[name],
  });
  const conversation = client.conversation({ promptName: 'greeting', tags: ['mine'] });
  return {
    ...{ conversation, client, provider, service, heard: () => heard },
    close: async () => {
      await client.close();
      await provider.close();
      await service.close();
    },
  };
}

/** Runs a turn one way or the other. */
async function turn(
  conversation: Conversation,
  isStream: boolean,
  input: TurnInput = {},
  after?: number | null,
): Promise<Mapping | null> {
  const options = after === undefined ? {} : { after };
  if (!isStream) return (await conversation.send(input, options)).turn.message;
  const { id, chunks } = await conversation.stream(input, options);
  let count = 0;
  for await (const { prompt_blueprint: blueprint } of chunks) {
    assert.ok('prompt_template' in blueprint);
    count += 1;
  }
  assert.ok(count > 0);
  return conversation.turn(id)?.message ?? null;
}

const textIn = (message: Mapping | null): unknown =>
  ((message?.['content'] ?? []) as readonly { text?: string }[])[0]?.text;

const opening = ['user: Where is order 7?'];
const looked = [
  'assistant: I will look.',
  'call: get_order {"id":"7"}',
  'call: get_policy {"topic":"returns"}',
  'tool: {"delivered":"47 days ago"}',
  'tool: 30 days',
];

describe('core: conversations', () => {
  for (const dialect of dialects) {
    for (const isStream of [false, true]) {
      const how = isStream ? 'streamed' : 'not streamed';
      it(`are held with tools in the language of ${dialect.title}, ${how}`, async () => {
        const { conversation, service, heard, close } = await stage(dialect, [
          calls,
          { text: 'Too late to return.' },
          { text: 'Sorry.' },
          { text: 'Gladly.' },
        ]);
        const others = (lines: readonly string[]): readonly string[] =>
          lines.filter((line) => !line.startsWith('system: '));
        try {
          const asked = await turn(conversation, isStream);
          assert.deepEqual(others(heard()), opening);
          const [order, policy] = toolCallsOf(asked);
          assert.deepEqual([order?.name, policy?.name], ['get_order', 'get_policy']);
          // In another order than they were asked for.
          const toolResults = [
            { callId: policy?.id ?? '', text: '30 days' },
            { callId: order?.id ?? '', text: '{"delivered":"47 days ago"}' },
          ];
          const answered = await turn(conversation, isStream, { toolResults });
          assert.deepEqual(others(heard()), [...opening, ...looked]);
          assert.equal(textIn(answered), 'Too late to return.');
          await turn(conversation, isStream, { text: 'A pity.' });
          const late = 'assistant: Too late to return.';
          assert.deepEqual(others(heard()), [...opening, ...looked, late, 'user: A pity.']);
          // The turn before is said anew: what followed it is kept, and not said.
          const second = conversation.path[1]?.id;
          await turn(conversation, isStream, { text: 'Thank you.' }, second);
          assert.deepEqual(others(heard()), [...opening, ...looked, late, 'user: Thank you.']);
          assert.deepEqual(
            conversation.path.map(({ id }) => id),
            [1, 2, 4],
          );
          assert.equal(textIn(conversation.turn(3)?.message ?? null), 'Sorry.');
          assert.deepEqual(
            service.tracked.map(({ group_id: group, prompt_id: prompt, tags }) => ({
              ...{ group, prompt, tags },
            })),
            Array.from({ length: 4 }, () => ({
              ...{ group: 501, prompt: 7, tags: ['mine', 'conversation'] },
            })),
          );
          assert.deepEqual(
            conversation.state.turns.map(({ requestId }) => requestId),
            [1001, 1002, 1003, 1004],
          );
        } finally {
          await close();
        }
      });
    }
  }

  it('stay legal for every provider, whatever is edited, sent again, or taken up again', async () => {
    const step = fc.record({
      /** Which turn is followed, among all and none. */
      after: fc.nat(),
      isEdit: fc.boolean(),
      text: fc.constantFrom('Hi', 'And then?', '¡Olé! 🎉'),
      isReversed: fc.boolean(),
      reply: fc.constantFrom<Said>(
        { text: 'Yes.' },
        calls,
        { calls: [{ id: '', name: 'get_order', args: {} }] },
        // Ids that some servers give to every first call.
        { calls: [...(calls.calls ?? []), { id: 'abcdefgh1', name: 'get_order', args: {} }] },
        // Nothing to go on from.
        {},
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...dialects),
        fc.array(step, { minLength: 4, maxLength: 12 }),
        async (dialect, steps) => {
          const replies: Said[] = [];
          const { conversation, client, close } = await stage(
            dialect,
            (count) => replies[count - 1] ?? {},
          );
          let current = conversation;
          try {
            for (const { after: nth, isEdit, text, isReversed, reply } of steps) {
              const { turns } = current.state;
              const usable = [null, ...turns.filter(({ message }) => message !== null)];
              const chosen = isEdit ? usable[nth % usable.length] : current.path.at(-1);
              const wanted = toolCallsOf(chosen?.message ?? null);
              const results = wanted.map(({ id }) => ({ callId: id, text }));
              const input: TurnInput =
                wanted.length > 0
                  ? { toolResults: isReversed ? results.reverse() : results }
                  : chosen === null || chosen === undefined
                    ? {}
                    : { text };
              replies.push(reply);
              // The fake fails where the provider would refuse; an empty reply may be an error.
              const sent = current.send(input, { after: chosen?.id ?? null });
              if (Object.keys(reply).length > 0) await sent;
              else await sent.catch(() => undefined);
              // Written down and read again, as after a restart.
              const kept = JSON.parse(JSON.stringify(current.state)) as typeof current.state;
              assert.deepEqual(kept, current.state);
              current = client.conversation({ promptName: 'greeting' }, kept);
            }
          } finally {
            await close();
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  const [openAi] = dialects;
  assert.ok(openAi !== undefined);

  it('refuse, before anything is sent, what no provider would take', async () => {
    const { conversation, provider, close } = await stage(openAi, [calls]);
    try {
      const refused = (input: TurnInput, why: RegExp, after?: number): Promise<void> =>
        assert.rejects(
          conversation.send(input, after === undefined ? {} : { after }),
          (error: Error) => error.name === 'ValidationError' && why.test(error.message),
        );
      await refused({ toolResults: [] }, /nothing has called a tool yet/);
      await conversation.send();
      const [one, two] = toolCallsOf(conversation.path[0]?.message ?? null);
      const result = { callId: one?.id ?? '', text: '' };
      await refused({ text: 'Well?' }, /waits for its tools/);
      await refused({}, /has no result/);
      await refused({ toolResults: [result] }, new RegExp(`"${two?.id ?? ''}" of a tool has no`));
      await refused({ toolResults: [result, result] }, /answered twice/);
      await refused({ toolResults: [result, { callId: 'x', text: '' }] }, /called a tool as "x"/);
      await refused({ text: 'Hi' }, /there is no turn 9/, 9);
      assert.throws(() => conversation.goTo(9), /there is no turn 9/);
      assert.equal(provider.requests.length, 1);
      const { state } = conversation;
      const wrong = { ...state, turns: state.turns.map((each) => ({ ...each, parent: 1 })) };
      assert.throws(
        () => new Client({ apiKey: 'k' }).conversation({ promptName: 'greeting' }, wrong),
        /turns in no order/,
      );
    } finally {
      await close();
    }
  });

  it('keep the arguments of the service, such as tools of its registry, and all but the keys', async () => {
    const registryTool = { type: 'function', function: { name: 'from_registry', parameters: {} } };
    const custom = { name: 'ours', client: 'openai', api_key: 'key-of-the-workspace' };
    const template = storedPrompt(openAi, {
      prompt_template: { ...prompt, tools: [{ type: 'registry', tool_registry_id: 3 }] },
      custom_provider: custom,
    });
    const { llm_kwargs: kwargs } = template as { llm_kwargs: object };
    const stored = { ...template, llm_kwargs: { ...kwargs, tools: [registryTool], user: 'u' } };
    const { conversation, client, provider, service, close } = await stage(
      openAi,
      [{ text: 'One.' }, { text: 'Two.' }],
      stored,
    );
    try {
      // Where the fake is. Its address belongs to the template, as the workspace has it.
      const at = { ...custom, base_url: `${provider.url}/v1` };
      service.templates.set('greeting', { ...stored, custom_provider: at });
      await conversation.send();
      const kept = JSON.parse(JSON.stringify(conversation.state)) as typeof conversation.state;
      assert.equal(JSON.stringify(kept).includes('key-of-the-workspace'), false);
      // In another window, after a newer version was published: the version stays, the key is had anew.
      const later = client.conversation({ promptName: 'greeting' }, kept);
      await later.send({ text: 'More.' });
      const [first, second] = provider.requests;
      for (const request of [first, second]) {
        assert.equal(request?.headers.authorization, 'Bearer key-of-the-workspace');
        assert.deepEqual(request.json['tools'], [registryTool]);
        assert.equal(request.json['user'], 'u');
      }
      assert.deepEqual(
        service.requests
          .filter(({ path }) => path.startsWith('/prompt-templates/'))
          .map(({ json }) => json['version']),
        [undefined, 3],
      );
      assert.equal(service.tracked[1]?.['group_id'], 501);
    } finally {
      await close();
    }
  });

  it('are stopped at the socket; a text that had come can be gone on from, half a call can not', async () => {
    let isCall = false;
    const chunk = (delta: object): string =>
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{"a' } };
    const provider = await startFakeProvider(() => ({
      pieces: [chunk(isCall ? { tool_calls: [call] } : { content: 'Once upon' })],
      then: 'hang',
    }));
    const service = await startFakeService({ greeting: storedPrompt(openAi) });
    const environment = openAi.environment(provider.url);
    const client = new Client({
      ...{ apiKey: 'k', environment: {}, baseURL: service.url },
      providerEnvironment: (name) => environment[name],
    });
    try {
      const conversation = client.conversation({ promptName: 'greeting' });
      const stopped = async (input: TurnInput): Promise<Mapping | null | undefined> => {
        const stop = new AbortController();
        const { id, chunks } = await conversation.stream(input, { signal: stop.signal });
        await assert.rejects(async () => {
          for await (const _chunk of chunks) stop.abort();
        });
        await provider.requests.at(-1)?.closed;
        return conversation.turn(id)?.message;
      };
      assert.equal(textIn((await stopped({})) ?? null), 'Once upon');
      isCall = true;
      assert.equal(await stopped({ text: 'Go on.' }), null);
      // It stands there, and the conversation goes on from the turn before.
      assert.deepEqual([conversation.state.turns.length, conversation.state.head], [2, 1]);
      // Nobody reads a stream: leaving it closes the socket, too.
      const { chunks } = await conversation.stream({ text: 'Go on.' });
      await chunks.return();
      await provider.requests.at(-1)?.closed;
    } finally {
      await client.close();
      await provider.close();
      await service.close();
    }
  });

  it('are not held over a completion', async () => {
    const completion = { type: 'completion', content: [{ type: 'text', text: 'Once' }] };
    const template = storedPrompt(openAi, { prompt_template: completion });
    const { conversation, close } = await stage(openAi, [], template);
    try {
      await assert.rejects(conversation.send(), /a completion has no turns/);
      assert.equal(conversation.state.prompt, null);
    } finally {
      await close();
    }
  });
});
