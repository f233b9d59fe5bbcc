import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {
  markdownCode,
  markdownText,
  plainFileName,
  plainLine,
  plainLines,
  plainSentence,
} from '../../../../src/extension/shell/plain-text.ts';
import { hostileText as hostile, meaningsIn } from '../../../support/vscode-text.ts';
import { timeLimit } from '../../../support/time-limit.ts';

const long = fc
  .tuple(hostile, fc.constantFrom('x', ' ', '[', '$(', '👩‍🚀', '\n'), fc.nat(3000), hostile)
  .map(([head, filling, count, tail]) => head + filling.repeat(count) + tail);

const unseen = /[\p{Cc}\p{Bidi_C}\u200b\ufeff\u00ad\u3164]/u;

describe('text of strangers', function () {
  this.timeout(60_000);

  it('holds no link and no icon for VS Code, whatever it is made of and wherever it is cut', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, long), fc.integer({ min: 8, max: 1200 }), (given, longest) => {
        for (const show of [plainLine, plainSentence, plainLines]) {
          const shown = show(given, longest);
          assert.deepEqual(meaningsIn(shown), [], JSON.stringify(given));
          assert.doesNotMatch(shown, /\p{Cs}/u, JSON.stringify(shown));
          assert.ok(shown.replaceAll('\u2060', '').length <= longest);
          const control = show === plainLines ? shown.replace(/[\n\t]/g, '') : shown;
          assert.doesNotMatch(control, unseen, JSON.stringify(given));
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('stays plain within a sentence of ours, beside other text of strangers', () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const shown = plainSentence(`Delete ${one} [${other}](${one} of ${other}?`);
        assert.deepEqual(meaningsIn(shown), [], JSON.stringify(one + other));
      }),
      { numRuns: 1000 },
    );
  });

  it('looks as it did: nothing that is seen is taken away or put in', () => {
    const ordinary = fc
      .array(
        fc.constantFrom(
          ...['[', ']', '(', ')', '$', '\\', 'command:', 'https://', 'x', '~', '<', '`', '*', '_'],
          ...['$(x)', '[a](command:b)', 'a](b)', 'é', '漢字', '👩‍👩‍👧', 'می‌خواهم', 'क्‍ष', '\u3000'],
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join('').trim());
    fc.assert(
      fc.property(ordinary, (given) => {
        fc.pre(!/\p{Zs}{2}/u.test(given));
        const same = (text: string): string => text.replaceAll('\u2060', '');
        for (const show of [plainLine, plainSentence, plainLines])
          assert.equal(same(show(given)), given);
      }),
    );
    for (const text of ['a](b)', '$ (x) = $', 'f(x)[0](y)', '[a] (command:x)', 'C:\\$(', '100 %'])
      assert.equal(plainLine(text), text);
  });

  it('shows that something was hidden in it, and leaves what joins letters', () => {
    assert.equal(plainLine('gpj\u202eexe.\u001b]8;;x\u0007'), 'gpj\ufffdexe.\ufffd]8;;x\ufffd');
    assert.equal(plainLine(' a\u200b\u00adb\ufeff \r\n\t c '), 'ab c');
    assert.equal(plainLine('a\u200d)\u200c'), 'a\ufffd)\ufffd');
    assert.equal(plainLines('a\r\nb\u2028c\td\u2066'), 'a\nb\nc\td\ufffd');
    assert.equal(plainLine(`e${'\u0301'.repeat(500)}`).length, 9);
  });

  it('is cut with an ellipsis: a name at its end, a sentence in its middle', () => {
    assert.equal(plainLine('x'.repeat(1000), 10), `${'x'.repeat(9)}…`);
    const question = plainSentence(`Delete ${'x'.repeat(1e7)}? It has 3 sheets.`);
    assert.match(question, /^Delete x+ … x+\? It has 3 sheets\.$/);
    assert.ok(question.length > 890 && question.length <= 900);
  });

  it('takes time in proportion to what is shown of it', () => {
    const took = (size: number): number => {
      const texts = [' ', '\u0301', '\u200d', '[', '$(', '](', 'a\u200c'].map((part) =>
        part.repeat(size),
      );
      const began = performance.now();
      for (const text of texts) for (const show of [plainLine, plainLines]) show(text, 50_000);
      return performance.now() - began;
    };
    assert.ok(took(1_000_000) < timeLimit(10_000));
  });

  it('has no meaning in Markdown, its addresses neither, and keeps its fences inside', () => {
    assert.equal(
      markdownText('[a](command:b) <img> https://e.x www.e.x a@b.c **c** `d` &lt; 1. _e_'),
      '\\[a\\]\\(command\\:b\\) \\<img\\> https\\:\\/\\/e\\.x www\\.e\\.x a\\@b\\.c \\*\\*c\\*\\* ' +
        '\\`d\\` \\&lt\\; 1\\. \\_e\\_',
    );
    const code = markdownCode('a\n````\n[x](command:y)', 'text');
    assert.equal(code, '\n`````text\na\n````\n[x](command:y)\n`````\n');
  });

  it('makes names of files that read in one direction', () => {
    assert.equal(plainFileName('a/b:\u202egpj.exe\n', 40), 'a-b--gpj.exe-');
    assert.equal(plainFileName('[a](command:b) $(c) $5', 40), '[a](command-b) -(c) $5');
  });

  it('makes names of files that file systems take, and that are not hidden', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pt-names-'));
    const devices = ['con', 'NUL', 'Aux', 'prn', 'COM1', 'lpt9', 'COM¹', 'CONOUT$'];
    const odd = fc.constantFrom(
      '..',
      '.',
      '../../x',
      'x. . ',
      '\ud800',
      '漢'.repeat(120),
      ...devices,
    );
    const ending = fc.constantFrom('', '.', '.txt', ' .txt', '/..');
    const names = fc.oneof(
      hostile,
      odd,
      fc.tuple(odd, ending).map((parts) => parts.join('')),
    );
    try {
      await fc.assert(
        fc.asyncProperty(names, async (name) => {
          const file = `${plainFileName(name, 120)}.prompt`;
          assert.equal(path.basename(file), file);
          assert.doesNotMatch(
            file,
            /^\.(?!prompt$)|[. ]\.prompt$|^(?:con|nul|aux|prn|com\d|lpt\d)\./i,
          );
          await writeFile(path.join(folder, file), '');
          assert.deepEqual(await readdir(folder), [file]);
          await rm(path.join(folder, file));
          assert.ok(encodeURIComponent(file));
        }),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
