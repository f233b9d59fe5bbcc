/**
 * Keys of every provider as canaries, and prompts, columns, nodes and drafts that name somebody
 * else's address in ways that are made up at random.
 */
import { Client, silentLogger } from '../../src/core/index.ts';
import type { Api } from '../service/support/api.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { SheetRun } from '../service/support/sheet-run.ts';
import { addressesAt, canaryKeys, canaryMark } from '../support/canaries/keys.ts';
import { nestings, steeringWords } from '../support/canaries/parameters.ts';
import type { Asked } from '../support/canaries/prompts.ts';
import { askedProviders, promptText, smuggled } from '../support/canaries/prompts.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { FakeService } from '../support/providers/fake-service.ts';
import { chatTemplate, startFakeService } from '../support/providers/fake-service.ts';
import type { Campaign } from './load.ts';
import { until } from '../support/until.ts';

const bait = 'bait-7e1a';

const below = (count: number): number => Math.floor(Math.random() * count);

const oneOf = <Item>(list: readonly Item[]): Item => list[below(list.length)] as Item;

/** Any case, any separator: `bAse--uRl`. */
const spelled = (words: readonly string[]): string =>
  words
    .map((word) => word.replaceAll(/[a-z]/g, (letter) => oneOf([letter, letter.toUpperCase()])))
    .join(oneOf(['', '_', '-', '.', ' ', '__']));

class Campaigner {
  readonly chosen: FakeProvider;
  readonly stranger: FakeProvider;
  readonly hosted: FakeService;
  readonly api: Api;
  readonly client: Client;
  /** Of a workspace that says where its custom provider is. */
  readonly workspace: Client;
  asked: Asked = oneOf(askedProviders);
  parameters = 0;
  count = 0;

  constructor(
    service: RunningService,
    parts: { chosen: FakeProvider; stranger: FakeProvider; hosted: FakeService },
  ) {
    ({ chosen: this.chosen, stranger: this.stranger, hosted: this.hosted } = parts);
    this.api = service.api;
    const found: Readonly<Record<string, string>> = {
      ...canaryKeys,
      ...addressesAt(this.chosen.url),
    };
    const open = (baseURL: string): Client =>
      new Client({
        ...{ apiKey: firstKey, baseURL, environment: {}, logger: silentLogger },
        providerEnvironment: (name) => found[name],
      });
    this.client = open(service.ready.url ?? '');
    this.workspace = open(this.hosted.url);
  }

  baits(): Readonly<Record<string, unknown>> {
    const list = Array.from({ length: 1 + below(12) }, () => oneOf(steeringWords));
    this.parameters += list.length;
    const made = Object.fromEntries(
      list.map(({ words, value }) => [
        spelled(words),
        value({ url: this.stranger.url, mark: bait }),
      ]),
    );
    return oneOf(Object.values(nestings))(made);
  }

  metadata(): object {
    const { provider, model: name } = this.asked;
    return { model: { provider, name, parameters: this.baits() } };
  }

  engine(): object {
    const { provider, model } = this.asked;
    return { provider, model, parameters: this.baits() };
  }

  inline(): object {
    return {
      inline_template: {
        ...{ inline: true, prompt_template: promptText('say {word}'), metadata: this.metadata() },
        ...smuggled(this.stranger.url, this.asked.provider),
      },
      prompt_template_variable_mappings: { word: 'Word' },
      ...(below(2) === 1 && { engine: this.engine() }),
    };
  }

