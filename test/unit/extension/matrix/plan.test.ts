import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import {
  keptMatrices,
  MatrixJournal,
  pruneJournals,
} from '../../../../src/extension/matrix/journal.ts';
import { judgePrompt, judgmentIn } from '../../../../src/extension/matrix/judge.ts';
import type { Case, Column, Scorer } from '../../../../src/extension/matrix/plan.ts';
import { columnIdOf, missingOf } from '../../../../src/extension/matrix/plan.ts';
import type { LocalScorer } from '../../../../src/extension/matrix/scorers.ts';
import { scoreHere } from '../../../../src/extension/matrix/scorers.ts';
import { footOf, meanOf, shareOf } from '../../../../src/extension/matrix/statistics.ts';
import { columnOf, done, makeFolder, openMatrix, words } from './support.ts';

const unread = (error: unknown): void => assert.fail(String(error));
const caseOf = (values: Case['values'], title = 'Row 1'): Case => ({ id: 0, title, values });

describe('matrix: what is compared, and how it is scored', () => {
  it('takes the same prompt, model and parameters for one variant, however they are asked for', () => {
    const version = (rest: Partial<Column> = {}): string =>
      columnIdOf({
        source: { kind: 'version', promptName: 'a', version: 3, choice: { kind: 'latest' } },
        ...{ provider: 'openai', modelName: 'gpt', variables: [] },
        ...rest,
      });
    const label = { kind: 'label' as const, label: 'prod' };
    const source = { kind: 'version' as const, promptName: 'a', version: 3, choice: label };
    assert.equal(version({ source }), version());
    assert.equal(version({ model: { provider: 'openai', name: 'gpt' } }), version());
    assert.equal(version({ parameters: {} }), version());
    assert.equal(version({ parameters: { a: 1, b: 2 } }), version({ parameters: { b: 2, a: 1 } }));
    const others = [
      version({ source: { ...source, version: 4 } }),
      version({ source: { ...source, promptName: 'b' } }),
      version({ modelName: 'gpt-2' }),
      version({ provider: 'azure' }),
      version({ parameters: { temperature: 0 } }),
      columnOf('Say', 'openai', 'gpt').id,
      columnOf('Tell', 'openai', 'gpt').id,
    ];
    assert.equal(new Set([...others, version()]).size, others.length + 1);
  });

  it('names every variable that a case lacks, and takes names without regard to capitals', () => {
    const column = columnOf('Say', 'openai', 'gpt');
    const media = { name: 'picture', kind: 'text' as const, text: '', as: 'media' as const };
    const columns = [
      { ...column, variables: [...column.variables, media] },
      { ...column, variables: [{ name: 'tone', kind: 'text' as const, text: '' }] },
    ];
    assert.deepEqual(
      missingOf(columns, [
        caseOf({ Word: 'x', TONE: '' }),
        caseOf({ word: null }, 'Row 2'),
        caseOf({ tone: 'kind' }, 'Row 3'),
      ]),
      [
        { title: 'Row 2', names: ['word', 'tone'] },
        { title: 'Row 3', names: ['word'] },
      ],
    );
  });

  it('scores by equality, text, pattern and schema, and says what it could not find out', () => {
    const one = caseOf({ expected: 'Yes', number: 12 });
    const scored = (scorer: Omit<LocalScorer, 'id'>, text: string): unknown => {
      const { pass, problem } = scoreHere({ ...scorer, id: 's' } as LocalScorer, text, one, words);
      return pass ?? problem;
    };
    const schema = { type: 'object', required: ['a'] };
    const rows: readonly (readonly [object, string, unknown])[] = [
      [{ kind: 'equals', field: 'expected' }, ' Yes\n', true],
      [{ kind: 'equals', field: 'expected' }, 'yes', false],
      [{ kind: 'equals', field: 'number' }, '12', true],
      [{ kind: 'equals', field: 'absent' }, '12', 'The case has no value absent.'],
      [{ kind: 'contains', text: 'ice' }, 'on ice', true],
      [{ kind: 'contains', text: 'Ice' }, 'on ice', false],
      [{ kind: 'regex', pattern: '^\\d+$' }, '42', true],
      // As Python reads them.
      [{ kind: 'regex', pattern: '^(?P<word>\\w+)\\Z' }, 'über', true],
      [{ kind: 'regex', pattern: '^\\p{Lu}' }, 'über', 'bad escape \\p at position 1'],
      [{ kind: 'regex', pattern: '^(a+)+$' }, `${'a'.repeat(50)}!`, 'checking takes too long'],
      [{ kind: 'schema', schema }, '{"a":1}', true],
      [{ kind: 'schema', schema }, '{}', false],
      [{ kind: 'schema', schema }, 'no JSON', false],
    ];
    for (const [scorer, text, expected] of rows) {
      assert.deepEqual(scored(scorer as Omit<LocalScorer, 'id'>, text), expected, text);
    }
    assert.match(
      String(scored({ kind: 'regex', pattern: '(' } as never, 'x')),
      /unterminated subpattern/,
    );
  });

  it('asks a judge with the answer as it is, and takes true or false only', () => {
    const scorer: Extract<Scorer, { readonly kind: 'assertion' }> = {
      ...{ id: 's', kind: 'assertion', statement: 'It is polite.' },
      model: { provider: 'openai', name: 'gpt' },
    };
    const prompt = judgePrompt(scorer, 'Say {word}, {{ dear }}');
    assert.equal(prompt.isRendered, true);
    assert.match(
      JSON.stringify(prompt),
      /It is polite\.\\n\\nText:\\nSay \{word\}, \{\{ dear \}\}/,
    );
    const said = ['True', ' false.', 'I say: true', 'yes', ''].map(judgmentIn);
    assert.deepEqual(said, [true, false, true, undefined, undefined]);
  });

  it('gives shares and means with an interval that never leaves the scale', () => {
    const rounded = (value: ReturnType<typeof shareOf>) =>
      value && [value.mean, value.low, value.high].map((one) => Math.round(one * 1000) / 1000);
    // As in Wilson (1927) and every table made since.
    assert.deepEqual(rounded(shareOf(8, 10)), [0.8, 0.49, 0.943]);
    assert.deepEqual(rounded(shareOf(0, 10)), [0, 0, 0.278]);
    assert.deepEqual(rounded(shareOf(10, 10)), [1, 0.722, 1]);
    assert.equal(shareOf(0, 0), undefined);
    assert.deepEqual(rounded(meanOf([1, 1, 0, 1])), rounded(shareOf(3, 4)));
    assert.deepEqual(rounded(meanOf([0.5, 0.5])), [0.5, 0.171, 0.829]);
  });

  it('counts in a foot only what is known, and says of how many', async () => {
    const folder = await makeFolder();
    const column = columnOf('Say', 'one', 'x');
    const scorers = [{ id: 's', kind: 'contains' as const, text: '1' }];
    const matrix = await openMatrix({
      ...{ folder, columns: [column], cases: 4, scorers },
      ask: ({ case: one }) => {
        if (one.id === 3)
          return Promise.resolve({ answer: { ...done('').answer, state: 'failed' } });
        const asked = done(`answer ${one.id}`, 100 + one.id);
        return Promise.resolve(
          one.id === 2 ? { answer: { ...asked.answer, isCached: true, elapsedMs: 0 } } : asked,
        );
      },
      parts: {
        judge: ({ scorer, text, case: one }) =>
          Promise.resolve(scoreHere(scorer as LocalScorer, text, one, words)),
      },
    });
    await matrix.run();
    await matrix.cells.priced(100, 0.25);
    const { cells } = matrix;
    const facts = { scorerIds: ['s'], priceOf: cells.priceOf, firsts: 1 };
    const foot = footOf(column.id, cells.ofColumn(column), facts);
    const { passRate, score: _score, ...rest } = foot;
    assert.deepEqual(rest, {
      ...{ columnId: column.id, answered: 3, failed: 1, cut: 0, scored: 3, firsts: 1 },
      ...{ p50Ms: 5, p95Ms: 5, inputTokens: 6, outputTokens: 4, costUsd: 0.25, priced: 1 },
    });
    assert.equal(passRate?.mean, 1 / 3);
    await cells.close();
    assert.deepEqual(
      (await keptMatrices(folder, unread)).map(({ id, title }) => [id, title]),
      [[matrix.id, 'greeting']],
    );
    const file = path.join(folder, `${matrix.id}.jsonl`);
    await fs.utimes(file, 1, 1);
    await pruneJournals(folder);
    assert.deepEqual(await keptMatrices(folder, unread), []);
    await fs.rm(folder, { recursive: true, force: true });
  });

  it('refuses cases that its file has no room for, before any of them is asked for', async () => {
    const folder = await makeFolder();
    const journal = new MatrixJournal({ folder, id: 'm', t: words, largest: 2000 });
    await journal.open(() => undefined);
    const cases = [{ id: 0, title: 'Row 1', values: { word: 'x'.repeat(3000) } }];
    await assert.rejects(journal.add({ kind: 'cases', cases }), /too large to be kept/);
    await journal.add({ kind: 'noCases' });
    await journal.close();
    assert.equal(await fs.readFile(path.join(folder, 'm.jsonl'), 'utf8'), '{"kind":"noCases"}\n');
    await fs.rm(folder, { recursive: true, force: true });
  });
});
