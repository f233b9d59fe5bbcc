import type {
  AskedOf,
  ColumnField,
  ColumnTypeForm,
  SuggestionKind,
} from '../../protocol/column-form.ts';
import type { Translate } from '../shell/translate.ts';

/** Marks a text for translators. `formIn` looks up its translation. */
const t = (english: string): string => english;

type More = Partial<Omit<ColumnField, 'name' | 'label' | 'kind'>>;
type Kind = ColumnField['kind'];

const field = (name: string, label: string, kind: Kind, more: More = {}): ColumnField => ({
  ...{ name, label, kind },
  ...more,
});
const needed = (name: string, label: string, kind: Kind, more: More = {}): ColumnField =>
  field(name, label, kind, { ...more, isNeeded: true });
const choice = (name: string, label: string, options: readonly string[]): ColumnField =>
  needed(name, label, 'choice', { options });
const form = (
  type: string,
  label: string,
  about: string,
  ...fields: readonly ColumnField[]
): ColumnTypeForm => ({ type, label, about, fields });

const source = needed('source', t('Source'), 'column');
const sources = (least: number, most: number): ColumnField =>
  needed('sources', t('Sources'), 'columns', { count: [least, most] });
const suggest = (
  name: string,
  label: string,
  suggests: SuggestionKind,
  more: More = {},
): ColumnField => field(name, label, 'suggest', { suggests, ...more });
/** Either a version or a label, in one field. */
const release = (version: string, label: string, of: AskedOf, more: More = {}): ColumnField =>
  field(version, t('Version or label'), 'release', {
    ...{ labelName: label, of: [of] },
    about: t('Default: the latest version.'),
    ...more,
  });
/** Which column each variable of a prompt or workflow is taken from. */
const variables = (name: string, ...of: readonly AskedOf[]): ColumnField =>
  field(name, t('Variables'), 'mapping', { of, about: t('A variable without a column is empty.') });

const promptAt = (path: string): AskedOf => ({
  kind: 'prompt',
  name: `${path}template.name`,
  release: `${path}template.version_number`,
  inline: `${path}inline_template`,
});
const workflowAt = (path: string): AskedOf => ({
  kind: 'workflow',
  name: `${path}workflow_id`,
  release: `${path}workflow_version_number`,
});
const promptName = (path: string, more: More = {}): readonly ColumnField[] => [
  suggest(`${path}template.name`, t('Prompt'), 'prompts', {
    about: t('Name of a prompt in the workspace.'),
    ...more,
  }),
  release(`${path}template.version_number`, `${path}template.label`, promptAt(path), more),
];
const inline = (path: string, more: More = {}): ColumnField =>
  field(`${path}inline_template`, t('Inline prompt'), 'json', {
    about: t('Used instead of a stored prompt, as JSON.'),
    ...more,
  });
const engine = (path: string, more: More = {}): readonly ColumnField[] => [
  suggest(`${path}engine.provider`, t('Provider'), 'providers', {
    about: t('Overrides the provider and model of the prompt.'),
    ...more,
  }),
  suggest(`${path}engine.model`, t('Model'), 'models', {
    about: t('Overrides the provider and model of the prompt.'),
    ...more,
  }),
  field(`${path}engine.parameters`, t('Parameters of the model'), 'json', {
    about: t('For example {"temperature": 0}.'),
    ...more,
  }),
];
const workflowParts = (path: string, more: More = {}): readonly ColumnField[] => [
  suggest(`${path}workflow_id`, t('Workflow'), 'workflows', {
    about: t('Name or ID of a workflow in the workspace.'),
    isNeeded: true,
    ...more,
  }),
  release(`${path}workflow_version_number`, `${path}workflow_label`, workflowAt(path), more),
];
const ofLoop = (is: string): More => ({ when: { field: 'loop_type', is } });
const loop: readonly ColumnField[] = [
  choice('loop_type', t('Repeat'), ['prompt', 'workflow']),
  ...promptName('prompt_config.', ofLoop('prompt')),
  ...workflowParts('workflow_config.', ofLoop('workflow')),
  {
    ...variables('variable_mappings', promptAt('prompt_config.'), workflowAt('workflow_config.')),
    // What a loop itself knows.
    options: ['_iterator_item', 'loop_index', 'previous_outputs'],
  },
  ...engine('prompt_config.', ofLoop('prompt')),
  inline('prompt_config.', ofLoop('prompt')),
  field('max_iterations', t('Maximum iterations'), 'number'),
  field('return_all_outputs', t('Return all outputs'), 'flag'),
];

const ofNumbers: More = { when: { field: 'data_type', is: 'number' } };

