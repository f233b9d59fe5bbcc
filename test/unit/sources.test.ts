/** What the linter has no rule for. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const src = path.resolve(import.meta.dirname, '../../src');

const files = fs
  .readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'));
const textOf = (file: string): string => fs.readFileSync(path.join(src, file), 'utf8');

/** Times of day are compared here, which others have written down: files, tokens, rows. */
const timesOfDay = [
  'core/http/delay.ts',
  'extension/grid/edit/journal-files.ts',
  'extension/grid/edit/saving.ts',
  'extension/import/picked-file.ts',
  'extension/prompts/publish-locks.ts',
  'extension/kept-runs/run-history.ts',
  'extension/run-panel/ended.ts',
  'extension/workflow-panel/ended.ts',
  'service/engine/kept-calls.ts',
  'service/workflows/channel-token.ts',
];

describe('sources', () => {
  it('measure how long something takes by a clock that nobody sets', () => {
    const compared = /Date\.now\(\)\s*[-+<>]|[-+<>]=?\s*Date\.now\(\)/;
    const found = files.filter((file) => compared.test(textOf(file)));
    assert.deepEqual(
      found.filter((file) => !timesOfDay.includes(file)),
      [],
    );
  });

  it('ask by the questions that stay when a page takes the focus late', () => {
    const asks = /window\s*\.(?:showQuickPick|showInputBox|createQuickPick|createInputBox)\b/;
    assert.deepEqual(
      files.filter((file) => asks.test(textOf(file))),
      [path.join('extension', 'shell', 'questions.ts')],
    );
  });

  it('give VS Code titles and messages through what makes them plain, as the linter asks of the rest', () => {
    const ways: readonly (readonly [way: RegExp, only: string])[] = [
      [/window\s*\.\s*withProgress\b/, 'progress.ts'],
      [/'vscode\.diff'/, 'shown.ts'],
      [/\.createTestItem\(/, 'shown.ts'],
      [/\bitem\.(?:label|description|text|error) = (?!undefined)/, 'shown.ts'],
      [/\.appendOutput\((?!\s*outputLines\()/, 'none'],
    ];
    for (const [way, only] of ways) {
      const found = files.filter((file) => way.test(textOf(file)));
      assert.deepEqual(
        found,
        only === 'none' ? [] : [path.join('extension', 'shell', only)],
        String(way),
      );
    }
  });

  it('name no address on the internet but those of models, of PromptLayer, and of a namespace', () => {
    const known = [
      /^(?:127\.0\.0\.1|localhost|host|user|\.)$/,
      /(?:^|\.)promptlayer\.com\.?$/,
      /(?:^|\.)(?:openai|anthropic|cohere|groq|deepseek)\.com$/,
      /^my-resource\.openai\.azure\.com\.?$/,
      /^(?:api\.mistral\.ai|api\.x\.ai|openrouter\.ai)$/,
      // Google's models, and the right to ask them; Amazon's, whose host begins with the service.
      /^(?:aiplatform|generativelanguage|www)\.googleapis\.com$/,
      /^(?:aiplatform|bedrock-runtime)\.$/,
      /^www\.w3\.org$/,
      // Reserved for examples.
      /(?:^|\.)example\.com$/,
      // A page of VS Code's own help that is linked to, not asked.
      /^code\.visualstudio\.com$/,
    ];
    const strangers = files.flatMap((file) =>
      [...textOf(file).matchAll(/https?:\/\/([A-Za-z0-9.-]*[A-Za-z0-9][A-Za-z0-9.-]*)/g)]
        .map(([, host = '']) => host)
        .filter((host) => !known.some((one) => one.test(host)))
        .map((host) => `${file}: ${host}`),
    );
    assert.deepEqual(strangers, []);
    const { dependencies = {} } = JSON.parse(
      fs.readFileSync(path.resolve(src, '../package.json'), 'utf8'),
    ) as { dependencies?: Readonly<Record<string, string>> };
    const reporting = Object.keys(dependencies).filter((name) =>
      /telemetry|analytics|sentry|insights|posthog|segment|amplitude/i.test(
        name.replace('@opentelemetry/', ''),
      ),
    );
    assert.deepEqual(reporting, []);
  });

  it("write import * as z from 'zod', of which a bundler keeps only what is used", () => {
    const whole = files.filter((file) => /^import \{[^}]*\} from 'zod';/m.test(textOf(file)));
    assert.ok(files.length > 300);
    assert.deepEqual(whole, []);
  });
});

describe('tests', () => {
  const folder = path.resolve(import.meta.dirname, '..');
  const own = path.join('support', 'until.ts');
  const all = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== own && !file.endsWith('sources.test.ts'));
  /** Lines of tests that are like this, outside of texts that other programs run. */
  const linesLike = (pattern: RegExp): readonly string[] =>
    all.flatMap((file) =>
      fs
        .readFileSync(path.join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => pattern.test(line.replaceAll(/'[^']*'|`[^`]*`/g, "''")))
        .map((line) => `${file}: ${line.trim()}`),
    );

  it('wait by the one `until`, which ends, and says what was waited for', () => {
    assert.ok(all.length > 500);
    const ways = [
      // Another one of the same kind.
      /\b(?:function (?:until|waitFor|waitUntil|eventually|poll)\b|const (?:until|waitFor|waitUntil|eventually|poll) = (?:async )?\()/,
      // Looks again and again, with or without an end.
      /\bwhile \(!?\(+await\b(?!.*\.next\()/,
      /\bwhile \(.*\)\s+await (?:pause|delay|sleep|new Promise|[\w.()]+\.waitForTimeout)/,
      /\bassert\.ok\((?:Date|performance)\.now\(\) < (?:end|deadline|until)\b/,
      /\bif \((?:Date|performance)\.now\(\) > (?:end|deadline|until)\b/,
    ];
    assert.deepEqual(ways.flatMap(linesLike), []);
  });
});
