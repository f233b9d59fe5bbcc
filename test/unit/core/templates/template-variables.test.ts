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
      [
        '{% macro m(p, q=r) %}{{ p }}{{ q }}{{ s }}{{ m(1) }}{{ caller() }}{% endmacro %}{{ m(t) }}',
        ['r', 's', 't'],
      ],
      ['{% call(x) box(y) %}{{ x }}{{ z }}{% endcall %}', ['box', 'y', 'z']],
      ['{% set ns = namespace(a=b) %}{% set ns.c = d %}{{ ns.c }}', ['b', 'd']],
      ['{% set ns.c = d %}', ['d', 'ns']],
      [
        '{% for a, (b, c) in rows if b > limit %}{{ a }}{{ c }}{% else %}{{ a }}{% endfor %}',
        ['rows', 'limit', 'a'],
      ],
      ['{% with a = b, c = a %}{{ a }}{{ c }}{% endwith %}', ['b', 'a']],
      [
        '{% set x %}{{ y }}{% endset %}{{ x }}{% filter replace(o, n) %}{{ x }}{% endfilter %}',
        ['y', 'o', 'n'],
      ],
      ['{% if a %}{% set x = 1 %}{% else %}{% set x = 2 %}{% endif %}{{ x }}', ['a']],
      ['{% if a %}{% set x = 1 %}{% endif %}{{ x }}', ['a', 'x']],
      ['{% raw %}{{ no }}{% endraw %}{{ yes_please }}', ['yes_please']],
      ['{{ xs|map(attribute=field)|select("gt", low)|join(sep) }}', ['xs', 'field', 'low', 'sep']],
      ['{{ {k: v}[i:j] if c else -d ** e }}', ['k', 'v', 'i', 'j', 'c', 'd', 'e']],
      ['{{ cycler(a) }}{{ dict(b=c) }}{{ x is divisibleby y }}', ['a', 'c', 'x', 'y']],
      ['{% include "x" %}{{ left }}', ['left']],
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
