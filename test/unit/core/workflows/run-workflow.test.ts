import assert from 'node:assert/strict';
import { Client } from '../../../../src/core/client.ts';
import { stringifyJson } from '../../../../src/core/http/json.ts';
import type { WorkflowError } from '../../../../src/core/errors.ts';
import type {
  RunWorkflowOptions,
  WorkflowProgress,
} from '../../../../src/core/workflows/options.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { TestClient } from '../../../support/http/client.ts';
import { FakeClock } from '../../../support/http/fake-clock.ts';
import { RecordingLogger } from '../../../support/http/recording-logger.ts';
import type {
  FakeWorkflows,
  FakeWorkflowsScript,
  Subscriber,
} from '../../../support/workflows/fake-workflows.ts';
import { startFakeWorkflows } from '../../../support/workflows/fake-workflows.ts';
import { until } from '../../../support/until.ts';

const node = (status: string, value: unknown = null, isOutput = false, rest: object = {}) => ({
  status,
  value,
  error_message: null,
  raw_error_message: null,
  is_output_node: isOutput,
  ...rest,
});

const untilIdle = (service: FakeWorkflows): Promise<true> =>
  until('no socket is open', () => service.openSockets === 0);

describe('core: runWorkflow', () => {
  let service: FakeWorkflows;
  let test: TestClient;

  const start = async (script: FakeWorkflowsScript, options: object = {}): Promise<Client> => {
    service = await startFakeWorkflows(script);
    test = makeTestClient({ baseURL: service.url, ...options });
    return test.client;
  };
  afterEach(async () => {
    await test.client.close();
    await untilIdle(service);
    await service.close();
  });

  /** Results that stay 202 until the realtime channel has told the end. */
  const running = { results: () => ({ status: 202, body: {} }) };

  it('starts with everything in the words of the service, the name encoded', async () => {
    const client = await start({ results: () => ({ body: 'done' }) });
    const result = await client.runWorkflow({
      workflowName: 'a/b ?#%ü',
      inputVariables: { question: 'Why?', depth: 2 },
      metadata: { user: 'u1' },
      workflowVersion: 3,
    });
    assert.equal(result, 'done');
    const [call] = service.calls;
    assert.equal(call?.method, 'POST');
    assert.equal(call.path, '/workflows/a/b ?#%ü/run');
    assert.equal(call.headers['x-api-key'], 'test-key');
    assert.deepEqual(call.json, {
      input_variables: { question: 'Why?', depth: 2 },
      metadata: { user: 'u1' },
      workflow_label_name: null,
      workflow_version_number: 3,
      return_all_outputs: false,
    });
    assert.deepEqual(service.callsTo('/workflow-version')[0]?.query, {
      workflow_version_execution_id: '41',
      return_all_outputs: 'false',
    });
  });

  it('takes snake case, and logs the warning of the service', async () => {
    const client = await start({
      start: () => ({
        status: 201,
        body: {
          success: true,
          message: 'ok',
          warning: 'Old version.',
          workflow_version_execution_id: 7,
        },
      }),
      results: () => ({ body: null }),
    });
    const result = await client.runWorkflow({
      workflow_name: 'w',
      input_variables: { a: 1 },
      workflow_label_name: 'prod',
      return_all_outputs: true,
    });
    assert.equal(result, null);
    assert.deepEqual(test.logger.messages('warn'), ['Old version.']);
    assert.deepEqual(service.calls[0]?.json, {
      input_variables: { a: 1 },
      metadata: {},
      workflow_label_name: 'prod',
      workflow_version_number: null,
      return_all_outputs: true,
    });
  });

  it('gets the result from the realtime channel while the results still say 202', async () => {
    let subscriber: Subscriber | undefined;
    const client = await start({
      ...running,
      subscribed: (given) => {
        subscriber = given;
        given.send('{}');
        given.publish({ message_name: 'SOMETHING_ELSE', data: '{}' });
        given.complete({ result_code: 'OK', final_output: { answer: 42 } });
      },
    });
    assert.deepEqual(await client.runWorkflow({ workflowName: 'w' }), { answer: 42 });
    assert.equal(subscriber?.channel, 'workflow_updates:41');
    assert.equal(subscriber.token, 'realtime-token-1');
    assert.deepEqual(service.callsTo('/ws-token')[0]?.query, { capability: 'workflow_updates:41' });
    await subscriber.closed;
  });

  it('answers the pings of the server', async () => {
    let subscriber: Subscriber | undefined;
    const client = await start({
      ...running,
      subscribed: (given) => {
        subscriber = given;
        const before = given.received.length;
        given.send('{}');
        const answered = setInterval(() => {
          if (given.received.length === before) return;
          clearInterval(answered);
          given.complete({ final_output: 1 });
        }, 5);
      },
    });
    assert.equal(await client.runWorkflow({ workflowName: 'w' }), 1);
    assert.deepEqual(subscriber?.received.at(-1), {});
  });

  it('does not lose what was published before it listened', async () => {
    let isSubscribed = false;
    const client = await start({
      results: () => (isSubscribed ? { body: 'early' } : { status: 202, body: {} }),
      subscribed: () => {
        isSubscribed = true;
      },
    });
    assert.equal(await client.runWorkflow({ workflowName: 'w' }), 'early');
  });

  for (const [what, script] of [
    ['the service has none', {}],
    [
      'no token is given',
      { token: () => ({ status: 404, body: {} }), subscribed: () => undefined },
    ],
    [
      'it speaks by something else',
      {
        token: () => ({ body: { messaging_backend: 'ably', token_details: { token: 't' } } }),
        subscribed: () => undefined,
      },
    ],
    ['the token fails', { token: () => ({ status: 503, body: {} }), subscribed: () => undefined }],
    ['the server refuses to connect', { refuse: 'connect' }],
    ['the server refuses to subscribe', { refuse: 'subscribe' }],
    ['it speaks another protocol', { refuse: 'garbage' }],
    ['it breaks', { subscribed: (given: Subscriber) => given.drop() }],
  ] as const satisfies readonly (readonly [string, FakeWorkflowsScript])[]) {
    it(`polls without a word when there is no realtime channel: ${what}`, async () => {
      const client = await start({
        ...script,
        results: (_call, count) => (count > 3 ? { body: [1, 2] } : { status: 202, body: {} }),
      });
      assert.deepEqual(await client.runWorkflow({ workflowName: 'w' }), [1, 2]);
      assert.deepEqual(test.logger.messages('warn'), []);
      assert.deepEqual(test.logger.messages('info'), []);
    });
  }

  it('takes a body under 202 for no result, whatever it holds', async () => {
    const client = await start({
      results: (_call, count) =>
        count < 3
          ? { status: 202, body: { a: node('RUNNING'), b: node('SUCCESS', 1, true) } }
          : { body: 'whole' },
    });
    assert.equal(await client.runWorkflow({ workflowName: 'w' }), 'whole');
  });

  for (const value of [
    null,
    '',
    'text',
    0,
    false,
    [],
    {},
    { success: false },
    { a: { status: 'x' } },
  ]) {
    it(`gives any value as it is: ${JSON.stringify(value)}`, async () => {
      const client = await start({ results: () => ({ body: value }) });
      assert.deepEqual(await client.runWorkflow({ workflowName: 'w' }), value);
    });
  }

  for (const way of ['polled', 'told'] as const) {
    it(`keeps how numbers are written when asked to: ${way}`, async () => {
      const text = '{"price":10.0,"id":9007199254740993,"list":[1,-0.0]}';
      const data = `{"result_code":"OK","final_output":${text}}`;
      const message = { message_name: 'SET_WORKFLOW_COMPLETE', data };
      const client = await start(
        way === 'polled'
          ? { results: () => ({ text }), token: () => ({ status: 404, body: {} }) }
          : { ...running, subscribed: (to) => to.publish(message) },
      );
      const options = { workflowName: 'w' };
      const plain = await client.runWorkflow(options);
      assert.deepEqual((plain as { price: unknown }).price, 10);
      const written = await client.runWorkflow(options, { numbersAsWritten: true });
      assert.equal(stringifyJson(written), text);
    });
  }

  it('fetches a result that is too large to be told', async () => {
    let isDone = false;
    const client = await start({
      results: () => (isDone ? { body: 'large' } : { status: 202, body: {} }),
      subscribed: (given) => {
        setTimeout(() => {
          isDone = true;
          given.complete({ result_code: 'EXCEEDS_SIZE_LIMIT' });
        }, 20);
      },
    });
    assert.equal(await client.runWorkflow({ workflowName: 'w' }), 'large');
  });

  it('is an error when the channel tells of another end', async () => {
    const client = await start({
      ...running,
      subscribed: (given) => given.complete({ result_code: 'CANCELLED' }),
    });
    await assert.rejects(client.runWorkflow({ workflowName: 'w' }), {
      code: 'workflow',
      message: 'The workflow "w" (execution 41) ended with CANCELLED.',
    });
  });

  it('gives the map of all nodes when asked, unjudged', async () => {
    const map = { a: node('FAILED', null, true, { error_message: 'No.' }) };
    const client = await start({ results: () => ({ body: map }) });
    const result = await client.runWorkflow({ workflowName: 'w', returnAllOutputs: true });
    assert.deepEqual(result, map);
    assert.equal(service.callsTo('/workflow-version')[0]?.query['return_all_outputs'], 'true');
  });

  it('gives the map when several output nodes have a say', async () => {
    const map = { a: node('SUCCESS', 1, true), b: node('FAILED', null, true) };
    const client = await start({ results: () => ({ body: map }) });
    assert.deepEqual(await client.runWorkflow({ workflowName: 'w' }), map);
  });

  for (const [what, map, words] of [
    [
      'no output node has succeeded',
      { a: node('FAILED', null, true, { error_message: 'The key test-key is wrong.' }) },
      'The workflow "w" (execution 41) gave no result: node "a": The key [redacted] is wrong.',
    ],
    [
      'no node is an output node',
      { a: node('SUCCESS', 1) },
      'The workflow "w" (execution 41) gave no result: it has no output node.',
    ],
  ] as const) {
    it(`is an error with all outputs when ${what}`, async () => {
      const client = await start({ results: () => ({ body: map }) });
      await assert.rejects(client.runWorkflow({ workflowName: 'w' }), (error: WorkflowError) => {
        assert.equal(error.code, 'workflow');
        assert.equal(error.message, words);
        assert.equal(error.executionId, 41);
        assert.deepEqual(error.outputs, map);
        return true;
      });
    });
  }

  it('tells what every node is doing, then gives the value', async () => {
    const client = await start({
      results: ({ query }, count) => {
        if (query['return_all_outputs'] === 'false') return { body: 'value' };
        const states = ['QUEUED', 'RUNNING', 'RUNNING', 'SUCCESS'];
        const status = states[count - 1] ?? 'SUCCESS';
        const body = { first: node('SUCCESS', 1), last: node(status, 'value', true) };
        return { status: status === 'SUCCESS' ? 200 : 202, body };
      },
    });
    const reported: WorkflowProgress[] = [];
    const result = await client.runWorkflow(
      { workflowName: 'w' },
      { onProgress: (progress) => reported.push(progress) },
    );
    assert.equal(result, 'value');
    assert.deepEqual(
      reported.map(({ changed, nodes }) => [changed, nodes['last']?.status]),
      [
        [[], undefined],
        [['first', 'last'], 'QUEUED'],
        [['last'], 'RUNNING'],
        [['last'], 'SUCCESS'],
      ],
    );
    assert.ok(reported.every(({ executionId }) => executionId === 41));
  });

  it('tells the last of the nodes when the realtime channel has the result first', async () => {
    let isDone = false;
    const client = await start({
      results: ({ query }) => {
        const status = isDone ? 'SUCCESS' : 'RUNNING';
        const body = query['return_all_outputs'] === 'true' ? { a: node(status, 1, true) } : 1;
        return { status: 202, body };
      },
      subscribed: (given) => {
        setTimeout(() => {
          isDone = true;
          given.complete({ final_output: 'told' });
        }, 30);
      },
    });
    const reported: (string | undefined)[] = [];
    const result = await client.runWorkflow(
      { workflowName: 'w' },
      { onProgress: ({ nodes }) => reported.push(nodes['a']?.status) },
    );
    assert.equal(result, 'told');
    assert.equal(reported.at(-1), 'SUCCESS');
  });

  it('throws what a listener throws, also when it was told by way of the channel', async () => {
    const client = await start({
      results: () => ({ status: 202, body: { a: node('RUNNING') } }),
      subscribed: (given) => given.complete({ final_output: 1 }),
    });
    const onProgress = ({ changed }: WorkflowProgress): void => {
      if (changed.length > 0) throw new RangeError('mine');
    };
    const options = { workflowName: 'w', returnAllOutputs: true };
    await assert.rejects(client.runWorkflow(options, { onProgress }), RangeError);
  });

  it('lasts as long as it may, then closes everything', async () => {
    let subscriber: Subscriber | undefined;
    const client = await start({
      ...running,
      subscribed: (given) => {
        subscriber = given;
        test.clock.pass(3_600_000);
      },
    });
    await assert.rejects(client.runWorkflow({ workflowName: 'w' }), {
      code: 'timeout',
      retryable: false,
      message: 'The workflow "w" (execution 41) was not done within 3600 seconds.',
    });
    await subscriber?.closed;
    assert.equal(test.clock.pending, 0);
  });

  it('keeps to the time limit of the caller, also while an answer hangs', async () => {
    const client = await start({
      results: () => {
        setImmediate(() => test.clock.pass(20_000));
        return 'hang';
      },
    });
    await assert.rejects(client.runWorkflow({ workflowName: 'w' }, { timeoutMs: 20_000 }), {
      code: 'timeout',
    });
    assert.equal(test.clock.pending, 0);
  });

  it('ends at once when the caller has enough', async () => {
    const stop = new AbortController();
    let subscriber: Subscriber | undefined;
    const client = await start({
      ...running,
      subscribed: (given) => {
        subscriber = given;
        stop.abort();
      },
    });
    await assert.rejects(client.runWorkflow({ workflowName: 'w' }, { signal: stop.signal }), {
      code: 'cancelled',
    });
    await subscriber?.closed;
    assert.equal(test.clock.pending, 0);
  });

  it('ends as cancelled when the client is closed', async () => {
    const client = await start({ ...running, subscribed: () => void client.close() });
    await assert.rejects(client.runWorkflow({ workflowName: 'w' }), { code: 'cancelled' });
  });

  it('throws what a listener throws, and leaves nothing open', async () => {
    const client = await start({ results: () => ({ status: 202, body: { a: node('RUNNING') } }) });
    const onProgress = ({ changed }: WorkflowProgress): void => {
      if (changed.length > 0) throw new RangeError('mine');
    };
    await assert.rejects(client.runWorkflow({ workflowName: 'w' }, { onProgress }), RangeError);
  });

  it('outlives a service that is away for a while', async () => {
    const client = await start({
      results: (_call, count) => (count <= 8 ? 'reset' : { body: 'back' }),
    });
    assert.equal(await client.runWorkflow({ workflowName: 'w' }), 'back');
  });

  it('gives up when the service stays away, and at once when the key is refused', async () => {
    const client = await start({ results: () => ({ status: 503, body: {} }) });
    await assert.rejects(client.runWorkflow({ workflowName: 'w' }), { code: 'server' });
    assert.equal(service.callsTo('/workflow-version').length, 20);
    await client.close();
    await service.close();
    const other = await start({ results: () => ({ status: 401, body: {} }) });
    await assert.rejects(other.runWorkflow({ workflowName: 'w' }), { code: 'authentication' });
    assert.equal(service.callsTo('/workflow-version').length, 1);
  });

  for (const [status, code] of [
    [404, 'not_found'],
    [422, 'validation'],
    [401, 'authentication'],
  ] as const) {
    it(`throws a typed error when the start is answered with ${status}, once`, async () => {
      const client = await start({
        start: () => ({ status, body: { error: 'No workflow "w".' } }),
      });
      await assert.rejects(client.runWorkflow({ workflowName: 'w' }), {
        code,
        message: `POST /workflows/w/run was answered with ${status}: No workflow "w".`,
      });
      assert.equal(service.calls.length, 1);
    });
  }

  it('starts again only as the rules for all calls say', async () => {
    const client = await start({
      start: (_call, count) =>
        count === 1
          ? { status: 503, body: {} }
          : count === 2
            ? 'reset'
            : {
                status: 201,
                body: { success: true, message: '', workflow_version_execution_id: 2 },
              },
      results: () => ({ body: 1 }),
    });
    assert.equal(await client.runWorkflow({ workflowName: 'w' }), 1);
    assert.deepEqual(test.clock.waits.slice(0, 2), [2_000, 4_000]);
    assert.equal(service.callsTo('/workflows/').length, 3);
  });

  it('takes null for what is not given', async () => {
    const client = await start({ results: () => ({ body: 1 }) });
    const nothing = {
      inputVariables: null,
      metadata: null,
      workflowLabelName: null,
      workflowVersion: null,
    };
    assert.equal(await client.runWorkflow({ workflowName: 'w', ...nothing }), 1);
    assert.deepEqual(service.callsTo('/workflows/')[0]?.json, {
      input_variables: {},
      metadata: {},
      workflow_label_name: null,
      workflow_version_number: null,
      return_all_outputs: false,
    });
  });

  it('is no start when the answer has no execution', async () => {
    const client = await start({ start: () => ({ status: 201, body: { success: true } }) });
    await assert.rejects(client.runWorkflow({ workflowName: 'w' }), { code: 'response_format' });
  });

  it('refuses what makes no run before anything is sent', async () => {
    const client = await start({});
    for (const options of [
      { workflowName: '' },
      { workflowName: 'w', workflowLabelName: 'prod', workflowVersion: 1 },
      { workflowName: 'w', metadata: { a: 1 } },
      { workflowName: 'w', inputVariables: [] },
      { workflowName: 'w', workflowVersion: '3' },
      { workflowName: 'w', workflowLabelName: 3 },
    ]) {
      await assert.rejects(client.runWorkflow(options as RunWorkflowOptions), {
        code: 'validation',
      });
    }
    await assert.rejects(client.runWorkflow({ workflowName: 'w' }, { timeoutMs: 0 }), {
      code: 'validation',
    });
    assert.equal(service.calls.length, 0);
  });

  it('warns and gives null when failures do not throw, but a cancelled one does', async () => {
    await start({ start: () => ({ status: 404, body: { message: 'Gone.' } }) });
    const logger = new RecordingLogger();
    const quiet = new Client({
      apiKey: 'test-key',
      baseURL: service.url,
      environment: {},
      clock: new FakeClock(),
      logger,
      throwOnError: false,
    });
    assert.equal(await quiet.runWorkflow({ workflowName: 'w' }), null);
    assert.deepEqual(logger.messages('warn'), [
      'POST /workflows/w/run was answered with 404: Gone.',
    ]);
    const signal = AbortSignal.abort();
    await assert.rejects(quiet.runWorkflow({ workflowName: 'w' }, { signal }), {
      code: 'cancelled',
    });
    await quiet.close();
  });
});
