import type { PromptTemplate } from '../../api/template.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';
import { invalid } from '../http/problem.ts';

/** Fields of a patch that are absent leave their part as it is; null takes it away. */
export type TemplatePatch = Mapping;

function patchList(field: string, before: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return patch;
  if (patch === null) {
    if (field === 'tools' || field === 'functions') return null;
    throw invalid(`${field} can be replaced by a list, but not taken away.`);
  }
  if (!isMapping(patch)) throw invalid(`${field} is a list, or an object with indexes as keys.`);
  const list: unknown[] = Array.isArray(before) ? [...(before as unknown[])] : [];
  for (const [key, value] of Object.entries(patch)) {
    const index = /^\d{1,6}$/.test(key) ? Number(key) : -1;
    if (index < 0 || index >= list.length) {
      throw invalid(
        `${field} has no item ${key}: there are ${String(list.length)}, counted from 0. Give a list to replace them all.`,
      );
    }
    const old = list[index];
    list[index] = isMapping(old) && isMapping(value) ? { ...old, ...value } : value;
  }
  return list;
}

function refuseField(
  template: PromptTemplate,
  patch: TemplatePatch,
  fields: readonly string[],
): void {
  const wrong = fields.find((field) => patch[field] !== undefined);
  if (wrong !== undefined) {
    throw invalid(`${wrong} can't be patched: the template is of type ${template.type}.`);
  }
}

const chatFields = ['messages', 'tools', 'functions', 'function_call', 'tool_choice'];

/** The variables are found anew for what was changed. */
const withoutVariables = (value: unknown): unknown => {
  if (!isMapping(value)) return value;
  const { input_variables: _, ...rest } = value;
  return rest;
};

export function patchTemplate(template: PromptTemplate, patch: TemplatePatch): PromptTemplate {
  if (template.type === 'completion') {
    refuseField(template, patch, chatFields);
    if (patch['content'] === undefined) return template;
    const changed = {
      ...template,
      content: patchList('content', template['content'], patch['content']),
    };
    return { ...(withoutVariables(changed) as PromptTemplate), type: template.type };
  }
  refuseField(template, patch, ['content']);
  const changed: Record<string, unknown> = { ...template };
  for (const field of ['messages', 'tools', 'functions']) {
    if (patch[field] !== undefined) {
      changed[field] = patchList(field, template[field], patch[field]);
    }
  }
  for (const field of ['function_call', 'tool_choice']) {
    if (patch[field] !== undefined) changed[field] = patch[field];
  }
  if (patch['messages'] !== undefined) {
    delete changed['input_variables'];
    if (Array.isArray(changed['messages']))
      changed['messages'] = changed['messages'].map(withoutVariables);
  }
  return { ...changed, type: template.type };
}

/** Metadata with changed parameters of the model. */
export function patchMetadata(metadata: Mapping | null, patch: TemplatePatch): Mapping | null {
  const { model_parameters: parameters, response_format: format } = patch;
  if (parameters === undefined && format === undefined) return metadata;
  if (isMapping(parameters) && format !== undefined && 'response_format' in parameters) {
    throw invalid('Give response_format either by itself or inside model_parameters, not both.');
  }
  const model = metadata?.['model'];
  if (!isMapping(model)) {
    throw invalid(
      'The template has no model whose parameters could be changed. Publish it with one.',
    );
  }
  const before = isMapping(model['parameters']) ? model['parameters'] : {};
  const merged: Record<string, unknown> = { ...before, ...(isMapping(parameters) && parameters) };
  if (format === null) delete merged['response_format'];
  else if (format !== undefined) merged['response_format'] = format;
  return { ...metadata, model: { ...model, parameters: merged } };
}
