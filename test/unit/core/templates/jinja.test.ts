import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'mocha';
import { parseJsonAsWritten } from '../../../../src/core/http/json.ts';
import { compileFString } from '../../../../src/core/templates/f-string.ts';
import { compileJinja } from '../../../../src/core/templates/jinja.ts';
import { NotFaithful } from '../../../../src/core/templates/python-text.ts';
import { timeLimit } from '../../../support/time-limit.ts';

type Case = readonly [source: string, text: string | null];

const read = (name: string): string =>
  fs.readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
const table = JSON.parse(read('jinja-cases.json')) as {
  readonly cases: readonly Case[];
  readonly random: readonly Case[];
};
const variablesText = read('jinja-variables.json');
const variables = (): Readonly<Record<string, unknown>> =>
  parseJsonAsWritten(variablesText) as Readonly<Record<string, unknown>>;

/** The text, or why there is none. */
function rendered(source: string, given = variables()): string | NotFaithful {
  try {
    const render = compileJinja(source);
    return render === undefined ? source : render(given);
  } catch (error) {
    assert.ok(error instanceof NotFaithful, `${source}: ${String(error)}`);
    return error;
  }
}

const reasonOf = (source: string, given = variables()): string => {
  const result = rendered(source, given);
  assert.ok(result instanceof NotFaithful, `${source} gave ${JSON.stringify(result)}`);
  return result.message;
};

/** How many of the templates that Jinja2 renders are refused here. Any other text is a fault. */
function refusedOf(cases: readonly Case[]): readonly string[] {
  return cases.flatMap(([source, text]) => {
    const result = rendered(source);
    // A template that is kept knows nothing of what it was given before.
    rendered(source, {});
    assert.equal(String(rendered(source)), String(result), source);
    if (result instanceof NotFaithful) return text === null ? [] : [`${source}: ${result.message}`];
    assert.equal(result, text, source);
    return [];
  });
}

describe('Jinja2 rendered here', () => {
  it('gives the texts of Jinja2 for more than 500 templates by hand, and refuses few of them', () => {
    assert.ok(table.cases.length >= 500, String(table.cases.length));
    const refused = refusedOf(table.cases);
    assert.ok(refused.length <= 36, refused.join('\n'));
  });

  it('gives the texts of Jinja2 for 2,000 random templates, and refuses few of them', () => {
    assert.ok(table.random.length >= 2000, String(table.random.length));
    const refused = refusedOf(table.random);
    assert.ok(refused.length <= table.random.length / 40, refused.join('\n'));
  });

  const refusals: readonly (readonly [source: string, named: string])[] = [
    ['{% block a %}x{% endblock %}', 'the tag block'],
    ['{% include "x" %}', 'the tag include'],
    ['{% do x %}', 'the tag do'],
    ['{% for w in words recursive %}{{ w }}{% endfor %}', 'a recursive loop'],
    ['{{ words|random }}', 'the filter random'],
    ['{{ words|map("nope")|list }}', 'the filter nope'],
    ['{{ n is nope }}', 'the test nope'],
    ['{{ lipsum() }}', 'lipsum'],
    ['{{ range(*words) }}', '* or ** before an argument'],
    ['{{ nil ~ "x" }}', 'None inside an expression'],
    [
      '{{ words|map("upper") }}',
      'a walk such as map or select makes, printed: add "|list" or "|join"',
    ],
    ['{{ missing.a }}', '.a of something undefined'],
    ['{{ words.append(1) }}', 'a change of a variable'],
    [
      '{{ [0.1, 0.2, 0.3]|sum }}',
      'a sum of floats whose last digit differs between versions of Python',
    ],
    ['{{ 2 ** 0.5 }}', 'a power of fractions'],
    ['{{ 1 / 0 }}', 'a division by zero'],
    ['{{ name', 'a tag without an end'],
    ['{% if n %}x', 'a block without endif'],
    ['{{ 1 2 }}', '"2" where "}}" should be'],
    ['{{ "a-b"|wordwrap(1) }}', 'wordwrap of a text with hyphens'],
    ['{{ "x.y"|urlize }}', 'the filter urlize'],
    ['{{ "x"|replace("a") }}', 'replace without the argument new'],
    ['{{ "x"|upper(1) }}', 'such a filter with so many arguments'],
  ];
  for (const [source, named] of refusals) {
    it(`refuses by name: ${source}`, () => assert.equal(reasonOf(source), named));
  }

  it('keeps the form of floats in f-strings, too', () => {
    const text = compileFString('{p} {e} {z} {neg} {price} {xs} {u}')?.(variables());
    assert.equal(
      text,
      "10.0 1e+16 0.0 -0.0 1.1 [1, 2.0] {'name': 'Zoë', 'age': 30.0, 'town': {'zip': '1010'}}",
    );
  });
});

