import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  ConfigurationError,
  NotLoggedError,
  TimeoutError,
  ValidationError,
} from '../../../../src/core/errors.ts';
import { failureFromAnswer, failureFromThrown } from '../../../../src/core/http/failure.ts';
import { ProviderError } from '../../../../src/core/providers/provider-error.ts';
import { coreHints, hintOf, messageOf } from '../../../../src/extension/shell/error-words.ts';
import { t } from '../words.ts';

type Said = Parameters<typeof messageOf>[0];
const facts = { method: 'GET', path: '/tables' };
const reported = (error: unknown): readonly (string | undefined)[] => [
  messageOf(error as Said, t),
  hintOf(error as Said, t),
];

/** Says nothing in English, so that what stays as it was is seen. */
const german: Parameters<typeof messageOf>[1] = (message, ...args) => `[${t(message, ...args)}]`;

const asTheCoreSays: readonly (readonly [message: string, pieces: readonly string[]])[] = [
  ['GET /tables got no whole answer: reset.', [' got no whole answer: ']],
  ['GET /tables timed out: ETIMEDOUT.', [' timed out: ']],
  ['GET /tables got no whole answer within 60 seconds.', [' got no whole answer within ']],
  ['openai: nothing came for 600 seconds.', [': nothing came for ', ' seconds.']],
  ['GET /tables was answered with 500: no.', [' was answered with ']],
  ['No server answers at http://localhost:11434.', ['No server answers at ']],
  ['No server answers at http://a.b in time.', ['No server answers at ', ' in time']],
  [
    'No server answers at http://a.b: its name is not known.',
    ['No server answers at ', ': its name is not known'],
  ],
  [
    'No server answers at http://a.b: the name server does not answer.',
    ['No server answers at ', ': the name server does not answer'],
  ],
  ['POST /rows was refused: no.', [' was refused: ']],
  ['GET /tables could not be sent: bad header.', [' could not be sent: ']],
  ['GET /tables failed: no secure connection: expired.', [' failed: no secure connection: ']],
  [
    'GET /t failed: the proxy asks for a user name and password, or refuses the ones given (407).',
    [' failed: the proxy asks for a user name and password, or refuses the ones given (407).'],
  ],
  [
    'GET /t failed: the proxy could not reach the service (502).',
    [' failed: the proxy could not reach the service ('],
  ],
  [
    'GET /t failed: the proxy does not allow the connection (403).',
    [' failed: the proxy does not allow the connection ('],
  ],
  [
    'GET /t was redirected (302) to /login; redirects are not followed.',
    [' was redirected (', '; redirects are not followed.'],
  ],
  [
    "The answer to GET /t (status 200) isn't valid: items: Expected a list.",
    ['The answer to ', ' (status ', ") isn't valid: "],
  ],
  ['The answer to GET /t (status 200) is a web page.', ['The answer to ', 'is a web page']],
  ['The answer to GET /t (status 200) is not JSON.', ['The answer to ', 'is not JSON']],
  [
    'The answer to GET /t is larger than the limit of 9 bytes.',
    ['is larger than the limit of ', ' bytes'],
  ],
  ['The answer of openai is not JSON.', ['The answer of ', ' is not JSON.']],
  [
    'openai stopped in the middle of its answer: overloaded.',
    [' stopped in the middle of its answer: '],
  ],
  [
    'openai closed the connection before its answer was complete.',
    [' closed the connection before its answer was complete.'],
  ],
  [
    'Reading the list of tables was stopped, because the service sent a cursor that repeats.',
    ['Reading the list of ', ' was stopped, because '],
  ],
  ['The workflow "a" was not done within 60 seconds.', [' was not done within ', ' seconds.']],
  ['The workflow "a" gave no result: no output.', [' gave no result: ']],
  ['There is no key for google.', ['There is no key for ']],
  ['There is no endpoint for openai.azure.', ['There is no endpoint for ']],
  ['The provider "x" isn\'t supported.', ['The provider "', '" isn\'t supported.']],
  [
    'There is no Google Cloud project for vertexai.',
    ['There is no Google Cloud project for vertexai.'],
  ],
  ["The Google credentials can't be used. Gone.", ["The Google credentials can't be used."]],
  ['The Google credentials are not JSON.', ['The Google credentials are not JSON.']],
  ["The AWS region isn't a valid region name.", ["The AWS region isn't a valid region name."]],
  [
    'The input variable "a" fills a placeholder: give a list of messages.',
    ['The input variable "', '" fills a placeholder: give a list of messages'],
  ],
  [
    'The input variable "a" holds tools: give a list of { name }.',
    ['The input variable "', '" holds tools: give a list of { name'],
  ],
  [
    'The input variable "a" holds media: give a list of URLs.',
    ['The input variable "', '" holds media: give a list of URLs'],
  ],
  [
    'This text can\'t be rendered here just as Jinja2 does (a macro). Use simpler Jinja in it: "{%".',
    ["This text can't be rendered here just as Jinja2 does (", '). Use simpler Jinja in it: "'],
  ],
  ['The model has answered, but the request was not logged. Away.', ['request was not logged. ']],
];

