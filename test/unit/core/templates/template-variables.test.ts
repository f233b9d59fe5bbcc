import assert from 'node:assert/strict';
import fc from 'fast-check';
import { referencesIn } from '../../../../src/core/templates/snippet-references.ts';
import { variablesOf, variablesOfText } from '../../../../src/core/templates/template-variables.ts';

describe('core: variables of a template', () => {
  it('are found in f-strings', () => {
    assert.deepEqual(variablesOfText('{a} {b!r} {c:>5} {a} { d } {e.f} {}', 'f-string'), [
      'a',
      'b',
      'c',
    ]);
  });

  it('are found in Jinja2, and what the text itself defines is none', () => {
    const cases: [string, string[]][] = [
      ['{{ a }} {{ b.c }} {{ d["e"] }} {{ f | upper }}', ['a', 'b', 'd', 'f']],
      ['{% for x in xs %}{{ x }} {{ loop.index }} {{ y }}{% endfor %}{{ x }}', ['xs', 'y', 'x']],
      ['{% set s = t %}{{ s }}', ['t']],
      ['{% if u and not v %}{{ w }}{% else %}{{ z }}{% endif %}', ['u', 'v', 'w', 'z']],
      ['{# {{ no }} #} plain {one}', []],
      ['{{ range(3) }}', []],
      ['{% macro m() %}{% endmacro %}{{ known }}', ['known']],
    ];
    for (const [source, names] of cases) {
      assert.deepEqual(variablesOfText(source, 'jinja2'), names, source);
    }
  });

  it('are those of placeholders and media too', () => {
    assert.deepEqual(variablesOf({ role: 'placeholder', name: 'past' }), ['past']);
    assert.deepEqual(
      variablesOf({
        content: [
          { type: 'text', text: '{a}' },
          { type: 'media_variable', name: 'm' },
          { type: 'image_url', image_url: { url: '' }, image_variable: 'i' },
        ],
      }),
      ['a', 'm', 'i'],
    );
  });

  it('are found in any text without an error', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      ' for ',
      ' in ',
      ' if ',
      'x',
      '|',
      '"',
      '{#',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        variablesOfText(pieces.join(''), 'jinja2');
        variablesOfText(pieces.join(''), 'f-string');
      }),
      { numRuns: 500 },
    );
  });
});

describe('service: references to snippets', () => {
  it('name a snippet, and a version or a label of it', () => {
    assert.deepEqual(
      referencesIn('a @@@one@@@ b @@@two@version_number:3@@@@@@three@label:prod@@@ @@@ @@x@@'),
      [
        { name: 'one', version: undefined, label: undefined },
        { name: 'two', version: 3, label: undefined },
        { name: 'three', version: undefined, label: 'prod' },
      ],
    );
  });
});
