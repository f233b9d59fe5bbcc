/**
 * Every provider, asked with and without parameters that would steer the call: to the last byte the
 * same request. A provider that is registered and not among the rows makes this fail.
 */
import assert from 'node:assert/strict';
import { Template } from '../../../../src/api/template.ts';
import { argumentsFor } from '../../../../src/core/kwargs/arguments-for.ts';
import { silentLogger } from '../../../../src/core/logger.ts';
import type { ProviderContext, ProviderRequest } from '../../../../src/core/providers/provider.ts';
import { findProvider, providerNames } from '../../../../src/core/providers/registry.ts';
import { modelCallOf } from '../../../../src/core/run/model-call.ts';
import { addressesAt, canaryKeys } from '../../../support/canaries/keys.ts';
import {
  everyParameter,
  nestings,
  spellings,
  steeringWords,
} from '../../../support/canaries/parameters.ts';
import { FakeClock } from '../../../support/http/fake-clock.ts';
import type { CanaryRow } from '../../../support/providers/canary-rows.ts';
import { canaryRows } from '../../../support/providers/canary-rows.ts';

const bait = { url: 'http://127.0.0.1:9', mark: 'bait-7e1a' };

/** As providers see it that nobody has given another address: but two, which have none of their own. */
const environments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'at its own address': {
    ...canaryKeys,
    AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com',
    VERTEX_AI_PROJECT_ID: 'project-1',
  },
  'at the address of the environment': { ...canaryKeys, ...addressesAt('http://127.0.0.1:8') },
  'with keys that sign': Object.fromEntries(
    Object.entries({ ...canaryKeys, ...addressesAt('http://127.0.0.1:8') }).filter(
      ([name]) => name !== 'AWS_BEARER_TOKEN_BEDROCK',
    ),
  ),
};

