import { namesInWords, steeringIn } from '../../../core/destination/steering.ts';
import { isMapping } from '../../../core/mapping.ts';
import { variablesOf, variablesOfText } from '../../../core/templates/template-variables.ts';
import type { Translate } from '../../shell/translate.ts';
import type { PromptDraft } from './draft.ts';
import { listOf } from './draft.ts';
import { variablesAt } from './names.ts';
import type { Problem } from './problem.ts';
import type { Reading } from './read.ts';
import { schemaFault } from './schema.ts';
import { syntaxProblems } from './syntax.ts';

/** What a variable is given as, by where it stands. */
export type VariableType = 'text' | 'messages' | 'media' | 'tools' | 'values';

/** Variables in JSON outside of the messages: Jinja2 in texts, tools and enums by name. */
function variablesBelow(value: unknown, add: (name: string, type: VariableType) => void): void {
  if (typeof value === 'string') {
    if (/\{\{|\{%/.test(value))
      for (const name of variablesOfText(value, 'jinja2')) add(name, 'text');
  } else if (Array.isArray(value)) {
    for (const item of value) variablesBelow(item, add);
  } else if (isMapping(value)) {
    const { type, name } = value;
    if (typeof name === 'string' && type === 'enum_variable') add(name, 'values');
    else if (typeof name === 'string' && type === 'variable') add(name, 'tools');
    for (const item of Object.values(value)) variablesBelow(item, add);
  }
}

/** Every variable that something in the prompt asks for. */
export function usedVariables({
  template,
  metadata,
}: PromptDraft): ReadonlyMap<string, VariableType> {
  const used = new Map<string, VariableType>();
  const add = (name: string, type: VariableType): void => {
    if (!used.has(name)) used.set(name, type);
  };
  for (const holder of template.type === 'completion' ? [template] : listOf(template['messages'])) {
    if (!isMapping(holder)) continue;
    if (holder['role'] === 'placeholder' && typeof holder['name'] === 'string') {
      add(holder['name'], 'messages');
    }
    for (const part of listOf(holder['content'])) {
      if (!isMapping(part)) continue;
      if (part['type'] === 'media_variable' && typeof part['name'] === 'string')
        add(part['name'], 'media');
      if (typeof part['image_variable'] === 'string') add(part['image_variable'], 'media');
    }
    for (const name of variablesOf(holder)) add(name, 'text');
    // Arguments of earlier calls are filled in as well.
    variablesBelow(holder['tool_calls'], add);
  }
  variablesBelow([template['tools'], template['functions']], add);
  variablesBelow(metadata['model'], add);
  return used;
}

function variableProblems(reading: Reading, draft: PromptDraft, t: Translate): readonly Problem[] {
  const declared = new Set(reading.front?.input_variables);
  // An empty list is filled in by the service.
  if (declared.size === 0) return [];
  const used = usedVariables(draft);
  const unknown = reading.spans
    .flatMap(variablesAt)
    .filter(({ name }) => !declared.has(name))
    .map(({ from, to, name }): Problem => ({
      from,
      to,
      severity: 'warning',
      message: t('"{0}" isn\'t listed in input_variables.', name),
      fix: { kind: 'declare', name },
    }));
  const unused = [...declared]
    .filter((name) => !used.has(name))
    .map((name): Problem => ({
      ...(reading.variables.get(name) ?? reading.keys.get('input_variables') ?? { from: 0, to: 3 }),
      severity: 'warning',
      message: t('The variable "{0}" isn\'t used in the prompt.', name),
      fix: { kind: 'undeclare', name },
    }));
  return [...unknown, ...unused];
}

function schemaProblems({ front, keys }: Reading, t: Translate): readonly Problem[] {
  const at = (key: string) => keys.get(key) ?? { from: 0, to: 3 };
  const problems: Problem[] = [];
  const check = (key: string, what: string, schema: unknown): void => {
    const fault = schemaFault(schema);
    if (fault === undefined) return;
    const message = t("{0} isn't a JSON schema: {1}", what, fault);
    problems.push({ ...at(key), severity: 'error', message });
  };
  const format = front?.response_format;
  if (format?.['type'] === 'json_schema') {
    const { json_schema: given } = format;
    if (!isMapping(given) || typeof given['name'] !== 'string') {
      const message = t(
        'A response_format of type json_schema has json_schema with a name and a schema.',
      );
      problems.push({ ...at('response_format'), severity: 'error', message });
    } else if (given['schema'] !== undefined) {
      check('response_format', 'json_schema.schema', given['schema']);
    }
  } else if (
    format !== undefined &&
    format['type'] !== 'json_object' &&
    format['type'] !== 'text'
  ) {
    const message = t('The type of response_format is json_schema, json_object or text.');
    problems.push({ ...at('response_format'), severity: 'warning', message });
  }
  front?.tools?.forEach((tool, index) => {
    const made = isMapping(tool) && tool['type'] === 'function' ? tool['function'] : undefined;
    if (isMapping(made) && made['parameters'] !== undefined) {
      check('tools', `tools[${index}].function.parameters`, made['parameters']);
    }
  });
  front?.functions?.forEach((made, index) => {
    if (isMapping(made) && made['parameters'] !== undefined) {
      check('functions', `functions[${index}].parameters`, made['parameters']);
    }
  });
  return problems;
}

/** Parameters that a run leaves out, each where it stands. */
function steeringProblems(reading: Reading, draft: PromptDraft, t: Translate): readonly Problem[] {
  const { model } = draft.metadata;
  const parameters = isMapping(model) ? model['parameters'] : undefined;
  const around = reading.keys.get('model') ?? reading.keys.get('metadata') ?? { from: 0, to: 3 };
  return steeringIn(parameters).map((path): Problem => ({
    ...(reading.parameters.get(path) ?? around),
    severity: 'warning',
    message: t(
      '"{0}" is ignored: prompts can\'t set where requests are sent. Set the address in the environment or in the workspace.',
      namesInWords([path]),
    ),
  }));
}

/** All that is wrong with a document, and what to look at. */
export function problemsOf(reading: Reading, t: Translate): readonly Problem[] {
  const { draft } = reading;
  return [
    ...reading.problems,
    ...reading.spans.flatMap((span) => syntaxProblems(span, t)),
    ...schemaProblems(reading, t),
    ...(draft === undefined ? [] : steeringProblems(reading, draft, t)),
    ...(draft === undefined ? [] : variableProblems(reading, draft, t)),
  ];
}