describe('Jinja2 that would never end, or fill the memory', () => {
  const many = { l: Array.from({ length: 2000 }, (_, at) => at), s: 'x'.repeat(100_000) };
  const hostile: readonly string[] = [
    '{% for a in l %}{% for b in l %}{% for c in l %}x{% endfor %}{% endfor %}{% endfor %}',
    '{% for i in range(1000000000) %}{% endfor %}',
    '{{ range(1000000000)|list }}',
    '{{ range(1000000000)|join }}',
    '{{ range(1000000000)|sum }}',
    '{{ 5 in range(1000000000)|map("string") }}',
    '{% for i in range(1000000000) if i < 0 %}{% endfor %}',
    '{{ range(1000000000)|select("gt", 2000000000)|first }}',
    '{{ "x" * 1000000000 }}',
    '{{ [0] * 1000000000 }}',
    '{% set ns = namespace(s="x") %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}',
    '{% set ns = namespace(s="x") %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}',
    '{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}',
    '{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}',
    '{{ 9 ** 999999999 }}',
    '{{ 2 ** 1000000 }}',
    '{% set ns = namespace(n=3) %}{% for i in range(60) %}{% set ns.n = ns.n * ns.n %}{% endfor %}',
    '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
    '{% macro m(n) %}{{ m(n - 1) }}{{ m(n - 1) }}{% endmacro %}{{ m(1) }}',
    '{% macro m(n) %}{% if n > 0 %}{{ m(n - 1) }}{{ m(n - 1) }}{% else %}{{ s }}{% endif %}{% endmacro %}{{ m(60) }}',
    '{% macro m(n) %}{% if n > 0 %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}',
    '{% macro m(n) %}{{ caller() if n == 0 else m(n - 1) ~ m(n - 1) }}{% endmacro %}{% call m(60) %}{% endcall %}',
    `{% for i in range(999999) %}${'{% if no %}x{% endif %}'.repeat(5000)}{% endfor %}`,
    `{% for i in range(999999) %}${'{{ no and yes or no }}'.repeat(5000)}{% endfor %}`,
    '{% set ns = namespace(t=(1,)) %}{% for i in range(60) %}{% set ns.t = (ns.t,) %}{% endfor %}{{ {ns.t: 1} }}{{ 1 / 0 }}',
    '{% set ns = namespace(t=(1,)) %}{% for i in range(60) %}{% set ns.t = (ns.t, ns.t) %}{% endfor %}{{ {ns.t: 1} }}',
    '{{ s.split("")|sort }}',
    '{% set l2 = [1] %}{% for x in l2 %}{% set _ = l2.append(x) %}{% endfor %}',
    '{% set l2 = [] %}{% set _ = l2.append(l2) %}{{ l2 }}',
    '{% set d2 = {} %}{% set _ = d2.update(a=[d2]) %}{{ d2 }}',
    '{{ "%1000000000d"|format(1) }}',
    '{{ "{:1000000000}".format(1) }}',
    '{{ "x".ljust(1000000000) }}',
    '{{ "x"|center(1000000000) }}',
    '{{ "x"|indent(1000000000, true) }}',
    '{{ s.replace("", s) }}',
    '{{ s.replace("x", s) }}',
    '{{ s|replace("x", s) }}',
    '{{ s.join(l) if false else s.join(s) }}',
    '{{ l|join(s) }}',
    '{{ [1]|batch(1000000000, 0)|list }}',
    '{{ l|slice(1000000000)|list }}',
    '{% for x in l %}{% for y in l %}{{ s|upper }}{% endfor %}{% endfor %}',
    '{% for x in l %}{% for y in l %}{% filter upper %}' +
      'x'.repeat(50_000) +
      '{% endfilter %}{% endfor %}{% endfor %}',
    '{% for x in l %}{{ l|sort|reverse|list|unique|list }}{% endfor %}',
    `{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`,
    `{{ 1${' + 1'.repeat(50_000)} + "x" }}`,
    `{{ x${'|upper'.repeat(50_000)}|nope }}`,
    `${'{% if n %}'.repeat(5000)}${'{% endif %}'.repeat(5000)}`,
    `{{ ${'9'.repeat(100_000)} }}`,
  ];
  for (const source of hostile) {
    it(`is refused soon: ${source.slice(0, 90)}`, function () {
      this.timeout(30_000);
      const began = process.cpuUsage();
      reasonOf(source, many);
      // Of this process alone: others may be at work beside it.
      assert.ok(process.cpuUsage(began).user < timeLimit(1500) * 1000);
    });
  }

  it('a variable that holds itself is refused, and does not hang', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    reasonOf('{{ x }}', { x: loop });
    reasonOf('{{ x|tojson }}', { x: loop });
  });
});