/** The types that a column can be made of, in the order in which they are offered. */
export const columnTypes: readonly ColumnTypeForm[] = [
  form('TEXT', t('Text'), t('Cells that you edit.')),
  form(
    'PROMPT_TEMPLATE',
    t('Prompt'),
    t('Runs a prompt for each row.'),
    ...promptName(''),
    variables('prompt_template_variable_mappings', promptAt('')),
    field('chat_history_source', t('Conversation history'), 'column', {
      about: t('Its messages are added after those of the prompt.'),
    }),
    ...engine(''),
    inline(''),
  ),
  form(
    'LLM_ASSERTION',
    t('LLM assertion'),
    t('A model decides whether a statement about a cell is true.'),
    source,
    field('prompt', t('Statement'), 'area'),
    field('prompt_source', t('Statement column'), 'column', {
      about: t('Used instead of the statement.'),
    }),
  ),
  form(
    'AI_DATA_EXTRACTION',
    t('AI data extraction'),
    t('A model extracts data from a cell.'),
    source,
    needed('query', t('Data to extract'), 'area'),
  ),
  form(
    'CODE_EXECUTION',
    t('Code'),
    t('Runs code for each row; `data` holds its cells by title.'),
    choice('language', t('Language'), ['JAVASCRIPT', 'PYTHON']),
    needed('code', t('Code'), 'code', { takesColumns: true }),
  ),
  form(
    'COMPARE',
    t('Compare'),
    t('Checks whether two cells are the same.'),
    sources(1, 2),
    field('target', t('Value'), 'json', {
      takesNull: true,
      about: t('With one source: the value to compare it with, as JSON, such as "yes" or 42.'),
    }),
    choice('comparison_type.type', t('Compare as'), ['STRING', 'JSON', 'NUMBER']),
    field('comparison_type.json_path', t('JSON path'), 'line', {
      when: { field: 'comparison_type.type', is: 'JSON' },
    }),
    field('comparison_type.operator', t('Operator'), 'choice', {
      options: ['EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE'],
      when: { field: 'comparison_type.type', is: 'NUMBER' },
    }),
  ),
  form(
    'CONDITION',
    t('Condition'),
    t('Checks whether conditions are met.'),
    needed('conditionals', t('Comparisons'), 'conditions', {
      options: ['=', '!=', '<', '>', '<=', '>=', 'in', 'not_in', 'is_null', 'is_not_null'],
    }),
    field('is_and', t('All of them'), 'choice', {
      ...{ options: ['true', 'false'], isJson: true },
      about: t('If false, one match is enough.'),
    }),
  ),
  form(
    'CONTAINS',
    t('Contains'),
    t('Checks whether a cell contains text, ignoring case.'),
    source,
    field('value', t('Text'), 'line'),
    field('value_source', t('Text column'), 'column', { about: t('Used instead of the text.') }),
  ),
  form(
    'REGEX',
    t('Regular expression'),
    t('Checks whether a cell matches a pattern.'),
    source,
    needed('regex_pattern', t('Pattern'), 'code'),
  ),
  form(
    'REGEX_EXTRACTION',
    t('Regex extraction'),
    t('All parts of a cell that match a pattern.'),
    source,
    needed('regex_pattern', t('Pattern'), 'code'),
  ),
  form(
    'JSON_PATH',
    t('JSON path'),
    t('A part of JSON.'),
    source,
    needed('json_path', t('Path'), 'line'),
  ),
  form(
    'XML_PATH',
    t('XML path'),
    t('A part of XML.'),
    source,
    needed('xml_path', t('Path'), 'line'),
    field('type', t('Find'), 'choice', { options: ['find', 'findall'] }),
  ),
  form(
    'PARSE_VALUE',
    t('Parse'),
    t('A cell converted to a type.'),
    source,
    choice('type', t('Type'), ['string', 'number', 'boolean', 'object']),
  ),
  form(
    'COUNT',
    t('Count'),
    t('Length of a cell.'),
    source,
    choice('type', t('Unit'), ['chars', 'words', 'sentences', 'paragraphs']),
  ),
  form(
    'MIN_MAX',
    t('Smallest or largest'),
    t('The smallest or largest number of a list.'),
    source,
    choice('type', t('Value to return'), ['min', 'max']),
    field('json_path', t('JSON path'), 'line'),
  ),
  form(
    'MATH_OPERATOR',
    t('Compare numbers'),
    t('Checks whether a number is smaller or larger than another.'),
    sources(1, 2),
    choice('operator', t('Operator'), ['lt', 'le', 'gt', 'ge']),
    field('value', t('Number to compare with'), 'number', { about: t('For a single source.') }),
  ),
  form(
    'ABSOLUTE_NUMERIC_DISTANCE',
    t('Absolute numeric distance'),
    t('Absolute difference of two numbers.'),
    sources(2, 2),
  ),
  form(
    'COSINE_SIMILARITY',
    t('Similarity'),
    t('How similar two values are in meaning.'),
    sources(2, 2),
  ),
  form(
    'ASSERT_VALID',
    t('Valid'),
    t('Checks whether a cell is valid.'),
    source,
    choice('type', t('Format'), ['object', 'number', 'sql']),
  ),
  form(
    'COALESCE',
    t('Coalesce (first non-null value)'),
    t('The first cell that is not empty.'),
    sources(2, 100),
  ),
  form('COMBINE_COLUMNS', t('Combine'), t('The cells of a row as one object.'), sources(1, 100)),
  form(
    'COMPOSITION',
    t('Reference'),
    t('Shows another column.'),
    suggest('source', t('Column'), 'references', {
      isNeeded: true,
      about: t('A title, or table.sheet.column.'),
    }),
  ),
  form(
    'VARIABLE',
    t('Constant'),
    t('The same value in every row.'),
    choice('value.type', t('Type'), ['string', 'json']),
    needed('value.value', t('Value'), 'area'),
  ),
  form(
    'APPLY_DIFF',
    t('Apply a diff'),
    t('Text with a diff applied.'),
    needed('content_source', t('Text'), 'column'),
    needed('diff_source', t('Diff'), 'column'),
  ),
  form(
    'HUMAN',
    t('Human input'),
    t('People evaluate each row.'),
    choice('data_type', t('Type'), ['number', 'string']),
    needed('ui_element.type', t('Control'), 'suggest', {
      options: ['slider', 'number', 'text', 'checkbox', 'select'],
    }),
    field('ui_element.min', t('Smallest'), 'number', ofNumbers),
    field('ui_element.max', t('Largest'), 'number', ofNumbers),
    field('ui_element.options', t('Answer options'), 'json', {
      about: t('For example ["good", "bad"].'),
    }),
  ),
  form(
    'ENDPOINT',
    t('HTTP request'),
    t('Sends an HTTP request for each row.'),
    needed('url', t('Address'), 'line'),
    field('method', t('Method'), 'choice', {
      options: ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'],
      about: t('Default: POST.'),
    }),
    field('headers', t('Headers'), 'json', {
      about: t('Not for secrets: everyone in the workspace can read them.'),
    }),
    field('input_mappings', t('Request body'), 'mapping', {
      about: t('Names and the columns they are read from. Default: the whole row.'),
    }),
  ),
  form(
    'WORKFLOW',
    t('Workflow'),
    t('Runs a workflow for each row.'),
    ...workflowParts(''),
    variables('input_mappings', workflowAt('')),
  ),
  form(
    'MCP',
    t('MCP tool'),
    t('Calls a tool of an MCP server for each row.'),
    needed('mcp_server_id', t('Server'), 'line'),
    needed('tool_name', t('Tool'), 'line'),
    field('input_mappings', t('Arguments'), 'mapping', {
      about: t('The column that each argument of the tool is read from.'),
    }),
    field('arguments', t('Arguments that are the same in every row'), 'json'),
  ),
  form(
    'CONVERSATION_SIMULATOR',
    t('Conversation'),
    t('A model plays the user in a conversation with a prompt.'),
    ...promptName(''),
    variables('prompt_template_variable_mappings', promptAt('')),
    field('user_persona', t('User persona'), 'area'),
    field('user_persona_source', t('User persona column'), 'column', {
      about: t('Used instead of the text.'),
    }),
    field('max_turns', t('Maximum turns'), 'number', { about: t('At most 150.') }),
    field('is_user_first', t('User sends the first message'), 'flag'),
  ),
  form(
    'FOR_LOOP',
    t('Loop over a list'),
    t('Repeats a prompt or workflow.'),
    ...loop,
    field('iterator_source', t('List'), 'column', { about: t('Or a number of repetitions.') }),
  ),
  form(
    'WHILE_LOOP',
    t('Loop until'),
    t('Repeats a prompt or workflow until its output says that it is done.'),
    ...loop,
    field('end_condition_json_path', t('Ends when this is true'), 'line', {
      about: t('A JSON path.'),
    }),
  ),
];

/** For types that nobody here knows: their whole configuration. */
export const anyTypeForm = (type: string): ColumnTypeForm =>
  form(type, type, t('This type has no form.'), field('', t('Configuration'), 'json'));

/** The form in the display language. */
export const formIn = (
  { label, about, fields, ...form }: ColumnTypeForm,
  translate: Translate,
): ColumnTypeForm => ({
  ...form,
  label: translate(label),
  about: translate(about),
  fields: fields.map((one) => ({
    ...one,
    label: translate(one.label),
    ...(one.about !== undefined && { about: translate(one.about) }),
  })),
});
