import assert from 'node:assert/strict';
import { parseExact } from '../../../src/webview/column-form/exact-json.ts';

describe('JSON that is edited on a page', () => {
  it('keeps its numbers as they were written', () => {
    for (const json of [
      '[{"left_config":{"source":"a"},"operator":"=","right_config":{"value":9007199254740993}}]',
      '[1,1.0,1.50,1e3,-0,-0.0,1e400,0.1234567890123456789]',
      '{"a":{"b":[null,true,"12345678901234567891",12345678901234567891]}}',
      '12345678901234567891',
    ]) {
      assert.equal(JSON.stringify(parseExact(json)), json);
    }
  });
});
