import assert from 'node:assert/strict';
import { allRoutes } from '../../../src/service/routes/all.ts';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** What the router takes for a path: a parameter is one segment. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split('/')
      .map((part) => (part.startsWith('{') ? '[^/]+' : escaped(part)))
      .join('/')}$`,
  );

describe('The routes of the service', () => {
  it('are in an order in which none takes the requests of a later one', () => {
    const endpoints = allRoutes.map(({ endpoint }) => endpoint);
    for (const [index, later] of endpoints.entries()) {
      const example = later.path.replaceAll(/\{\w+\}/g, 'some-value');
      const taker = endpoints
        .slice(0, index)
        .find(({ method, path }) => method === later.method && patternOf(path).test(example));
      assert.equal(taker?.path, undefined, `takes what is for ${later.method} ${later.path}`);
    }
  });
});
