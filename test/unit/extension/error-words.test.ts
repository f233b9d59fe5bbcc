import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  ConfigurationError,
  NotLoggedError,
  TimeoutError,
  ValidationError,
} from '../../../src/core/errors.ts';
import { failureFromAnswer, failureFromThrown } from '../../../src/core/http/failure.ts';
import { ProviderError } from '../../../src/core/providers/provider-error.ts';
import { coreHints, hintOf, messageOf } from '../../../src/extension/error-words.ts';
import { t } from './words.ts';

type Said = Parameters<typeof messageOf>[0];
const facts = { method: 'GET', path: '/tables' };
const told = (error: unknown): readonly (string | undefined)[] => [
  messageOf(error as Said, t),
  hintOf(error as Said, t),
];

describe('errors of the core, as people read them', () => {
  it('are about the service, not about a path', () => {
    const answer = { status: 422, text: '{"message":"No such folder."}', retryAfter: undefined };
    const whole = { ...answer, location: '', sentCursor: false };
    const refused = failureFromAnswer('GET /tables', whole, {
      facts: { ...facts, status: 422 },
      now: 0,
    });
    assert.deepEqual(told(refused), ['The service answered with 422: No such folder.', undefined]);
    const thrown = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    assert.deepEqual(told(failureFromThrown('GET /tables', thrown, facts)), [
      'The service gave no whole answer: connect ECONNREFUSED (ECONNREFUSED)',
      'Nothing listens there; check the address or start the service.',
    ]);
    const late = new TimeoutError('GET /tables got no whole answer within 60 seconds.', {
      ...facts,
      hint: 'The service may be busy; timeoutMs sets the limit.',
    });
    assert.match(told(late).join(' '), /within 60 seconds\. .*promptTables\.requestTimeoutSeconds/);
  });

  it('are about the provider, with the setting that there is', () => {
    const silent = new TimeoutError('openai: nothing came for 600 seconds.', {
      hint: 'The model may be busy; providerTimeoutMs sets the limit.',
    });
    assert.match(
      told(silent).join(' '),
      /nothing for 600 seconds\. .*promptTables\.run\.providerTimeoutSeconds/,
    );
    const refused = new ProviderError('openai was answered with 429: Slow down.', {
      ...{ provider: 'openai', status: 429, errorType: 'PROVIDER_RATE_LIMIT' },
      hint: 'Wait a little, or raise the limit of your account.',
    });
    assert.equal(told(refused)[0], 'openai answered with 429: Slow down.');
    const keyless = new ConfigurationError('There is no key for google.', {
      hint: 'Set GOOGLE_API_KEY or GEMINI_API_KEY.',
    });
    assert.deepEqual(told(keyless), [
      'There is no key for google.',
      'Set GOOGLE_API_KEY or GEMINI_API_KEY.',
    ]);
    const unlogged = new NotLoggedError(
      'The model has answered, but the request was not logged. The service is away.',
      { result: 1, hint: 'The answer is in the field "result" of this error.' },
    );
    assert.deepEqual(told(unlogged), [
      'The model has answered, but the request was not logged. The service is away.',
      'The answer is here all the same.',
    ]);
  });

  it('stay as they are when nothing better is known', () => {
    assert.deepEqual(told(new ValidationError('Odd.', { hint: 'Even it.' })), ['Odd.', 'Even it.']);
  });

  it('are those that the core has', () => {
    const core = path.join(import.meta.dirname, '../../../src/core');
    const sources = fs
      .readdirSync(core, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => fs.readFileSync(path.join(core, file), 'utf8'))
      .join('\n');
    const phrases = [
      ...Object.keys(coreHints(t)),
      ...['got no whole answer: ', 'got no whole answer within ', 'nothing came for '],
      ...['There is no key for ', 'request was not logged. ', ' was answered with '],
    ];
    assert.deepEqual(
      phrases.filter((phrase) => !sources.includes(phrase)),
      [],
    );
  });
});
