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

/** Of others the next prompt would fail too. */
const ownFaults = ['not_found', 'validation', 'conflict', 'server', 'response_format'] as const;

/** All prompts of a workspace, by their latest versions, sorted. */
export interface ReadTypes {
  readonly prompts: readonly PromptType[];
  /** Prompts that are there and could not be read. */
  readonly unread: readonly { readonly name: string; readonly error: unknown }[];
}

/** What a file said before of prompts that could not be read now. */
export interface Former {
  readonly unread: readonly string[];
  readonly text: string;
}

export interface MadeModule {
  readonly text: string;
  /** Could not be read, and nothing was said of them before. */
  readonly leftOut: readonly string[];
}

const promptsAtOnce = 4;

export const order = (one: string, other: string): number =>
  one < other ? -1 : one > other ? 1 : 0;

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

async function namesIn(
  { templates }: Pick<Client, 'templates'>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const names: string[] = [];
  for await (const listed of templates.list({ perPage: 100, isSnippet: false }, { signal })) {
    names.push(listed.prompt_name);
  }
  return names;
}

/**
 * Of prompts by their names, or of all that there are. Errors: those of every call that are not of one
 * prompt alone, and that of the first if none can be read.
 */
export async function readPromptTypes(
  client: Pick<Client, 'templates'>,
  signal: AbortSignal | undefined,
  names?: readonly string[],
): Promise<ReadTypes> {
  const { templates } = client;
  const waiting = names === undefined ? await namesIn(client, signal) : [...new Set(names)];
  const prompts: PromptType[] = [];
  const unread: { readonly name: string; readonly error: unknown }[] = [];
  const read = async (name: string): Promise<PromptType> => {
    const template = await templates.getRaw(name, {}, { signal });
    const labels = await templates.labels.list(template.id, { signal }).catch((error: unknown) => {
      // What a service says that has no labels to tell of.
      if (hasErrorCode(error, 'not_found')) return [];
      throw error;
    });
    return promptTypeOf(
      template,
      labels.map((label) => label.release_label),
    );
  };
  const readNext = async (): Promise<void> => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      try {
        prompts.push(await read(name));
      } catch (error) {
        if (!ownFaults.some((code) => hasErrorCode(error, code))) throw error;
        unread.push({ name, error });
      }
    }
  };
  await Promise.all(Array.from({ length: promptsAtOnce }, readNext));
  const [first] = unread;
  if (prompts.length === 0 && first !== undefined) throw first.error;
  const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
    order(one.name, other.name);
  return { prompts: prompts.sort(byName), unread: unread.sort(byName) };
}
