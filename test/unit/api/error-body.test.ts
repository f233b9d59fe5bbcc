import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ErrorResponse,
  readErrorBody,
  ValidationErrorResponse,
} from '../../../src/api/error-body.ts';

describe('error bodies', () => {
  const bodies: readonly (readonly [string, unknown, string | undefined, string | undefined])[] = [
    ['both texts', { success: false, message: 'Not found', error: 'E404' }, 'Not found', 'E404'],
    ['only a message', { success: false, message: 'No key' }, 'No key', undefined],
    ['only an error', { error: 'No key' }, 'No key', undefined],
    ['an empty message', { message: '  ', error: 'No key' }, 'No key', undefined],
    ['an object as error', { error: { code: 7 } }, '{"code":7}', undefined],
    [
      'a list of faults',
      { detail: [{ loc: ['query', 'limit'], msg: 'too large', type: 'x' }] },
      'query.limit: too large',
      undefined,
    ],
    [
      'two faults',
      { detail: [{ loc: ['body', 0], msg: 'a' }, { msg: 'b' }] },
      'body.0: a; b',
      undefined,
    ],
    ['a text as detail', { detail: 'Not authenticated' }, 'Not authenticated', undefined],
    ['plain text', 'upstream timed out\n', 'upstream timed out', undefined],
    ['empty text', '', undefined, undefined],
    ['an empty object', {}, undefined, undefined],
    ['null', null, undefined, undefined],
    ['an empty list of faults', { detail: [] }, undefined, undefined],
    ['faults that are no objects', { detail: [1, null] }, undefined, undefined],
  ];

  for (const [what, body, message, code] of bodies) {
    it(`reads ${what}`, () => assert.deepEqual(readErrorBody(body), { message, code }));
  }

  it('never throws and always answers a text or nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record(
            { message: fc.jsonValue(), error: fc.jsonValue(), detail: fc.jsonValue() },
            { requiredKeys: [] },
          ),
        ),
        (body) => {
          const { message, code } = readErrorBody(body);
          assert.ok(message === undefined || message.length > 0);
          assert.ok(code === undefined || code.length > 0);
        },
      ),
    );
  });

  it('are failures even when they do not say so', () => {
    assert.equal(ErrorResponse.parse({}).success, false);
    assert.equal(ErrorResponse.safeParse({ success: true }).success, false);
  });

  it('keep what else they hold', () => {
    const sent = { success: false, message: 'm', request_id: 'r', detail: [] };
    assert.deepEqual(ErrorResponse.parse(sent), sent);
    const validation = { detail: [{ loc: ['body'], msg: 'm', type: 't', ctx: { max: 100 } }] };
    assert.deepEqual(ValidationErrorResponse.parse(validation), validation);
  });
});
