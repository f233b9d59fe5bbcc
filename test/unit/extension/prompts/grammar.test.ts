/** What the grammar of prompt documents colours, by the tokenizer that VS Code has. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { inRoot } from '../../../../scripts/paths.mjs';

const scopeName = 'text.prompt-tables';
let grammar: textmate.IGrammar;

/** YAML and JSON are coloured by VS Code: here just enough to see that they are asked for. */
const others = new Map(
  [
    ['source.yaml', '^\\w+(?=:)', 'entity.name.tag.yaml'],
    ['source.json', '"\\w+"', 'string.quoted.double.json'],
  ].map(([scope = '', match = '', name = '']) => [
    scope,
    textmate.parseRawGrammar(
      JSON.stringify({ scopeName: scope, patterns: [{ match, name }] }),
      `${scope}.json`,
    ),
  ]),
);

/** Each token of the text with the innermost scope that it has of the grammar itself. */
function tokensIn(text: string): readonly (readonly [token: string, scope: string])[] {
  let stack = textmate.INITIAL;
  return text.split('\n').flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return tokens.map(
      ({ startIndex, endIndex, scopes }) =>
        [line.slice(startIndex, endIndex), scopes.at(-1) ?? ''] as const,
    );
  });
}

/** The scopes of one piece of a text, outermost first. */
function scopesOf(piece: string, text: string): readonly string[] {
  let stack = textmate.INITIAL;
  for (const line of text.split('\n')) {
    const at = line.indexOf(piece);
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    const token = tokens.find(({ startIndex, endIndex }) => startIndex <= at && at < endIndex);
    if (at >= 0) return token?.scopes ?? [];
  }
  assert.fail(`${piece} is not in the text`);
}

const coloured = (text: string) => tokensIn(text).filter(([, scope]) => scope !== scopeName);

