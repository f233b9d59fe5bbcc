import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexer } from 'marked';
import { boundedTokens } from '../../../src/webview/run/bounded-lexer.ts';

/** Of a thread that does nothing else; a lexer whose time grows with the square took minutes. */
const mostCpuMs = 10_000;
const count = 150_000;

const repeated = (text: string): string => text.repeat(count);

/** Each took more than a second at a fifth of its length, or all of the stack. */
const hostile: Readonly<Record<string, string>> = {
  underscores: repeated('_a'),
  'stars and underscores': repeated('*_'),
  addresses: `${repeated('a.')}@`,
  'at signs': repeated('a@'),
  links: repeated('[a](b'),
  images: repeated('!['),
  tags: repeated('<a '),
  'unclosed comments': repeated('<!--'),
  'code marks': Array.from({ length: 900 }, (_, at) => `${'`'.repeat(at)}a`).join(' '),
  cells: `${repeated('|a')}|\n${repeated('|-')}|\n|b|`,
  'quotes in quotes': `${repeated('>')} a`,
  'lists in lists': `${repeated('- ')}a`,
  'numbers in quotes': `${repeated('> 1. ')}a`,
  'lists by indentation': Array.from({ length: 400 }, (_, at) => `${' '.repeat(at)}- a`).join('\n'),
};

describe('Markdown of strangers', function () {
  this.timeout(120_000);

  for (const [name, text] of Object.entries(hostile)) {
    it(`takes time that grows with its length: ${name}`, () => {
      const began = process.cpuUsage();
      const tokens = boundedTokens(text);
      const { user, system } = process.cpuUsage(began);
      assert.ok((user + system) / 1000 < mostCpuMs, `${String((user + system) / 1000)} ms`);
      // Nothing of it is left out.
      const raw = tokens.map((token) => token.raw).join('');
      assert.equal(raw.replaceAll(/\s/g, '').length, text.replaceAll(/\s/g, '').length);
    });
  }

  it('reads what is usual as the library does', () => {
    const part = fc.constantFrom(
      ...['# a', '*a* **b** _c_ `d`', '- a\n  - b\n    - c', '> a\n> > b', '1. a\n\n   b'],
      ...['| a | b |\n| - | - |\n| *c* | d |', '```js\na\n```', '[a](https://b.example)', 'a\nb'],
      ...['***', '- - -', '> - 1. a', '[x]: https://c.example\n\n[x]', '<b>a</b>', 'w@x.example'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('\n\n');
        const plain = (tokens: readonly unknown[]): unknown => JSON.parse(JSON.stringify(tokens));
        assert.deepEqual(plain(boundedTokens(text)), plain(lexer(text)));
      }),
    );
  });
});
