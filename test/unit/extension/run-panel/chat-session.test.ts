/** The conversation of a run panel: real turns of the core against a scripted provider. */
import assert from 'node:assert/strict';
import { saidEnding } from '../../../../src/core/providers/ending.ts';
import { Client } from '../../../../src/core/client.ts';
import type { Conversation } from '../../../../src/core/run/conversation/conversation.ts';
import { readChatRecord } from '../../../../src/extension/run-panel/chat/chat-record.ts';
import type {
  ChatBeginning,
  ChatRecord,
} from '../../../../src/extension/run-panel/chat/chat-record.ts';
import type { ChatParts } from '../../../../src/extension/run-panel/chat/chat-session.ts';
import {
  ChatSession,
  mostToolTurns,
} from '../../../../src/extension/run-panel/chat/chat-session.ts';
import { checkAnswer } from '../../../../src/extension/run-panel/answer-schema.ts';
import { misfitOf, resultSchemaOf } from '../../../../src/extension/run-panel/chat/tool-schema.ts';
import { ToolMocks } from '../../../../src/extension/run-panel/chat/tool-mocks.ts';
import { RunSession } from '../../../../src/extension/run-panel/session.ts';
import type { ChatTurn } from '../../../../src/protocol/chat.ts';
import { longestResult } from '../../../../src/protocol/chat.ts';
import { dialects } from '../../../support/providers/dialects.ts';
import type { Said } from '../../../support/providers/dialects.ts';
import type {
  FakeProvider,
  ProviderAnswerScript,
} from '../../../support/providers/fake-provider.ts';
import { startFakeProvider } from '../../../support/providers/fake-provider.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';
import { chatTemplate, startFakeService } from '../../../support/providers/fake-service.ts';
import { until } from '../../../support/until.ts';

const t = (text: string, ...given: readonly (string | number)[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_, at: string) => String(given[Number(at)]));

const parameters = {
  type: 'object',
  properties: { id: { type: 'integer' } },
  required: ['id'],
};
const template = chatTemplate({
  prompt_template: {
    type: 'chat',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Where is order 7?' }] }],
    tools: [
      {
        type: 'function',
        function: { name: 'get_order', parameters, response_schema: { type: 'object' } },
      },
    ],
    input_variables: [],
  },
  kwargs: { model: 'gpt-test', messages: [{ role: 'user', content: 'Where is order 7?' }] },
});
const call = (id: string, args: object = { id: 7 }): Said => ({
  calls: [{ id, name: 'get_order', args }],
});
const [openAi] = dialects;
assert.ok(openAi !== undefined);

