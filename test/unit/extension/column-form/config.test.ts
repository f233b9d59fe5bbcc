import assert from 'node:assert/strict';
import { columnTypes as apiTypes } from '../../../../src/api/column.ts';
import { stringifyJson, parseJson } from '../../../../src/core/http/json.ts';
import {
  configOf,
  faultIn,
  fieldNamedIn,
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
      const filled = Object.fromEntries(
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
            case 'choice':
              return [field.name, field.options?.[0] ?? ''];
            default:
              return [field.name, 'text'];
          }
        }),
      );
      const sent = parseJson(stringifyJson(configOf(form, filled))) as Record<string, unknown>;
      assert.deepEqual(valuesOf(form, sent, columns), filled, form.type);
    }
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
    assert.equal(
      wrong('COMPARE', { sources: ['Question'], 'comparison_type.type': 'JSON' }),
      'sources',
    );
    assert.equal(wrong('HUMAN', { data_type: 'number', ui_element: '{' }), 'ui_element');
    assert.equal(wrong('WORKFLOW', { workflow_id: 'first' }), 'workflow_id');
    const empty = { workflow_id: '1', input_mappings: [{ name: '', column: 'Question' }] };
    assert.equal(wrong('WORKFLOW', empty), 'input_mappings');
  });

  it('is shown in the display language: labels and what explains them, never what is sent', () => {
    const shout = (text: string): string => text.toUpperCase();
    const form = formIn(formOf('WORKFLOW'), shout);
    assert.deepEqual([form.type, form.label], ['WORKFLOW', 'WORKFLOW']);
    assert.deepEqual(
      form.fields.map(({ name, label, about }) => [name, label, about]).slice(0, 2),
      [
        ['workflow_id', 'WORKFLOW ID', undefined],
        ['workflow_version_number', 'VERSION', 'EMPTY: THE LATEST.'],
      ],
    );
  });

  it('puts the words of the service beside the field that they are about', () => {
    assert.equal(fieldNamedIn(formOf('REGEX'), 'regex_pattern: not a pattern'), 'regex_pattern');
    const quoting = 'The regular expression "(x" is not valid.';
    assert.equal(fieldNamedIn(formOf('REGEX'), quoting, { regex_pattern: '(x' }), 'regex_pattern');
    assert.equal(fieldNamedIn(formOf('REGEX'), 'A column has this title.'), 'title');
    assert.equal(fieldNamedIn(formOf('REGEX'), 'Something else'), null);
  });

  it('shows the whole configuration of a type that has no form', () => {
    const form = anyTypeForm('TRACE');
    assert.deepEqual(configOf(form, valuesOf(form, { a: 1 }, columns), { b: 2 }), { a: 1 });
  });
});
