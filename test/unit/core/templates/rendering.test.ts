import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseJson } from '../../../../src/core/http/json.ts';
import { compileFString } from '../../../../src/core/templates/f-string.ts';
import { compileJinja } from '../../../../src/core/templates/jinja.ts';
import { makePlan } from '../../../../src/core/templates/plan.ts';
import { NotFaithful, numberText, plainText } from '../../../../src/core/templates/python-text.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Undefined: left to the service. */
function jinja(source: string, variables: Variables): string | undefined {
  try {
    const render = compileJinja(source);
    return render === undefined ? source : render(variables);
  } catch (error) {
    assert.ok(error instanceof NotFaithful, String(error));
    return undefined;
  }
}

const fString = (source: string, variables: Variables): string =>
  compileFString(source)?.(variables) ?? source;

describe('Jinja of programs', () => {
  it('looks up own properties only', () => {
    assert.equal(
      jinja('[{{ toString }}{{ d.valueOf }}{{ d["hasOwnProperty"] }}]', { d: {} }),
      '[]',
    );
    assert.equal(jinja('{{ __proto__ }}', {}), undefined);
  });

  it('leaves values to the service that JSON does not hold as they are', () => {
    for (const value of [new Date(0), Number.NaN, () => 1, new Map(), Symbol('s')]) {
      assert.equal(jinja('{{ x }}', { x: value }), undefined);
      assert.equal(jinja('{{ x }}', { x: [value] }), undefined);
    }
  });

  it('never throws anything else, whatever the source', () => {
    const piece = fc.constantFrom(
      ...['{{', '}}', '{%', '%}', '{#', '#}', ' ', 'a', 'if', 'for', 'in', 'endif', 'endfor', '|'],
      ...['upper', '(', ')', '[', ']', '"', '.', ',', '1', '-', '~', 'x', 'is', 'not', 'set', '='],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        jinja(pieces.join(''), { a: 'A', x: [1, { a: 2 }] });
      }),
      { numRuns: 500 },
    );
  });
});

describe('f-strings', () => {
  const variables = {
    a: 'A',
    n: 3,
    l: [1, 'x', null, true],
    o: { k: "it's" },
    nil: null,
    0: 'zero',
  };
  const cases: readonly (readonly [string, string])[] = [
    ['{a}', 'A'],
    ['{a!r} {a:>5} {a!s:>5}', 'A A A'],
    ['{{a}}', '{A}'],
    ['{a:{b}}', 'A}'],
    ['{a.b} { a } {ключ} {} {', '{a.b} { a } {ключ} {} {'],
    ['{missing}{nil}|', '|'],
    ['{toString}{__proto__}{constructor}|', '|'],
    ['{0}', 'zero'],
    ['{n} {l} {o}', `3 [1, 'x', None, True] {'k': "it's"}`],
    ['{"json": {"a": 1}}', '{"json": {"a": 1}}'],
  ];
  for (const [source, expected] of cases) {
    it(JSON.stringify(source), () => assert.equal(fString(source, variables), expected));
  }

  it('put in every text as it is, and change nothing else', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (before, value) => {
        const plain = before.replaceAll(/[{}]/g, '');
        assert.equal(fString(`${plain}{v}${plain}`, { v: value }), `${plain}${value}${plain}`);
      }),
    );
  });
});

describe('numbers as Python prints them', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['1', '1'],
    ['1.50', '1.5'],
    ['0.0001', '0.0001'],
    ['0.00001', '1e-05'],
    ['-0.0000123', '-1.23e-05'],
    ['1e-7', '1e-07'],
    ['1e22', '1e+22'],
    ['1.5e300', '1.5e+300'],
    ['9007199254740993', '9007199254740993'],
  ];
  for (const [json, expected] of cases) {
    it(json, () => assert.equal(plainText(parseJson(json)), expected));
  }

  it('are refused with more digits than a double has', () => {
    assert.throws(() => plainText(parseJson('0.12345678901234567890123')), NotFaithful);
    assert.throws(() => numberText(Number.POSITIVE_INFINITY), NotFaithful);
  });
});