  async publish(): Promise<string> {
    this.count += 1;
    const name = `canary ${String(this.count)}`;
    await this.api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: name },
      prompt_version: {
        ...{ prompt_template: promptText('say {word}'), metadata: this.metadata() },
        ...smuggled(this.stranger.url, this.asked.provider),
      },
    });
    return name;
  }

  async cells(): Promise<void> {
    const sheet = await SheetRun.of(this.api, 'Word\none\ntwo');
    const template = { name: await this.publish() };
    const mappings = { prompt_template_variable_mappings: { word: 'Word' } };
    await sheet.add('PROMPT_TEMPLATE', { template, ...mappings, engine: this.engine() }, 'A');
    await sheet.add('PROMPT_TEMPLATE', this.inline(), 'B');
    await sheet.run();
  }

  async nodes(): Promise<void> {
    this.count += 1;
    const name = `flow ${String(this.count)}`;
    await this.api.expect(201, 'POST', '/rest/workflows', {
      name,
      nodes: [
        {
          ...{ name: 'a', node_type: 'PROMPT_TEMPLATE', is_output_node: true },
          ...{ dependencies: ['Word'], configuration: this.inline() },
        },
      ],
      required_input_variables: { Word: 'string' },
    });
    const path = `/workflows/${encodeURIComponent(name)}/run`;
    const begun = await this.api.expect(201, 'POST', path, {
      input_variables: { Word: 'one' },
    });
    const id = String(begun['workflow_version_execution_id' as keyof typeof begun]);
    const results = `/workflow-version-execution-results?workflow_version_execution_id=${id}`;
    await until(
      'the run has ended',
      async () => (await this.api.call('GET', results)).status !== 202,
    );
  }

  async sdk(): Promise<void> {
    const runOptions = {
      promptName: await this.publish(),
      inputVariables: { word: 'one' },
      modelParameterOverrides: this.baits(),
    };
    if (below(2) === 0) await this.client.run(runOptions);
    else for await (const _ of await this.client.run({ ...runOptions, stream: true }));
  }

  async draft(): Promise<void> {
    await this.client.run({
      promptName: 'draft',
      promptBlueprint: {
        ...{ prompt_template: promptText('say {word}'), metadata: this.metadata() },
        ...smuggled(this.stranger.url, this.asked.provider),
      },
      ...(below(2) === 1 && { inputVariables: { word: 'one' } }),
    });
  }

  /** Here the stranger is meant, and gets its own key or none. */
  async custom(): Promise<void> {
    const { provider, model } = this.asked;
    const own = oneOf([{}, { api_key: 'key-of-the-service' }]);
    const custom = { id: 1, name: 'x', client: provider, base_url: `${this.chosen.url}/c`, ...own };
    const before = this.chosen.requests.length;
    this.hosted.templates.set(
      'greeting',
      chatTemplate({ provider, model, custom_provider: custom, metadata: this.metadata() }),
    );
    await this.workspace.run({ promptName: 'greeting' }).catch(() => undefined);
    const arrived = JSON.stringify(
      this.chosen.requests.slice(before).map(({ headers, path, text }) => [headers, path, text]),
    );
    if (arrived.includes(canaryMark)) throw new Error(`A custom provider got a key: ${arrived}`);
  }

  async close(): Promise<void> {
    await Promise.all([this.client.close(), this.workspace.close()]);
  }
}

export const canaries: Campaign = {
  name: 'canaries: keys of providers, and prompts that name an address',
  async run(untilMs) {
    let one: Campaigner | undefined;
    const chosen = await startFakeProvider(({ json, path }) =>
      (one?.asked ?? oneOf(askedProviders)).row.answer(
        json['stream'] === true || /stream/i.test(path),
        'fine',
      ),
    );
    const stranger = await startFakeProvider(() => ({ status: 400, body: {} }));
    const hosted = await startFakeService();
    const service = await RunningService.start({
      environment: { ...canaryKeys, ...addressesAt(chosen.url), PROMPT_TABLES_ALLOWED_HOSTS: '' },
    });
    const doors = new Map<string, number>();
    try {
      one = new Campaigner(service, { chosen, stranger, hosted });
      while (Date.now() < untilMs) {
        one.asked = oneOf(askedProviders);
        const door = oneOf(['cells', 'nodes', 'sdk', 'draft', 'custom'] as const);
        await one[door]();
        doors.set(door, (doors.get(door) ?? 0) + 1);
      }
    } finally {
      await one?.close();
      await service.stop();
      await Promise.all([chosen.close(), stranger.close(), hosted.close()]);
    }
    const strayed = JSON.stringify(stranger.requests.map(({ headers, text }) => [headers, text]));
    const baited = chosen.requests.filter((request) => JSON.stringify(request).includes(bait));
    return [
      ...[...doors].map(([door, value]) => ({ metric: `runs by ${door}`, value, unit: '' })),
      { metric: 'parameters that would steer a call', value: one.parameters, unit: '' },
      { metric: 'requests where the user has sent them', value: chosen.requests.length, unit: '' },
      { metric: 'requests anywhere else', value: stranger.requests.length, unit: '', limit: 0 },
      {
        metric: 'keys anywhere else',
        value: strayed.split(canaryMark).length - 1,
        unit: '',
        limit: 0,
      },
      { metric: 'requests that a parameter has changed', value: baited.length, unit: '', limit: 0 },
    ];
  },
};
