import assert from 'node:assert/strict';
import { unservedCalls } from '../../src/service/http/unserved.ts';
import { contract } from '../support/contract/description.ts';
import { servedEndpoints } from '../support/contract/endpoints.ts';

const withoutNames = (call: string): string => call.replaceAll(/\{\w+\}/g, '{}');

contract('what of the public description is not served', (description) => {
  const served = new Set(
    servedEndpoints.map(({ method, path }) => withoutNames(`${method} ${path}`)),
  );
  const missing = description
    .operationsBelow('')
    .filter((call) => !served.has(withoutNames(call)))
    .map(withoutNames);

  it('is known, each call of it, and nothing else', () => {
    const known = unservedCalls.map(({ method, path }) => withoutNames(`${method} ${path}`));
    assert.deepEqual([...known].sort(), [...missing].sort());
    assert.equal(known.length, 58);
  });
});