describe('run panel: conversation', () => {
  let provider: FakeProvider;
  let service: FakeService;
  let client: Client;
  let session: ChatSession;
  let saved: ChatRecord | undefined;
  let questions: number[];
  let answered: string[];
  /** What a tool or a mock answers; undefined: it fails. */
  let mock: string | undefined;
  /** Checking costs more than a turn. */
  let isChecked: boolean;

  const beginning = (): ChatBeginning => ({
    page: { panelId: 'p', connectionId: 'c', promptName: 'greeting', choice: { kind: 'latest' } },
    variables: [],
    usesCache: false,
  });
  const open = (record?: ChatRecord): ChatSession => {
    let conversation: Conversation | undefined;
    const parts: ChatParts = {
      open: (_, state) => {
        conversation ??= client.conversation({ promptName: 'greeting' }, state);
        return Promise.resolve(conversation);
      },
      makeSession: ({ start, emit, save, ended }) =>
        new RunSession({
          ...{ start, emit, save, endingOf: saidEnding, note: () => undefined },
          problemOf: (error) => ({ message: String(error) }),
          onState: () => undefined,
          onProgress: () => undefined,
          onEnd: ended,
        }),
      emit: () => undefined,
      misfitOf: (made, state) => (isChecked ? misfitOf(made, state, t, checkAnswer) : undefined),
      answer: (made) => {
        answered.push(made.arguments);
        return mock === undefined ? Promise.reject(new Error('No tool.')) : Promise.resolve(mock);
      },
      goOn: (turns) => {
        questions.push(turns);
        return Promise.resolve(questions.length === 1);
      },
      settled: () => undefined,
      save: (record_) => {
        // As the file has it.
        saved = readChatRecord(JSON.parse(JSON.stringify(record_)));
      },
      note: () => undefined,
      messageOf: (error) => (error instanceof Error ? error.message : String(error)),
      t,
    };
    return new ChatSession(parts, record);
  };
  const begin = async (script: (count: number) => Said | ProviderAnswerScript): Promise<void> => {
    provider = await startFakeProvider((_, count) => {
      const said = script(count);
      const isSaid = 'text' in said || 'calls' in said;
      return isSaid ? openAi.answer(said, true) : (said as ProviderAnswerScript);
    });
    service = await startFakeService({ greeting: template });
    const environment = openAi.environment(provider.url);
    client = new Client({
      ...{ apiKey: 'k', environment: {}, baseURL: service.url },
      providerEnvironment: (name) => environment[name],
    });
    saved = undefined;
    questions = [];
    answered = [];
    mock = '{"delivered":"47 days ago"}';
    isChecked = true;
    session = open();
  };
  afterEach(async () => {
    session.dispose();
    await client.close();
    await provider.close();
    await service.close();
  });
  const last = (): ChatTurn => {
    const { turns, head } = session.view();
    const turn = turns.find(({ id }) => id === head);
    assert.ok(turn !== undefined);
    return turn;
  };
  const quiet = async (): Promise<void> => {
    await until('the conversation has come to rest', () => !session.isRunning);
  };
  const say = async (text: string, edits: number | null = null): Promise<void> => {
    session.say(text, edits, beginning);
    await quiet();
  };
  const lastMessages = () =>
    (provider.requests.at(-1)?.json['messages'] ?? []) as {
      readonly role: string;
      readonly content: unknown;
    }[];
  /** What the provider was told last: role and text of each message. */
  const told = (): readonly string[] =>
    lastMessages().map(
      ({ role, content }) =>
        `${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`,
    );

  it('goes on when every call has its result, tells what does not fit, and keeps what was edited', async () => {
    await begin((count) =>
      count === 1 ? call('a', { id: 'seven' }) : { text: count === 2 ? 'Too late.' : 'Sorry.' },
    );
    await say('');
    const [asked] = last().calls;
    assert.match(asked?.misfit ?? '', /schema of the tool: \/id must be of the type integer/);
    session.answerByHand(1, 'a', '{"delivered":"47 days ago"}');
    await quiet();
    assert.equal(last().parts[0]?.text, 'Too late.');
    assert.equal(last().results[0]?.source, 'hand');
    await say('A pity.');
    await say('Thanks.', 3);
    assert.deepEqual(told().slice(2), [
      'tool: {"delivered":"47 days ago"}',
      'assistant: Too late.',
      'user: Thanks.',
    ]);
    const { turns } = session.view();
    assert.deepEqual(
      turns.map(({ id, parent }) => [id, parent]),
      [
        [1, null],
        [2, 1],
        [3, 2],
        [4, 2],
      ],
    );
    // What was superseded is had again, and a result is given anew.
    session.goTo(3);
    await say('Still there?');
    assert.deepEqual(told().slice(-3), [
      'user: A pity.',
      'assistant: Sorry.',
      'user: Still there?',
    ]);
    session.goTo(1);
    assert.equal(last().calls[0]?.draft, '{"delivered":"47 days ago"}');
    session.answerByHand(1, 'a', '{}');
    await quiet();
    assert.deepEqual(told().slice(2), ['tool: {}']);
    assert.deepEqual([...new Set(service.tracked.map(({ group_id: group }) => group))], [501]);
  });

  it('is found again after the window has gone, with what was typed, and goes on', async () => {
    await begin((count) => (count === 1 ? call('a') : { text: 'Fine.' }));
    await say('');
    session.keepDraft({ text: 'half a sen', edits: null });
    session.keepResultDraft(1, 'a', '{"deliv');
    const kept = saved;
    session.dispose();
    session = open(kept);
    assert.equal(session.view().draft.text, 'half a sen');
    assert.equal(last().calls[0]?.draft, '{"deliv');
    session.answerByHand(1, 'a', '{}');
    await quiet();
    await say('And now?');
    assert.deepEqual(told().slice(2), ['tool: {}', 'assistant: Fine.', 'user: And now?']);
    assert.equal(service.tracked.length, 3);
  });

  it('is found again where a turn was going on, which is marked and can be sent again', async () => {
    const hanging = { pieces: [], then: 'hang' } as const;
    await begin((count) => (count === 2 ? hanging : { text: 'Fine.' }));
    await say('');
    session.say('More.', null, beginning);
    await until('it is asked', () => provider.requests.length === 2);
    assert.throws(() => session.say('Too soon.', null, beginning), /still being written/);
    const kept = saved;
    session.dispose();
    await provider.requests[1]?.closed;
    session = open(kept);
    assert.deepEqual([last().status.state, last().isUsable], ['interrupted', false]);
    session.again(2);
    await quiet();
    assert.deepEqual(told().slice(1), ['assistant: Fine.', 'user: More.']);
    assert.deepEqual([last().id, last().parent], [3, 1]);
  });

  it('closes the socket when it is stopped, and takes no message until it has come to rest', async () => {
    const half = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Once' } }] })}\n\n`;
    await begin((count) => (count === 1 ? { pieces: [half], then: 'hang' } : { text: 'Yes.' }));
    session.say('', null, beginning);
    await until('something has come', () => last().parts[0]?.text === 'Once');
    session.stop();
    await provider.requests[0]?.closed;
    await quiet();
    assert.deepEqual([last().status.state, last().isUsable], ['stopped', true]);
    await say('Go on.');
    assert.deepEqual(told().slice(1), ['assistant: Once', 'user: Go on.']);
  });

  it('cuts a result that is too long, and says so to the model and the person', async () => {
    await begin((count) => (count === 1 ? call('a') : { text: 'Long.' }));
    await say('');
    session.answerByHand(1, 'a', 'x'.repeat(longestResult + 5));
    await quiet();
    assert.equal(last().results[0]?.cutFrom, longestResult + 5);
    assert.match(told().at(-1) ?? '', /x\n\[Cut off: 100000 of 100005 characters\.\]$/);
  });

  it('has tools answered without a word when that was chosen, asks after 25 turns, and stops when told no', async () => {
    await begin((count) => call(`c${count}`));
    isChecked = false;
    await say('');
    await session.answerWith(1, 'c1', 'mock', true);
    await until('it was asked twice', () => questions.length === 2);
    await quiet();
    // Once more it was told to go on, then not.
    assert.deepEqual(questions, [mostToolTurns, mostToolTurns]);
    assert.equal(provider.requests.length, 1 + 2 * mostToolTurns);
    assert.equal(last().calls[0]?.result, undefined);
    assert.equal(last().calls[0]?.draft, mock);
  });

  it('stops before the tools that it was told to, and after one that failed', async () => {
    await begin((count) => call(`c${count}`));
    await say('');
    session.setStopsBefore(['get_order']);
    await session.answerWith(1, 'c1', 'mock', true);
    await quiet();
    assert.deepEqual([last().id, answered.length], [2, 1]);
    session.setStopsBefore([]);
    mock = undefined;
    await session.answerWith(2, 'c2', 'editor', true);
    assert.equal(last().calls[0]?.problem, 'No tool.');
    mock = '{}';
    session.answerByHand(2, 'c2', '{}');
    await quiet();
    // Nobody answers the next call in the place of the person.
    assert.deepEqual([last().id, answered.length], [3, 2]);
  });

  it('stays quick with a thousand turns', async () => {
    await begin(() => ({ text: 'Yes.' }));
    await say('');
    await say('And?');
    assert.ok(saved?.state !== undefined);
    const many = { ...saved, turns: [...saved.turns] };
    const coreTurns = [...saved.state.turns];
    const [, second] = saved.turns;
    const [, coreSecond] = coreTurns;
    assert.ok(second !== undefined && coreSecond !== undefined);
    for (let id = 3; id <= 1000; id += 1) {
      many.turns.push({ ...second, id, parent: id - 1, core: id });
      coreTurns.push({ ...coreSecond, id, parent: id - 1 });
    }
    session.dispose();
    const from = process.cpuUsage();
    session = open(
      readChatRecord({
        ...many,
        head: 1000,
        state: { ...saved.state, turns: coreTurns, head: 1000 },
      }),
    );
    assert.equal(session.view().turns.length, 1000);
    await say('Once more.');
    const { user, system } = process.cpuUsage(from);
    assert.equal(told().length, 2001);
    assert.ok((user + system) / 1000 < 3000, `${(user + system) / 1000} ms`);
  });

  it('knows what tools say of their results, and keeps mocks by prompt and tool', async () => {
    await begin(() => ({ text: 'Yes.' }));
    await say('');
    const prompt = session.state?.prompt;
    assert.ok(prompt !== undefined && prompt !== null);
    assert.deepEqual(resultSchemaOf(prompt, 'get_order'), { type: 'object' });
    assert.equal(resultSchemaOf(prompt, 'other'), undefined);
    const kept = new Map<string, unknown>();
    const mocks = new ToolMocks({
      get: (key) => kept.get(key),
      update: (key, value) => Promise.resolve(void kept.set(key, value)),
    });
    const owner = { connectionId: 'c', name: 'a' };
    await mocks.keep(owner, 'get_order', { text: '{}' });
    await mocks.keep(owner, 'get_order', { scenario: 'late' });
    assert.deepEqual(
      [mocks.of(owner, 'get_order')?.text, mocks.of(owner, 'get_order')?.scenario],
      ['{}', 'late'],
    );
    assert.equal(mocks.of({ ...owner, name: 'b' }, 'get_order'), undefined);
  });
});
