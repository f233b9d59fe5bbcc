import assert from 'node:assert/strict';
import { columnTypes as apiTypes } from '../../../../src/api/column.ts';
import { stringifyJson, parseJson } from '../../../../src/core/http/json.ts';
import {
  configOf,
  faultIn,
  fieldBlamed,
  isAsked,
  valuesOf,
} from '../../../../src/extension/column-form/config.ts';
import { anyTypeForm, columnTypes, formIn } from '../../../../src/extension/column-form/types.ts';
import type { Json } from '../../../../src/service/engine/columns/json.ts';
import { columnKind } from '../../../../src/service/engine/columns/registry.ts';
import { t } from '../words.ts';
import type { FieldValue } from '../../../../src/protocol/column-form.ts';

const columns = [
  { id: 'id-1', title: 'Question' },
  { id: 'id-2', title: 'Answer' },
];
const formOf = (type: string) =>
  columnTypes.find((form) => form.type === type) ?? anyTypeForm(type);

describe('form of a column', () => {
  it('shows sources by title, whether the configuration names them by title or by id', () => {
    const values = valuesOf(formOf('COMPARE'), { sources: ['id-1', 'Answer'] }, columns);
    assert.deepEqual(values, { sources: ['Question', 'Answer'] });
    const mapped = { template: { name: 'p' }, prompt_template_variable_mappings: { q: 'id-1' } };
    assert.deepEqual(valuesOf(formOf('PROMPT_TEMPLATE'), mapped, columns), {
      'template.name': 'p',
      prompt_template_variable_mappings: [{ name: 'q', column: 'Question' }],
    });
  });

  it('makes a configuration of what is filled in, and keeps what it does not show', () => {
    const before = {
      sources: ['id-1', 'id-2'],
      comparison_type: { type: 'JSON', json_path: '$' },
      x: 1,
    };
    const values = {
      sources: ['Question', 'Answer'],
      'comparison_type.type': 'NUMBER',
      'comparison_type.json_path': '',
      'comparison_type.operator': 'GT',
    };
    assert.deepEqual(configOf(formOf('COMPARE'), values, before), {
      ...{ sources: ['Question', 'Answer'], x: 1 },
      comparison_type: { type: 'NUMBER', operator: 'GT' },
    });
    assert.deepEqual(configOf(formOf('CONTAINS'), { source: 'A', value: '' }, { value: 'b' }), {
      source: 'A',
    });
  });

  it('gives a configuration back as it was, for every type', () => {
    for (const form of columnTypes) {
      const all = Object.fromEntries(
        form.fields.map((field): [string, FieldValue] => {
          switch (field.kind) {
            case 'flag':
              return [field.name, true];
            case 'columns':
              return [field.name, ['Question']];
            case 'mapping':
              return [field.name, [{ name: 'v', column: 'Answer' }]];
            case 'number':
              return [field.name, '12345678901234567890'];
            case 'json':
              return [field.name, '{\n  "a": 1\n}'];
            case 'conditions':
              return [field.name, JSON.stringify([{ left_config: { source: 'A' } }], null, 2)];
            case 'choice':
              return [field.name, field.options?.[0] ?? ''];
            default:
              return [field.name, 'text'];
          }
        }),
      );
      const filled = Object.fromEntries(
        form.fields
          .filter((field) => isAsked(field, all))
          .flatMap(({ name }) => (all[name] === undefined ? [] : [[name, all[name]] as const])),
      );
      const sent = parseJson(stringifyJson(configOf(form, filled))) as Record<string, unknown>;
      assert.deepEqual(valuesOf(form, sent, columns), filled, form.type);
    }
  });

  it('has one field for a version or a label, and keeps them apart', () => {
    const form = formOf('PROMPT_TEMPLATE');
    const templateOf = (release: string) =>
      configOf(form, { 'template.name': 'p', 'template.version_number': release })['template'];
    const shownOf = (template: object) =>
      valuesOf(form, { template }, columns)['template.version_number'];
    for (const [text, sent] of [
      ['', { name: 'p' }],
      ['3', { name: 'p', version_number: 3 }],
      ['prod', { name: 'p', label: 'prod' }],
      ['label:3', { name: 'p', label: '3' }],
      ['label:label:x', { name: 'p', label: 'label:x' }],
    ] as const) {
      assert.deepEqual(templateOf(text), sent);
      assert.equal(shownOf(sent) ?? '', text);
    }
    const detail = [{ loc: ['body', 'config', 'template', 'label'], msg: 'none', type: 'x' }];
    assert.equal(fieldBlamed(form, detail, {}), 'template.version_number');
  });

  it('sends of a loop only what belongs to what it repeats', () => {
    const values = {
      ...{ loop_type: 'prompt', 'prompt_config.template.name': 'p' },
      ...{ 'prompt_config.engine.model': 'm', 'workflow_config.workflow_id': '7' },
      variable_mappings: [{ name: 'v', column: '_iterator_item' }],
    };
    const mappings = { variable_mappings: { v: '_iterator_item' } };
    assert.deepEqual(configOf(formOf('FOR_LOOP'), values), {
      ...{
        loop_type: 'prompt',
        prompt_config: { template: { name: 'p' }, engine: { model: 'm' } },
      },
      ...mappings,
    });
    assert.deepEqual(configOf(formOf('FOR_LOOP'), { ...values, loop_type: 'workflow' }), {
      ...{ loop_type: 'workflow', workflow_config: { workflow_id: 7 } },
      ...mappings,
    });
  });

  it('keeps the digits of numbers, and null where it is a value, whatever else is edited', () => {
    const number = '12345678901234567891';
    for (const [type, written] of [
      ['COMPARE', `{"sources":["Answer"],"target":${number},"comparison_type":{"type":"JSON"}}`],
      ['COMPARE', '{"sources":["Answer"],"target":null,"comparison_type":{"type":"JSON"}}'],
      [
        'CONDITION',
        `{"conditionals":[{"operator":"=","left_config":{"source":"Answer"},"right_config":{"value":[${number},1.0]}}]}`,
      ],
    ] as const) {
      const config = parseJson(written) as Record<string, unknown>;
      const form = formOf(type);
      const values = valuesOf(form, config, columns);
      assert.equal(faultIn(form, values, t), undefined);
      assert.equal(stringifyJson(configOf(form, values, config)), written.replace('1.0]', '1]'));
    }
  });

  it('shows compared columns by title', () => {
    const conditionals = [
      { operator: '=', left_config: { source: 'id-2' }, right_config: { value: 'id-1' } },
    ];
    const { conditionals: shown } = valuesOf(formOf('CONDITION'), { conditionals }, columns);
    assert.deepEqual(JSON.parse(typeof shown === 'string' ? shown : ''), [
      { operator: '=', left_config: { source: 'Answer' }, right_config: { value: 'id-1' } },
    ]);
  });

  it('exists for every type of columns that the service computes', () => {
    // It computes all that the interface names, or shows them (TEXT, COMPOSITION).
    assert.deepEqual(columnTypes.map(({ type }) => type).sort(), [...apiTypes].sort());
  });

  it('makes conditions and requests that the service takes', () => {
    const conditionals =
      '[{"operator": ">=", "left_config": {"source": "Score"}, "right_config": {"value": 3}}]';
    for (const [chosen, sent] of [
      ['true', true],
      ['false', false],
      ['', undefined],
    ] as const) {
      const config = configOf(formOf('CONDITION'), { conditionals, is_and: chosen });
      assert.equal(config['is_and'], sent);
      columnKind('CONDITION').compile(config as Json);
    }
    const { options = [] } = formOf('ENDPOINT').fields.find(({ name }) => name === 'method') ?? {};
    assert.deepEqual([...options].sort(), ['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
    for (const method of options) {
      const config = configOf(formOf('ENDPOINT'), { url: 'https://api.example.com', method });
      columnKind('ENDPOINT').compile(config as Json);
    }
  });

  it('says what is missing or wrong before the service is asked', () => {
    const wrong = (type: string, values: Readonly<Record<string, FieldValue>>) =>
      faultIn(formOf(type), values, t)?.field;
    assert.equal(wrong('COUNT', { type: 'words' }), 'source');
    assert.equal(wrong('COUNT', { type: 'words', source: 'Question' }), undefined);
    assert.equal(wrong('COMPARE', { sources: [], 'comparison_type.type': 'JSON' }), 'sources');
    const one = { sources: ['Question'], 'comparison_type.type': 'JSON' };
    assert.equal(wrong('COMPARE', { ...one, target: '{"a": 1.0}' }), undefined);
    assert.equal(wrong('COMPARE', { ...one, target: 'yes' }), 'target');
    const control = { data_type: 'number', 'ui_element.type': 'slider' };
    assert.equal(wrong('HUMAN', { ...control, 'ui_element.options': '[' }), 'ui_element.options');
    assert.equal(wrong('HUMAN', { ...control, 'ui_element.min': 'one' }), 'ui_element.min');
    // What is not asked for is not looked at.
    assert.equal(
      wrong('HUMAN', { ...control, data_type: 'string', 'ui_element.min': 'one' }),
      undefined,
    );
    assert.equal(wrong('WORKFLOW', {}), 'workflow_id');
    const empty = { workflow_id: '1', input_mappings: [{ name: '', column: 'Question' }] };
    assert.equal(wrong('WORKFLOW', empty), 'input_mappings');
    const begun =
      '[{"operator": "=", "left_config": {"source": ""}, "right_config": {"value": 1}}]';
    assert.equal(wrong('CONDITION', { conditionals: begun }), 'conditionals');
  });

  it('is shown in the display language: labels and what explains them, never what is sent', () => {
    const shout = (text: string): string => text.toUpperCase();
    const form = formIn(formOf('WORKFLOW'), shout);
    assert.deepEqual([form.type, form.label], ['WORKFLOW', 'WORKFLOW']);
    assert.deepEqual(
      form.fields.map(({ name, label, about }) => [name, label, about]).slice(0, 2),
      [
        ['workflow_id', 'WORKFLOW', 'NAME OR ID OF A WORKFLOW IN THE WORKSPACE.'],
        ['workflow_version_number', 'VERSION OR LABEL', 'DEFAULT: THE LATEST VERSION.'],
      ],
    );
  });

  it('puts the words of the service beside the field that it blames', () => {
    const blamed = (type: string, ...loc: readonly (string | number)[]): string | null =>
      fieldBlamed(formOf(type), [{ loc: [...loc], msg: 'wrong', type: 'x' }], {
        comparison_type: '{"type":"JSON"}',
      });
    const config = ['body', 'config'];
    assert.equal(blamed('REGEX', ...config, 'regex_pattern'), 'regex_pattern');
    assert.equal(blamed('REGEX', ...config, 'source', 'column_id'), 'source');
    assert.equal(blamed('COMPARE', ...config, 'sources', 1), 'sources');
    // A whole group is missing: its first field.
    assert.equal(blamed('PROMPT_TEMPLATE', ...config, 'template'), 'template.name');
    assert.equal(
      blamed('PROMPT_TEMPLATE', ...config, 'template', 'label'),
      'template.version_number',
    );
    assert.equal(blamed('REGEX', 'body', 'title'), 'title');
    for (const elsewhere of [
      ['body', 'config', 'elsewhere'],
      ['body', 'config'],
      ['body', 'dependencies', 0],
      ['query', 'config', 'source'],
      [],
    ]) {
      assert.equal(blamed('REGEX', ...elsewhere), null, elsewhere.join('.'));
    }
    assert.equal(
      fieldBlamed(
        formOf('REGEX'),
        [
          { loc: ['body', 'type'], msg: 'wrong', type: 'x' },
          { loc: ['body', 'config', 'source'], msg: 'wrong', type: 'x' },
        ],
        {},
      ),
      'source',
    );
  });

  it('shows the whole configuration of a type that has no form', () => {
    const form = anyTypeForm('TRACE');
    assert.deepEqual(configOf(form, valuesOf(form, { a: 1 }, columns), { b: 2 }), { a: 1 });
  });
});
