import type { PromptTemplate } from '../../api/template.ts';
import { parseJson } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What was asked and what came back, as one template. */
export function joinTemplates(input: PromptTemplate, output: PromptTemplate): PromptTemplate {
  if (output.type === 'completion') return { ...input, ...output };
  // A completion was asked, a message came back.
  if (input.type === 'completion') return output;
  return { ...input, messages: [...listOf(input['messages']), ...listOf(output['messages'])] };
}

/** The prompt blueprint of a request. */
export function blueprintOf(
  input: PromptTemplate,
  output: PromptTemplate,
  metadata: Mapping,
): Mapping {
  return {
    prompt_template: joinTemplates(input, output),
    metadata,
    commit_message: null,
    inference_client_name: null,
    provider_base_url_name: null,
  };
}

/** The same out of the database. */
export function storedBlueprint(record: {
  readonly input_json: string;
  readonly output_json: string;
  readonly model_json: string;
}): Mapping {
  const model = parseJson(record.model_json);
  return blueprintOf(
    parseJson(record.input_json) as PromptTemplate,
    parseJson(record.output_json) as PromptTemplate,
    { model: isMapping(model) ? model : null },
  );
}
