import type { Template } from '../../api/template.ts';
import type { Client } from '../client.ts';
import { hasErrorCode } from '../errors.ts';
import { isMapping } from '../mapping.ts';
import type { PromptVariable } from '../templates/prompt-variables.ts';
import { promptVariables } from '../templates/prompt-variables.ts';

/** What is known of a prompt before it runs. */
export interface PromptType {
  readonly name: string;
  readonly variables: readonly (PromptVariable & { readonly isOptional: boolean })[];
  readonly labels: readonly string[];
  /** JSON schema of its structured output; undefined: it has none. */
  readonly output: unknown;
}

const promptsAtOnce = 4;

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function outputOf({ metadata }: Template): unknown {
  const model = metadata?.['model'];
  const parameters = isMapping(model) ? model['parameters'] : undefined;
  const format = isMapping(parameters) ? parameters['response_format'] : undefined;
  const named = isMapping(format) ? format['json_schema'] : undefined;
  return isMapping(named) ? named['schema'] : undefined;
}

export function promptTypeOf(template: Template, labels: readonly string[]): PromptType {
  const { prompt_template: prompt } = template;
  const messages: readonly unknown[] = Array.isArray(prompt['messages']) ? prompt['messages'] : [];
  const isJinja = [...messages, prompt].some(
    (holder) => isMapping(holder) && holder['template_format'] === 'jinja2',
  );
  return {
    name: template.prompt_name,
    variables: promptVariables(template)
      // A text of Jinja2 may do without any of them, and so may a list.
      .map((variable) => ({ ...variable, isOptional: isJinja || variable.form !== 'text' }))
      .toSorted((one, other) => order(one.name, other.name)),
    labels: labels.toSorted(order),
    output: outputOf(template),
  };
}

/** All prompts of a workspace, by their latest versions, sorted. Errors: those of every call. */
export async function readPromptTypes(
  { templates }: Pick<Client, 'templates'>,
  signal: AbortSignal,
): Promise<readonly PromptType[]> {
  const waiting: Template[] = [];
  for await (const listed of templates.list({ perPage: 100, isSnippet: false }, { signal })) {
    waiting.push(listed);
  }
  const found: PromptType[] = [];
  const readNext = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const template = await templates.getRaw(next.prompt_name, {}, { signal });
      const labels = await templates.labels
        .list(template.id, { signal })
        .catch((error: unknown) => {
          // What a service says that has no labels to tell of.
          if (hasErrorCode(error, 'not_found')) return [];
          throw error;
        });
      found.push(
        promptTypeOf(
          template,
          labels.map((label) => label.release_label),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: promptsAtOnce }, readNext));
  return found.sort((one, other) => order(one.name, other.name));
}
