import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexer } from 'marked';
import { SectionReader } from '../../../src/webview/run/markdown-sections.ts';

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
  words.map((word) => `<div>\n\`\`\`\n${word}\n</div>`),
  words.map(
    (word) => `1. ${word}\n   \`\`\`sh\n   ${word}\n\n   # a comment\n   \`\`\`\n2. ${word}`,
  ),
  words.map((word) => `- ${word}\n\`\`\`\n- no item\n\nText\n\`\`\`\n   more`),
  words.map((word) => `  ~~~ js\n  ${word}\n\nText\n   ~~~`),
  words.map((word) => `\`\`\`${word}\`\`\` is code in a line`),
  words.map((word) => `[${word}]: https://example.com`),
  words.map((word) => `${word}\r\n\r\n${word}\r${word}`),
);

/** The sections of a text that comes in pieces of these lengths, again and again. */
function sectionsOf(text: string, lengths: readonly number[]): readonly string[] {
  const reader = new SectionReader();
  const sections: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const end = at + (lengths[turn % lengths.length] ?? text.length);
    sections.push(...reader.read(text.slice(at, end)));
    at = end;
  }
  return reader.hasReaching ? [text] : [...sections, reader.rest];
}

describe('Markdown in sections', () => {
  it('means the same in sections as whole, however it is cut', () => {
    let split = 0;
    const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(block, { minLength: 2, maxLength: 20 }), lengths, (blocks, cuts) => {
        const text = blocks.join('\n\n');
        const sections = sectionsOf(text, cuts);
        if (sections.length > 1) split += 1;
        assert.deepEqual(
          sections.flatMap((section) => meaning(section)),
          meaning(text),
        );
      }),
      { numRuns: 600 },
    );
    assert.ok(split > 150, `only ${split} of 600 texts were split`);
  });

  it('leaves whole what reaches over blank lines, but not what only looks like it', () => {
    const filling = `${'word '.repeat(10)}\n\n`.repeat(3);
    for (const far of [
      '[here]: https://example.com\n\n',
      '<!-- begun\n\nText\n\nended -->\n\n',
      '<pre>\n\nText\n\n</pre>\n\n',
    ]) {
      assert.deepEqual(sectionsOf(filling + far + filling, [7]), [filling + far + filling]);
      const code = `\`\`\`\n${far}\`\`\`\n`;
      assert.ok(sectionsOf(filling + code + filling, [7]).length > 4);
    }
  });

  it('takes time by the length only', () => {
    const text = `${'word '.repeat(100)}\n\n`.repeat(4000);
    const began = process.cpuUsage();
    assert.ok(sectionsOf(text, [4]).length > 300);
    assert.ok(process.cpuUsage(began).user < 2_000_000);
  });
});
