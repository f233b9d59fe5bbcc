import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { ErrorAdvice, ErrorReason } from '../../../../src/core/errors/reason.ts';
import { advice, messageOf as englishOf, reasons } from '../../../../src/core/errors/reason.ts';
import { fill, textFor } from '../../../../src/core/errors/texts.ts';
import type { Entry } from '../../../../src/core/errors/texts.ts';
import { NotLoggedError, PromptTablesError, ValidationError } from '../../../../src/core/errors.ts';
import { failureFromAnswer, failureFromThrown } from '../../../../src/core/http/failure.ts';
import { Client } from '../../../../src/core/index.ts';
import { streamError, withoutSecrets } from '../../../../src/core/providers/provider-error.ts';
import { findProvider } from '../../../../src/core/providers/registry.ts';
import { unreachedError } from '../../../../src/core/providers/unreached.ts';
import { renderText } from '../../../../src/core/templates/render-text.ts';
import { judge } from '../../../../src/core/workflows/outputs.ts';
import type { Language } from '../../../../src/extension/shell/error-words/index.ts';
import { hintOf, messageOf } from '../../../../src/extension/shell/error-words/index.ts';
import { english, german, japanese } from '../languages.ts';

const root = path.join(import.meta.dirname, '../../../..');

const numbers = ['status', 'seconds', 'bytes', 'count', 'found', 'given', 'page', 'megabytes'];
const lists = ['names', 'known'];

/** What a kind is filled in with: for each value, what must be seen where it is shown. */
function samplesOf(kind: string, entry: Entry): readonly (object & { kind: string })[] {
  const text = 'text' in entry ? entry.text : 'sdk' in entry ? entry.sdk : entry.program;
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const whole = Object.fromEntries(
    names.map((name, at) => [
      name,
      numbers.includes(name) ? 7_001 + at : lists.includes(name) ? ['Q1', 'Q2'] : `<${name}>`,
    ]),
  );
  const isOptional = (name: string): boolean => ['words', 'location', 'place'].includes(name);
  const bare = Object.entries(whole).map(([name, value]) => [name, isOptional(name) ? '' : value]);
  const hasBare = names.some(isOptional) && !('program' in entry);
  return [
    { ...whole, kind },
    ...(hasBare && 'bare' in entry
      ? [{ ...Object.fromEntries(bare), kind } as { kind: string }]
      : []),
  ];
}

const valuesIn = (text: string): readonly string[] =>
  [...new Set(text.match(/<\w+>|70\d\d|Q\d/g))].sort();