describe('the colours of a prompt', () => {
  before(async () => {
    const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
    await oniguruma.loadWASM(fs.readFileSync(wasm));
    const file = inRoot('media', 'prompt-language', 'grammar.json');
    const registry = new textmate.Registry({
      onigLib: Promise.resolve({
        createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
        createOnigString: (text) => new oniguruma.OnigString(text),
      }),
      loadGrammar: async (scope) =>
        scope === scopeName
          ? textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file)
          : others.get(scope),
    });
    const loaded = await registry.loadGrammar(scopeName);
    assert.ok(loaded);
    grammar = loaded;
  });

  it('tell front matter, headers of messages and of parts', () => {
    const text = [
      '---',
      'prompt: {none}',
      '---',
      '=== system',
      'Be kind.',
      '=== placeholder {"name":"history"}',
      '--- text',
      '--- image_url',
      '{"url": "{{ none }}"}',
      '=== user',
      'Hello {name}.',
    ].join('\n');
    const yaml = [scopeName, 'meta.embedded.block.yaml'];
    assert.deepEqual(scopesOf('prompt:', text), [...yaml, 'entity.name.tag.yaml']);
    assert.deepEqual(scopesOf('{none}', text), yaml);
    assert.ok(scopesOf('system', text).includes('entity.name.section.prompt'));
    const json = ['meta.embedded.block.json', 'string.quoted.double.json'];
    assert.deepEqual(scopesOf('"name"', text).slice(-2), json);
    assert.ok(scopesOf('image_url', text).includes('entity.name.type.part.prompt'));
    assert.deepEqual(scopesOf('"url"', text).slice(-2), json);
    assert.deepEqual(scopesOf('{{ none', text), [scopeName, 'meta.embedded.block.json']);
    assert.ok(scopesOf('user', text).includes('entity.name.section.prompt'));
    assert.ok(scopesOf('name}', text).includes('variable.other.f-string.prompt'));
  });

  it('tell variables of f-strings, with what formats them', () => {
    assert.deepEqual(coloured('Dear {name}, {price!r:>10}{x}'), [
      ['{', 'punctuation.section.embedded.begin.prompt'],
      ['name', 'variable.other.f-string.prompt'],
      ['}', 'punctuation.section.embedded.end.prompt'],
      ['{', 'punctuation.section.embedded.begin.prompt'],
      ['price', 'variable.other.f-string.prompt'],
      ['!r:>10', 'constant.other.format.prompt'],
      ['}', 'punctuation.section.embedded.end.prompt'],
      ['{', 'punctuation.section.embedded.begin.prompt'],
      ['x', 'variable.other.f-string.prompt'],
      ['}', 'punctuation.section.embedded.end.prompt'],
    ]);
  });

  it('leave braces alone that hold no variable', () => {
    for (const text of ['{', '}', '{ name }', '{"name": 1}', '{}', 'a {b c} d'])
      assert.deepEqual(coloured(text), [], text);
  });

  it('tell variables, filters, texts and numbers of jinja2', () => {
    assert.deepEqual(
      coloured(`{{- user.name | default('nobody') | truncate(10) -}}`)
        .filter(([token]) => token.trim() !== '')
        .map(([token, scope]) => [token.trim(), scope]),
      [
        ['{{-', 'punctuation.section.embedded.begin.prompt'],
        ['user', 'variable.other.jinja.prompt'],
        ['name', 'variable.other.jinja.prompt'],
        ['default', 'support.function.filter.jinja.prompt'],
        [`'nobody'`, 'string.quoted.jinja.prompt'],
        ['truncate', 'support.function.filter.jinja.prompt'],
        ['10', 'constant.numeric.jinja.prompt'],
        ['-}}', 'punctuation.section.embedded.end.prompt'],
      ],
    );
  });

  it('tell tags of jinja2, their words and their end', () => {
    const scopes = new Map(coloured('{%- if not done and tone is none %}Go on.{% endif -%}'));
    assert.equal(scopes.get('{%-'), 'punctuation.section.embedded.begin.prompt');
    assert.equal(scopes.get('if'), 'keyword.control.jinja.prompt');
    for (const word of ['not', 'and', 'is', 'none'])
      assert.equal(scopes.get(word), 'keyword.operator.word.jinja.prompt', word);
    for (const name of ['done', 'tone'])
      assert.equal(scopes.get(name), 'variable.other.jinja.prompt', name);
    assert.equal(scopes.get('endif'), 'keyword.control.jinja.prompt');
    assert.equal(scopes.get('-%}'), 'punctuation.section.embedded.end.prompt');
    assert.equal(scopes.has('Go on.'), false);
  });

  it('tell comments of jinja2 over lines, and nothing in them', () => {
    const comment = 'comment.block.jinja.prompt';
    const text = 'a {# {{ no }} {no}\n@@@no@@@ {% no %} #} b';
    assert.equal(
      coloured(text)
        .map(([token]) => token)
        .join(''),
      '{# {{ no }} {no}@@@no@@@ {% no %} #}',
    );
    assert.deepEqual(new Set(coloured(text).map(([, scope]) => scope)), new Set([comment]));
    assert.deepEqual(scopesOf('@@@no', text), [scopeName, comment]);
    assert.deepEqual(scopesOf(' b', text), [scopeName]);
  });

  it('take what stands in a raw block of jinja2 for text, but for snippets', () => {
    // They are put in before anything is rendered.
    const text = '{% raw %}{{ a }} {b}\n{# c #} @@@d@@@ {%- endraw %}{{ e }}';
    const words = coloured(text).map(([token]) => token.trim());
    assert.deepEqual(
      words.filter((word) => /\w/.test(word)),
      ['raw', 'd', 'endraw', 'e'],
    );
  });

  it('keep a text with quotes and braces whole inside of an expression', () => {
    const text = String.raw`{{ "a \" }} {b}" ~ c }} d`;
    const scopes = new Map(coloured(text));
    assert.equal(scopes.get(String.raw`"a \" }} {b}"`), 'string.quoted.jinja.prompt');
    assert.equal(scopes.get('c'), 'variable.other.jinja.prompt');
    assert.deepEqual(scopesOf(' d', text), [scopeName]);
  });

  it('tell snippets with their version or label', () => {
    for (const [reference, kind, value] of [
      ['@@@house rules@@@'],
      ['@@@rules@version_number:3@@@', 'version_number', '3'],
      ['@@@a/b@label:prod@@@', 'label', 'prod'],
    ] as const) {
      const scopes = new Map(coloured(`Keep to ${reference}.`));
      assert.ok(scopesOf('@@@', `Keep to ${reference}.`).includes('meta.snippet.prompt'));
      const name = reference.replace(/@@@|@(?:version_number|label):.*/g, '');
      assert.equal(scopes.get(name), 'entity.name.tag.snippet.prompt');
      if (kind === undefined) continue;
      assert.equal(scopes.get(kind), 'entity.other.attribute-name.prompt');
      assert.equal(scopes.get(value), 'constant.other.prompt');
    }
  });

  it('tell what git left of a conflict', () => {
    for (const line of ['<<<<<<< HEAD', '=======', '>>>>>>> theirs'])
      assert.deepEqual(coloured(line), [[line, 'markup.deleted.conflict.prompt']]);
  });
});
