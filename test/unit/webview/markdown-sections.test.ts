import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexer } from 'marked';
import { sectionsOf } from '../../../src/webview/run/markdown-sections.ts';

/** What is read of a text, without the blank lines between its blocks. */
const meaning = (text: string): unknown =>
  JSON.parse(
    JSON.stringify(
      lexer(text).filter(({ type }) => type !== 'space'),
      (key, value: unknown) => (key === 'raw' ? undefined : value),
    ),
  );

const words = fc.constantFrom('alpha', 'beta gamma', '*delta*', '`code`', 'über', '日本');
const long = words.map((word) => `${word} `.repeat(120).trim());
const block = fc.oneof(
  long,
  words.map((word) => `# ${word}`),
  words.map((word) => `${word}\n===`),
  fc
    .array(long, { minLength: 1, maxLength: 4 })
    .map((items) => items.map((item) => `- ${item}`).join('\n\n')),
  fc
    .array(words, { minLength: 1, maxLength: 4 })
    .map((items) => items.map((item, at) => `${at + 1}. ${item}\n\n   more of it`).join('\n')),
  long.map((word) => `\`\`\`js\n${word}\n\nText in code\n\n# and a comment\n\`\`\``),
  long.map((word) => `~~~~\n~~~\n\n${word}\n\nText\n~~~~`),
  long.map((word) => `> ${word}\n>\n> \`\`\`\n> quoted\n> \`\`\``),
  words.map((word) => `a | b\n--- | ---\n${word} | 2`),
  words.map((word) => `    indented ${word}\n\n    more`),
  words.map((word) => `<div>\n${word}\n</div>`),
);

describe('Markdown in sections', () => {
  it('means the same in sections as whole', () => {
    let split = 0;
    fc.assert(
      fc.property(fc.array(block, { minLength: 12, maxLength: 40 }), (blocks) => {
        const text = blocks.join('\n\n');
        const sections = sectionsOf(text);
        assert.equal(sections.join(''), text);
        if (sections.length > 1) split += 1;
        assert.deepEqual(
          sections.flatMap((section) => meaning(section)),
          meaning(text),
        );
      }),
      { numRuns: 150 },
    );
    assert.ok(split > 50, `only ${split} of 150 texts were split`);
  });

  it('leaves whole what reaches over blank lines', () => {
    const filling = `${'word '.repeat(400)}\n\n`.repeat(10);
    for (const far of [
      '[here]: https://example.com\n\n',
      '<!-- begun\n\nText\n\nended -->\n\n',
      '<pre>\n\nText\n\n</pre>\n\n',
      '- item\n\n  ```\n  code\n\n',
    ])
      assert.deepEqual(sectionsOf(filling + far + filling), [filling + far + filling]);
    assert.ok(sectionsOf(filling).length > 3);
  });

  it('takes time by the length only', () => {
    const text = `${'word '.repeat(100)}\n\n`.repeat(4000);
    const began = process.cpuUsage();
    assert.ok(sectionsOf(text).length > 300);
    assert.ok(process.cpuUsage(began).user < 2_000_000);
  });
});