describe('plans of templates', () => {
  const text = (value: string, extra: object = {}) => ({
    role: 'user',
    content: [{ type: 'text', text: value, id: 'kept' }],
    ...extra,
  });
  const template = (messages: readonly unknown[], more: object = {}) => ({
    id: 1,
    prompt_name: 'p',
    version: 1,
    prompt_template: { type: 'chat', messages, later: { kept: true } },
    llm_kwargs: null,
    ...more,
  });
  const jinjaText = (value: string) => text(value, { template_format: 'jinja2' });

  it('render texts by the format of their message, provider arguments too', () => {
    const plan = makePlan(
      template([jinjaText('{{ a }} {a}')], {
        llm_kwargs: {
          model: 'm',
          messages: [
            { role: 'user', content: '{{ a }}!' },
            { role: 'user', content: [{ type: 'input_text', text: '{{ a }}?' }] },
          ],
          system: 'S{{ a }}',
          contents: [{ parts: [{ text: 'G{{ a }}' }] }],
          generation_config: { system_instruction: { parts: [{ text: 'I{{ a }}' }] }, top_k: 1 },
          prompt: 'P{{ a }}',
        },
      }),
    );
    const rendered = plan.render({ a: 'A' });
    assert.deepEqual(rendered?.prompt_template['messages'], [jinjaText('A {a}')]);
    assert.deepEqual(rendered.prompt_template['later'], { kept: true });
    assert.deepEqual(rendered.llm_kwargs, {
      model: 'm',
      messages: [
        { role: 'user', content: 'A!' },
        { role: 'user', content: [{ type: 'input_text', text: 'A?' }] },
      ],
      system: 'SA',
      contents: [{ parts: [{ text: 'GA' }] }],
      generation_config: { system_instruction: { parts: [{ text: 'IA' }] }, top_k: 1 },
      prompt: 'PA',
    });
  });

  it('share what no variable changes, and give nothing that can be changed', () => {
    const same = template([text('plain')]);
    assert.equal(makePlan(same).render({ a: 1 }), same);
    const first = makePlan(template([text('{a}')])).render({ a: 1 });
    assert.ok(Object.isFrozen(first) && Object.isFrozen(first?.prompt_template['messages']));
  });

  it('without variables: as they are, or empty when there are provider arguments', () => {
    const bare = template([text('{a}')]);
    assert.equal(makePlan(bare).render(undefined), bare);
    const withArguments = makePlan(template([text('{a}!')], { llm_kwargs: { prompt: '{a}?' } }));
    assert.equal(withArguments.render(undefined)?.llm_kwargs?.['prompt'], '?');
  });

  const forTheService: readonly (readonly [string, object])[] = [
    ['placeholders', template([{ role: 'placeholder', name: 'history' }])],
    [
      'media variables',
      template([{ role: 'user', content: [{ type: 'media_variable', name: 'm' }] }]),
    ],
    [
      'image variables',
      template([
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'x' }, image_variable: 'i' }],
        },
      ]),
    ],
    [
      'texts in other parts',
      template([{ role: 'user', content: [{ type: 'thinking', thinking: '{a}' }] }]),
    ],
    [
      'variables in tool calls',
      template([text('x', { tool_calls: [{ function: { arguments: '{a}' } }] })]),
    ],
    ['snippets', template([text('@@@footer@@@')])],
    ['unknown formats', template([text('x', { template_format: 'mustache' })])],
    ['more Jinja than is proven', template([jinjaText('{{ a|random }}')])],
    ['broken Jinja', template([jinjaText('{{ a')])],
    ['mixed formats', template([text('a'), jinjaText('b')], { llm_kwargs: { prompt: 'x' } })],
    [
      'schemas with variables',
      template([text('a')], { llm_kwargs: { response_format: { d: '{{ x }}' } } }),
    ],
    ['text arguments not known', template([text('a')], { llm_kwargs: { input: 'x {a}' } })],
    [
      'schema variables in metadata',
      template([text('a')], { metadata: { model: { p: '{{ x }}' } } }),
    ],
    [
      'enum variables',
      template([text('a')], { metadata: { e: { type: 'enum_variable', name: 'x' } } }),
    ],
    ['no known type', { ...template([]), prompt_template: { type: 'other' } }],
  ];
  for (const [what, given] of forTheService) {
    it(`leave to the service: ${what}`, () => {
      assert.throws(() => makePlan(given as Parameters<typeof makePlan>[0]), NotFaithful);
    });
  }
  for (const type of ['registry', 'variable']) {
    it(`leave to the service: tools of type ${type}`, () => {
      const given = template([text('a')]);
      const tools = [{ type, name: 't', tool_registry_id: 1 }];
      const withTools = { ...given, prompt_template: { ...given.prompt_template, tools } };
      assert.throws(() => makePlan(withTools), NotFaithful);
    });
  }

  it('leave values to the service that they cannot print', () => {
    assert.equal(makePlan(template([text('{a}')])).render({ a: new Date(0) }), undefined);
    const loop: unknown[] = [];
    loop.push(loop);
    assert.equal(makePlan(template([text('{a}')])).render({ a: loop }), undefined);
  });
});