describe('errors of the core, as people read them', () => {
  it('are about the service, not about a path', () => {
    const answer = { status: 422, text: '{"message":"No such folder."}', retryAfter: undefined };
    const whole = { ...answer, location: '', sentCursor: false };
    const refused = failureFromAnswer('GET /tables', whole, {
      facts: { ...facts, status: 422 },
      now: 0,
    });
    assert.deepEqual(reported(refused), [
      'The service answered with 422: No such folder.',
      undefined,
    ]);
    const thrown = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    assert.deepEqual(reported(failureFromThrown('GET /tables', thrown, facts)), [
      'The service sent an incomplete response: connect ECONNREFUSED.',
      'Nothing listens there; check the address or start the service.',
    ]);
    const late = new TimeoutError('GET /tables got no whole answer within 60 seconds.', {
      ...facts,
      hint: 'The service may be busy; timeoutMs sets the limit.',
    });
    assert.match(
      reported(late).join(' '),
      /within 60 seconds\. .*promptTables\.requestTimeoutSeconds/,
    );
  });

  it('are about the provider, with the setting that there is', () => {
    const silent = new TimeoutError('openai: nothing came for 600 seconds.', {
      hint: 'The model may be busy; providerTimeoutMs sets the limit.',
    });
    assert.match(
      reported(silent).join(' '),
      /nothing for 600 seconds\. .*promptTables\.run\.providerTimeoutSeconds/,
    );
    const refused = new ProviderError('openai was answered with 429: Slow down.', {
      ...{ provider: 'openai', status: 429, errorType: 'PROVIDER_RATE_LIMIT' },
      hint: 'Wait a little, or raise the limit of your account.',
    });
    assert.equal(reported(refused)[0], 'openai answered with 429: Slow down.');
    const keyless = new ConfigurationError('There is no key for google.', {
      hint: 'Set GOOGLE_API_KEY or GEMINI_API_KEY.',
    });
    assert.deepEqual(reported(keyless), [
      'There is no key for google.',
      'Set GOOGLE_API_KEY or GEMINI_API_KEY.',
    ]);
    const unlogged = new NotLoggedError(
      'The model has answered, but the request was not logged. The service is away.',
      { result: 1, hint: 'The answer is in the field "result" of this error.' },
    );
    assert.deepEqual(reported(unlogged), [
      'The model has answered, but the request was not logged. The service is away.',
      'The response is shown anyway.',
    ]);
  });

  it('stay as they are when nothing better is known', () => {
    assert.deepEqual(reported(new ValidationError('Odd.', { hint: 'Even it.' })), [
      'Odd.',
      'Even it.',
    ]);
  });

  it('are those that the core has', () => {
    const core = path.join(import.meta.dirname, '../../../../src/core');
    const sources = fs
      .readdirSync(core, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => fs.readFileSync(path.join(core, file), 'utf8'))
      .join('\n');
    const quoted = Object.keys(coreHints(t)).filter((hint) => !sources.includes(hint));
    assert.deepEqual(quoted, []);
    // Each of these is one message of the core, with what it holds put in.
    for (const [message, pieces] of asTheCoreSays) {
      for (const piece of pieces) assert.ok(sources.includes(piece), piece);
      assert.ok(
        pieces.every((piece) => message.includes(piece)),
        message,
      );
      assert.notEqual(messageOf({ message, hint: undefined, path: undefined }, german), message);
    }
  });
});
