import * as z from 'zod';
import type { Mapping } from '../../core/mapping.ts';
import type { Json } from '../engine/columns/json.ts';
import { inlineTemplate } from '../engine/columns/prompt-template.ts';
import type { PromptOrder } from '../engine/prompts.ts';
import { invalid } from '../http/problem.ts';

const text = z.string().min(1).nullish();
const number = z.int().positive().nullish();

/** Which prompt a node runs, in any of the spellings that are in use. */
const PromptConfig = z.looseObject({
  template: z
    .looseObject({
      prompt_name: text,
      name: text,
      prompt_id: number,
      id: number,
      version: number,
      version_number: number,
      label: text,
      release_label: text,
    })
    .nullish(),
  inline_template: inlineTemplate.nullish(),
  prompt_template_variable_mappings: z.record(z.string(), z.string()).nullish(),
  engine: z
    .looseObject({
      provider: text,
      model: text,
      name: text,
      parameters: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
  verbose: z.boolean().nullish(),
  return_template_only: z.boolean().nullish(),
});
type PromptConfig = z.output<typeof PromptConfig>;

export interface PromptNode extends Pick<
  PromptOrder,
  'template' | 'model' | 'templateOnly' | 'verbose'
> {
  /** Names of nodes and input variables, by the prompt's variables; undefined: each its own. */
  readonly mappings: Readonly<Record<string, string>> | undefined;
}

function templateOf({ template, inline_template: inline }: PromptConfig): PromptOrder['template'] {
  if (inline) {
    return { promptTemplate: inline.prompt_template, metadata: inline.metadata ?? undefined };
  }
  const nameOrId =
    template?.prompt_name ?? template?.name ?? template?.prompt_id ?? template?.id ?? undefined;
  if (nameOrId === undefined) throw invalid('template has neither prompt_name nor prompt_id.');
  return {
    nameOrId: String(nameOrId),
    version: template?.version ?? template?.version_number ?? undefined,
    label: template?.label ?? template?.release_label ?? undefined,
  };
}

export function promptNodeOf(configuration: Mapping): PromptNode {
  const parsed = PromptConfig.safeParse(configuration);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  const { engine, prompt_template_variable_mappings: mappings, ...rest } = parsed.data;
  return {
    template: templateOf(rest),
    mappings: mappings ?? undefined,
    model: {
      provider: engine?.provider ?? undefined,
      name: engine?.model ?? engine?.name ?? undefined,
      // A definition comes out of the database, so it is JSON.
      parameters: (engine?.parameters ?? undefined) as Readonly<Record<string, Json>> | undefined,
    },
    templateOnly: rest.return_template_only === true,
    verbose: rest.verbose === true,
  };
}

export const checkPromptNode = (configuration: Mapping): void => void promptNodeOf(configuration);