function contextOf(environment: Readonly<Record<string, string>>): ProviderContext {
  const variable = async (...names: readonly string[]) =>
    names.map((name) => environment[name]).find((value) => value !== undefined);
  return {
    clock: new FakeClock(),
    logger: { ...silentLogger },
    signal: undefined,
    isStranger: false,
    variable,
    secret: variable,
    requireSecret: async (...names) => (await variable(...names)) ?? assert.fail(names.join()),
    hide: () => undefined,
    fetchJson: async () => assert.fail('nothing is sent'),
    fetchBytes: async () => assert.fail('nothing is sent'),
  };
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => value as Fields;

function templateOf(row: CanaryRow, kwargs: Fields, parameters: Fields): Template {
  const made = fieldsOf(row.template({ llm_kwargs: { ...row.kwargs, ...kwargs } }));
  const metadata = fieldsOf(made['metadata']);
  return Template.parse({
    ...made,
    metadata: { ...metadata, model: { ...fieldsOf(metadata['model']), parameters } },
  });
}

async function prepared(
  template: Template,
  environment: Readonly<Record<string, string>>,
  stream = false,
): Promise<ProviderRequest> {
  const call = modelCallOf(template, { stream, throwOnError: true, logger: silentLogger });
  return (await findProvider(call)).prepare(call, contextOf(environment));
}

/** Added to what the row has under the same name, so that nothing that belongs there goes. */
function merged(row: CanaryRow, added: Fields): Fields {
  const own = fieldsOf(row.kwargs);
  return Object.fromEntries(
    Object.entries(added).map(([name, value]) => [
      name,
      typeof own[name] === 'object' && own[name] !== null
        ? { ...own[name], ...fieldsOf(value) }
        : value,
    ]),
  );
}

describe('core: every provider, asked with parameters that would steer the call', () => {
  it('is among those that are tried here', () => {
    const tried = new Set(canaryRows.map(({ provider }) => provider));
    assert.deepEqual(
      providerNames.filter((name) => !tried.has(name)),
      [],
    );
  });

  for (const row of canaryRows) {
    it(`${row.provider} (${row.title}): comes to the same request`, async () => {
      const places = Object.values(nestings);
      for (const [number, environment] of Object.values(environments).entries()) {
        for (const [at, nest] of places.entries()) {
          const stream = (at + number) % 2 === 0;
          const empty = merged(row, nest({}));
          const before = await prepared(templateOf(row, empty, {}), environment, stream);
          for (const spelling of [at, at + number + 1]) {
            const baits = nest(everyParameter(bait, spelling));
            const template = templateOf(row, merged(row, baits), baits);
            assert.deepEqual(await prepared(template, environment, stream), before);
          }
        }
        const before = await prepared(templateOf(row, {}, {}), environment);
        for (const [at, { words, value }] of steeringWords.entries()) {
          const name = spellings[at % spellings.length]?.(words) ?? '';
          const baits = { [name]: value(bait) };
          const after = await prepared(templateOf(row, baits, baits), environment);
          assert.deepEqual(after, before, name);
        }
      }
    });

    it(`${row.provider} (${row.title}): comes to the same arguments`, async () => {
      const { metadata, prompt_template: prompt } = templateOf(row, {}, {});
      const { provider, name, api_type: api } = fieldsOf(metadata?.['model']);
      const argumentsWith = (parameters: Fields) =>
        argumentsFor(
          prompt,
          {
            ...{ provider: String(provider), name: String(name), parameters },
            apiType: typeof api === 'string' ? api : undefined,
          },
          {},
        );
      for (const [at, nest] of Object.values(nestings).entries()) {
        for (const spelling of [at, at + 3]) {
          assert.deepEqual(
            argumentsWith(nest(everyParameter(bait, spelling))),
            argumentsWith(nest({})),
          );
        }
      }
    });
  }

  const hostile = [
    '..',
    '.',
    '',
    '../../evil',
    'a/../../../evil',
    './a',
    'a//b',
    '/evil',
    '//evil.example/x',
    'https://evil.example/x',
    '@evil.example',
    'a@evil.example:80/x',
    'a?x=1',
    'a#b',
    'a?key=1#b',
    'a\\..\\..\\b',
    '%2e%2e/%2e%2e/evil',
    '..%2f..%2fevil',
    '%2F%2Fevil.example',
    'a;b=c',
    'a\r\nHost: evil.example',
    'a\0b',
    'a b',
    '\ud800',
    '\u2024\u2024/evil',
    'projects/../../x',
    'projects/p/locations/l/endpoints/../../../../evil',
    'publishers/google/models/../../../../../evil',
    'models/../../evil',
    'arn:aws:bedrock:us-east-1:1:inference-profile/../../x',
    'claude/../../x',
    'gemini/../..',
  ];
  for (const row of canaryRows) {
    it(`${row.provider} (${row.title}): no name of a model changes host or path`, async () => {
      for (const environment of Object.values(environments)) {
        const usual = new URL((await prepared(templateOf(row, {}, {}), environment)).url);
        let count = 0;
        for (const model of hostile) {
          const named = { model, ...('modelId' in row.kwargs && { modelId: model }) };
          const template = templateOf(row, named, {});
          const metadata = {
            ...template.metadata,
            model: { ...fieldsOf(template.metadata?.['model']), name: model },
          };
          let request: ProviderRequest;
          try {
            request = await prepared({ ...template, metadata }, environment);
          } catch (error) {
            assert.equal((error as { code?: string }).code, 'configuration', String(error));
            continue;
          }
          count += 1;
          const url = new URL(request.url);
          assert.equal(url.href, request.url, 'nothing of it is resolved or rewritten');
          assert.equal(url.host, usual.host);
          assert.equal(url.username + url.password + url.hash, '');
          assert.equal(url.search, usual.search);
          // Claude at Vertex AI is asked in another version than Gemini.
          const [, first = ''] = usual.pathname.split('/');
          const fixed = `/${first.replace(/^v1beta1$/, 'v1')}`;
          assert.ok(url.pathname.startsWith(fixed), url.pathname);
          assert.doesNotMatch(url.pathname, /\/(?:\.|%2e){1,2}(?:\/|$)|\/\//i);
          assert.match(url.pathname, /^[\w/.:~%-]+$/);
        }
        assert.ok(count > 0);
      }
    });
  }
});