/** Options and fields of the SDK, which nobody can set in the editor. */
const sdkWords =
  /\b(?:timeoutMs|providerTimeoutMs|maxBodyBytes|apiKey|baseURL|promptName|field "|of this error|GET|POST)\b/;

const everyKind = (
  table: Readonly<Record<string, Entry>>,
  say: (sample: { kind: string }, language: Language) => string,
  path_: string | undefined,
): void => {
  for (const [kind, entry] of Object.entries(table)) {
    for (const sample of samplesOf(kind, entry)) {
      const [en, de, ja] = [english, german, japanese].map((language) => say(sample, language)) as [
        string,
        string,
        string,
      ];
      const where = `${kind} (${path_ ?? 'no path'}): ${en} | ${de} | ${ja}`;
      if ('program' in entry) {
        assert.deepEqual([de, ja], [en, en], where);
        continue;
      }
      assert.notEqual(de, en, where);
      assert.notEqual(ja, en, where);
      assert.deepEqual(valuesIn(de), valuesIn(en), where);
      assert.deepEqual(valuesIn(ja), valuesIn(en), where);
      assert.doesNotMatch(en, sdkWords, where);
      for (const text of [en, de, ja])
        assert.doesNotMatch(text, /\{\w+\}|[.。]{2}|undefined/, where);
      // What programs and people share says everything there is.
      if ('text' in entry) {
        const written = fill(textFor(entry, sample), sample);
        assert.deepEqual(valuesIn(en), valuesIn(written), where);
      }
    }
  }
};

const shown = (error: unknown, language: Language): string => {
  assert.ok(error instanceof PromptTablesError, String(error));
  const hint = hintOf(error, language);
  return hint === undefined ? messageOf(error, language) : `${messageOf(error, language)} ${hint}`;
};

async function thrownBy(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}

const facts = { method: 'GET', path: '/tables' };
const refusedBy = (status: number, text: string): PromptTablesError =>
  failureFromAnswer(
    'GET /tables',
    { status, text, retryAfter: undefined, location: '', sentCursor: false },
    { facts: { ...facts, status }, now: 0 },
  );
const fault = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

/** Thrown by the code itself; the whole text in English, and a piece of the German one. */
const thrown: readonly (readonly [() => unknown, string, RegExp])[] = [
  [
    () => refusedBy(422, '{"message":"No such folder."}'),
    'The service answered with 422: No such folder.',
    /^Der Dienst antwortete mit 422: No such folder\.$/,
  ],
  [() => refusedBy(500, ''), 'The service answered with 500.', /500/],
  [
    () => refusedBy(401, '{"message":"no"}'),
    'The service answered with 401: no. Check the API key.',
    /401: no\. /,
  ],
  [
    () => failureFromThrown('GET /tables', fault('ECONNREFUSED'), facts),
    'The service sent an incomplete response: connect ECONNREFUSED. Nothing listens there; check the address or start the service.',
    /ECONNREFUSED\. /,
  ],
  [
    () => failureFromThrown('GET /tables', fault('ENOENT'), facts),
    'The service sent an incomplete response: connect ENOENT. The socket does not exist; start the local service.',
    /Der Socket ist nicht vorhanden/,
  ],
  [
    () => thrownBy(() => new Client({ environment: {}, apiKey: 'schlüssel' })),
    'The API key holds a character that no key has. Copy the key again, without spaces, quotes and line breaks.',
    /^Der API-Schlüssel/,
  ],
  [
    () => thrownBy(() => new Client({ environment: {}, apiKey: 'pl_1', baseURL: 'ftp://host' })),
    "The address of the service doesn't start with https:// or http://. Enter an address such as https://api.promptlayer.com.",
    /Geben Sie eine Adresse wie https:\/\/api\.promptlayer\.com ein\.$/,
  ],
  [
    () => thrownBy(() => renderText('{% macro x() %}', 'jinja2', {}, [])),
    'This text can\'t be rendered here: a block without endmacro. Use simpler Jinja in it: "{% macro x() %}".',
    /einfacheres Jinja: „\{% macro/,
  ],
  [
    () => streamError('openai', { error: { message: 'Overloaded.' } }),
    'openai stopped in the middle of its answer: Overloaded.',
    /^openai hat die Antwort abgebrochen: Overloaded\.$/,
  ],
  [
    () =>
      unreachedError(
        Object.assign(fault('ECONNREFUSED'), { syscall: 'connect', port: 11_434 }),
        new URL('http://localhost:11434/v1'),
        'ollama',
      ),
    'No server answers at http://localhost:11434. Start Ollama (ollama serve), then run this again.',
    /^Unter http:\/\/localhost:11434 antwortet kein Server\. /,
  ],
  [
    () =>
      thrownBy(() =>
        judge(
          {
            a: {
              status: 'FAILED',
              value: null,
              error_message: 'Too long.',
              raw_error_message: null,
              is_output_node: true,
            },
          },
          { what: 'The workflow "w"', executionId: 1, returnAllOutputs: false, redact: String },
        ),
      ),
    'The workflow returned no result: node "a": Too long. Each node shows its result.',
    /"a": Too long\. /,
  ],
];

describe('errors of the core, as people read them', () => {
  it('have words in English, German and Japanese for every reason, with all its values', () => {
    for (const path_ of ['/tables', undefined]) {
      const say = (reason: { kind: string }, language: Language): string =>
        messageOf(
          {
            ...{ message: 'unused', hint: undefined, advice: undefined, cause: undefined },
            reason: reason as ErrorReason,
            path: path_,
          },
          language,
        );
      everyKind(reasons, say, path_);
    }
  });

  it('have words in English, German and Japanese for everything they advise', () => {
    const say = (given: { kind: string }, language: Language): string =>
      hintOf({ hint: 'unused', advice: given as ErrorAdvice }, language) ?? '';
    everyKind(advice, say, undefined);
  });

  for (const [throwIt, expected, inGerman] of thrown) {
    it(`are about what happened, not about the code: ${expected}`, async () => {
      const error = await throwIt();
      assert.equal(shown(error, english), expected);
      assert.match(shown(error, german), inGerman);
      assert.notEqual(shown(error, japanese), expected);
    });
  }

  it('name the setting in the place of the option', () => {
    const late = (kind: 'no-answer-within' | 'silent', about: typeof facts | object) =>
      new PromptTablesError(
        'timeout',
        { kind, what: 'x', seconds: 60 },
        {
          ...about,
          hint: { kind: kind === 'silent' ? 'raise-provider-timeout' : 'raise-timeout' },
        },
      );
    assert.match(
      shown(late('no-answer-within', facts), german),
      /60 .*promptTables\.requestTimeoutSeconds/,
    );
    assert.match(
      shown(late('silent', {}), german),
      /60 .*promptTables\.run\.providerTimeoutSeconds/,
    );
  });

  it('say in the same language why an answer was not logged', () => {
    const cause = refusedBy(403, '{"message":"no"}');
    const error = new NotLoggedError(
      { kind: 'not-logged', words: 'GET /tables was answered with 403: no.' },
      { result: 1, cause },
    );
    const german_ = shown(error, german);
    assert.ok(german_.includes(shown(cause, german)), german_);
    assert.doesNotMatch(german_, /GET/);
  });

  it('choose from names as the language does', () => {
    const say = (language: Language): string =>
      hintOf(
        { hint: '', advice: { kind: 'set-variable', names: ['A_KEY', 'B_KEY', 'C_KEY'] } },
        language,
      ) ?? '';
    assert.equal(say(english), 'Set A_KEY, B_KEY, or C_KEY.');
    assert.match(say(german), /A_KEY, B_KEY oder C_KEY/);
    assert.match(say(japanese), /A_KEY、B_KEY、またはC_KEY/);
  });

  it('stay as they are when somebody else has worded them, or another version of the core', () => {
    const own = new ValidationError('Sonderbar.', { hint: 'Auch das.' });
    assert.equal(shown(own, german), 'Sonderbar. Auch das.');
    assert.equal(own.reason, undefined);
    const newer = Object.assign(new ValidationError('Newer.'), {
      reason: { kind: 'toString', what: 'x' },
    });
    assert.equal(shown(newer, german), 'Newer.');
  });

  it('do not read what others say as places to fill in', () => {
    const reason = { kind: 'answered', what: '{status}', status: 400, words: '{what}.' } as const;
    assert.equal(englishOf(reason), '{status} was answered with 400: {what}.');
  });

  it('keep no secret in a reason', async () => {
    const error = streamError('openai', { error: { message: 'Bad key sk-secret.' } });
    const clean = withoutSecrets(error, (text) => text.replaceAll('sk-secret', '***'));
    assert.ok(clean instanceof PromptTablesError);
    assert.deepEqual(clean.reason, {
      ...{ kind: 'provider-stopped', provider: 'openai' },
      words: 'Bad key ***.',
    });
    const unknown = await thrownBy(() =>
      findProvider({ provider: 'nobody' } as Parameters<typeof findProvider>[0]),
    );
    assert.ok(unknown instanceof PromptTablesError);
    assert.equal(unknown.reason?.kind, 'unsupported-provider');
  });
});

/**
 * Classes of errors that are worded elsewhere: of files, of commands, causes of others, and what
 * Python says of a pattern.
 */
const notOurs = new Set([
  ...['Error', 'TypeError', 'FetchError', 'ProxyRefusal', 'EventFormatError', 'NoEventsError'],
  ...['ImportError', 'UsageError', 'BodyError', 'NotFaithful', 'PatternError'],
]);

describe('errors of core and api', () => {
  it('have a reason, and advise by kind, wherever one is thrown', () => {
    const wordy: string[] = [];
    for (const folder of ['src/core', 'src/api']) {
      for (const name of fs.readdirSync(path.join(root, folder), {
        recursive: true,
        encoding: 'utf8',
      })) {
        if (!name.endsWith('.ts')) continue;
        const code = fs.readFileSync(path.join(root, folder, name), 'utf8');
        const source = ts.createSourceFile(name, code, ts.ScriptTarget.ESNext, true);
        const visit = (node: ts.Node): void => {
          ts.forEachChild(node, visit);
          if (!ts.isNewExpression(node)) return;
          const made = node.expression.getText();
          if (!made.endsWith('Error') || notOurs.has(made)) return;
          const isText = (part: ts.Node): boolean =>
            ts.isStringLiteralLike(part) || ts.isTemplateExpression(part);
          const hasWords = (part: ts.Node): boolean =>
            ts.isObjectLiteralExpression(part) &&
            part.properties.some(
              (property) =>
                ts.isPropertyAssignment(property) &&
                property.name.getText() === 'hint' &&
                isText(property.initializer),
            );
          const given = node.arguments ?? [];
          const said = given[made === 'RenderError' ? 1 : 0];
          if (given.some(hasWords) || (said !== undefined && isText(said))) {
            wordy.push(`${folder}/${name}: ${node.getText().slice(0, 80)}`);
          }
        };
        visit(source);
      }
    }
    assert.deepEqual(wordy, []);
  });
});
