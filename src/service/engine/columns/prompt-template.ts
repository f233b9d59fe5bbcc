import * as z from 'zod';
import { CellProblem } from '../problem.ts';
import type { PromptOrder, Said } from '../prompts.ts';
import { defineColumn, sourceName } from './column-kind.ts';
import type { Json } from './json.ts';
import { isObject, toJson, toText } from './json.ts';
import type { Sources } from './sources.ts';

export const mappingsKey = 'prompt_template_variable_mappings';

const template = z
  .looseObject({
    name: z.string().min(1).nullish(),
    id: z.int().positive().nullish(),
    version_number: z.int().positive().nullish(),
    label: z.string().min(1).nullish(),
  })
  .refine(({ name, id }) => (name ?? id ?? undefined) !== undefined, {
    error: 'give the name or the id of a template',
  })
  .refine((given) => !given.version_number || !given.label, {
    error: 'give version_number or label, not both',
  });

export const inlineTemplate = z.looseObject({
  prompt_template: z.looseObject({ type: z.enum(['chat', 'completion']) }),
  metadata: z.looseObject({}).nullish(),
});

/** The fields of a column, or of a part of one, that runs a prompt. */
export const promptConfig = z
  .looseObject({
    template: template.nullish(),
    inline_template: inlineTemplate.nullish(),
    [mappingsKey]: z.record(z.string(), sourceName).nullish(),
    engine: z
      .looseObject({
        provider: z.string().nullish(),
        model: z.string().nullish(),
        parameters: z.record(z.string(), z.unknown()).nullish(),
      })
      .nullish(),
    chat_history_source: sourceName.nullish(),
    verbose: z.boolean().nullish(),
    return_template_only: z.boolean().nullish(),
  })
  .refine((given) => Boolean(given.template) !== Boolean(given.inline_template), {
    error: 'give template or inline_template, one of them',
  });

type Config = z.output<typeof promptConfig>;

function templateOf({
  template: stored,
  inline_template: inline,
}: Config): PromptOrder['template'] {
  if (inline) {
    return { promptTemplate: inline.prompt_template, metadata: inline.metadata ?? undefined };
  }
  return {
    nameOrId: stored?.name ?? String(stored?.id ?? ''),
    version: stored?.version_number ?? undefined,
    label: stored?.label ?? undefined,
  };
}

/** Which prompt is run, and how: the same for every row. */
export const promptOf = (
  given: Config,
): Pick<PromptOrder, 'template' | 'model' | 'templateOnly' | 'verbose'> => ({
  template: templateOf(given),
  model: {
    provider: given.engine?.provider ?? undefined,
    name: given.engine?.model ?? undefined,
    // A config comes out of the database, so it is JSON.
    parameters: (given.engine?.parameters ?? undefined) as
      Readonly<Record<string, Json>> | undefined,
  },
  templateOnly: given.return_template_only === true,
  verbose: given.verbose === true,
});

/** What has been said before, as a conversation simulator writes it down. */
function historyOf(sources: Sources): readonly Said[] | undefined {
  const key = 'chat_history_source';
  if (!sources.has(key)) return undefined;
  const { title, value } = sources.one(key);
  if (value === null || value === '') return undefined;
  const list = toJson(value, title);
  const said = (Array.isArray(list) ? list : []).flatMap((message): Said[] => {
    if (!isObject(message)) return [];
    const { role, content } = message;
    const parts = Array.isArray(content) ? content : [content ?? null];
    const texts = parts.map((part) => toText(isObject(part) ? (part['text'] ?? null) : part));
    if (role !== 'user' && role !== 'assistant') return [];
    return [{ role, content: texts.join('') }];
  });
  if (said.length > 0) return said;
  throw new CellProblem(
    'invalid_input',
    `Column "${title}" holds no conversation: a list of { role, content } of user and assistant.`,
  );
}

/** Asks a model. The prompt's variables come from the columns that they are mapped to. */
export const promptTemplate = defineColumn('PROMPT_TEMPLATE', promptConfig, (given) => {
  const shared = promptOf(given);
  return {
    slow: true,
    compute: (sources, { prompts, callContext, signal, onBegin }) => {
      const variables = Object.fromEntries(sources.variables(mappingsKey));
      if (prompts === undefined) {
        throw new CellProblem('not_supported', "This process doesn't run prompts.");
      }
      const history = historyOf(sources);
      return prompts.run({
        ...shared,
        callContext,
        variables,
        signal,
        onBegin,
        ...(history && { history }),
      });
    },
  };
});
