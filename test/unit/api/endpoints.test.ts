import assert from 'node:assert/strict';
import { servedEndpoints } from '../../support/contract/endpoints.ts';

/** Parameters of a query without which there is no question. */
const required: Readonly<Record<string, object>> = {
  get_request_suggestions: { field: 'tags' },
  get_workflow_version_execution_results: { workflow_version_execution_id: '1' },
  cancel_workflow_version_execution: { workflow_version_execution_id: '1' },
  request_channel_token: { capability: 'c' },
  list_folder_entities: { workspace_id: '1' },
  resolve_folder_id: { workspace_id: '1', path: 'a' },
};

describe('endpoint declarations', () => {
  it('are all collected', () => {
    assert.ok(servedEndpoints.length >= 36, String(servedEndpoints.length));
  });

  it('have unique names, and unique methods and paths', () => {
    const unique = (keys: string[]): void => assert.equal(new Set(keys).size, keys.length);
    unique(servedEndpoints.map(({ name }) => name));
    unique(
      servedEndpoints.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
  });

  for (const endpoint of servedEndpoints) {
    it(`${endpoint.name} is consistent`, () => {
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(Object.keys(endpoint.params.shape).sort(), inPath.sort());
      assert.ok(endpoint.ok.length > 0 && endpoint.ok.every((code) => code >= 200 && code < 300));
      // A PATCH may make a new version each time; a span has an id of its own, and is kept once.
      if (endpoint.method !== 'PATCH') {
        const isKeptOnce = ['create_spans_bulk', 'ingest_otlp_traces'].includes(endpoint.name);
        assert.equal(endpoint.repeatable, endpoint.method !== 'POST' || isKeptOnce);
      }
      assert.ok(endpoint.summary.length > 0 && !endpoint.summary.endsWith('.'));
      const query = required[endpoint.name] ?? {};
      assert.equal(endpoint.query.safeParse(query).success, true, 'the rest is optional');
      if (endpoint.method === 'GET') {
        assert.equal(endpoint.body.safeParse(undefined).success, true);
        assert.equal(endpoint.body.safeParse({}).success, false);
      }
    });
  }
});
