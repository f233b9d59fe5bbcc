import * as z from 'zod';
import type { Template } from '../../api/template.ts';
import { destinationOf } from '../destination/destination.ts';
import { ValidationError, isCancellation } from '../errors.ts';
import { stringifyJson } from '../http/json.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { withinTokens, tokensIn } from './budget.ts';
import { tokensField, workspaceField } from './fields.ts';
import { onRequestsOf } from './request-tools.ts';
import type { ToolCall } from './tool.ts';
import { tool } from './tool.ts';

/** An estimate is worth no longer wait. */
const estimateLimitMs = 5_000;
const frameTokens = 100;

const promptFields = {
  ...workspaceField,
  prompt: z.string().min(1).describe('Name or id of the prompt template.'),
  version: z.int().positive().optional().describe('Left out with label: the latest version.'),
  label: z.string().min(1).optional().describe('Release label, such as "prod".'),
};

function oneChoice({ version, label }: { readonly version?: unknown; readonly label?: unknown }) {
  if (version === undefined || label === undefined) return;
  throw new ValidationError({ kind: 'tool-call', words: 'Give a version or a label, not both.' });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Names that the prompt and each of its messages declare. */
function variablesOf({ prompt_template: prompt }: Template): readonly string[] {
  const holders = [prompt, ...listOf(prompt['messages'])].filter(isMapping);
  const names = holders.flatMap((holder) => listOf(holder['input_variables']));
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

function modelOf({ metadata }: Template): { provider: string; model: string } | undefined {
  const { model } = metadata ?? {};
  if (!isMapping(model)) return undefined;
  const { provider, name } = model;
  return typeof provider === 'string' && typeof name === 'string'
    ? { provider, model: name }
    : undefined;
}

const readInput = z.strictObject({ ...promptFields, ...tokensField });

async function readTemplate(
  input: z.output<typeof readInput>,
  { client, options, tokens }: ToolCall,
): Promise<object> {
  oneChoice(input);
  const { prompt, version, label } = input;
  const template = await client.templates.getRaw(prompt, { version, label }, options);
  const labels = await client.templates.labels.list(template.id, options);
  const head = {
    ...{ name: template.prompt_name, id: template.id, version: template.version },
    variables: variablesOf(template),
    labels: labels.map((one) => ({
      label: one.release_label,
      version: one.prompt_version_number,
    })),
    tags: template.tags ?? [],
    commit_message: template.commit_message ?? null,
    model: template.metadata?.['model'] ?? null,
  };
  const left = tokens - tokensIn(JSON.stringify(head));
  if (tokensIn(stringifyJson(template.prompt_template)) <= left) {
    return { ...head, template: template.prompt_template };
  }
  const text = stringifyJson(template.prompt_template);
  return {
    ...head,
    template_beginning: withinTokens(text, Math.max(left, frameTokens)),
    note: 'The template is longer than max_tokens: call again with more to read all of it.',
  };
}

export const getTemplate = tool({
  name: 'get_prompt_template',
  title: 'Read a prompt',
  description: 'The same as list_prompt_templates with prompt.',
  effect: 'reads',
  input: readInput,
  run: readTemplate,
});

export const listTemplates = tool({
  name: 'list_prompt_templates',
  title: 'List or read prompts',
  description:
    'Lists the prompt templates of a workspace, newest first: name, id, latest version, tags, model. Use it to find the exact name for run_prompt_template. With "prompt": reads a version of that one as it was published: messages with variables in place, tools, model and its parameters, the variables it takes, its release labels. Snippets are filled in.',
  effect: 'reads',
  input: z.strictObject({
    ...promptFields,
    prompt: promptFields.prompt.optional().describe('Name or id of one that is read.'),
    name: z.string().min(1).optional().describe('Only prompts with this text in their name.'),
    tags: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Only prompts that have all of these tags.'),
    limit: z.int().min(1).max(100).default(30).describe('How many prompts at most.'),
    ...tokensField,
  }),
  async run(input, call) {
    const { prompt, version, label, name, tags, limit } = input;
    if (prompt !== undefined) return readTemplate({ ...input, prompt }, call);
    if (version !== undefined || label !== undefined) {
      throw new ValidationError({
        kind: 'tool-call',
        words: 'Of which prompt is this the version or label? Give "prompt".',
      });
    }
    const { client, options } = call;
    const prompts: object[] = [];
    const query = { name, tags, per_page: limit };
    for await (const template of client.templates.list(query, options)) {
      if (prompts.length === limit) return { prompts, more: true };
      const { id, prompt_name: own, version } = template;
      prompts.push({ name: own, id, version, tags: template.tags ?? [], ...modelOf(template) });
    }
    return { prompts, more: false };
  },
});

const running = z.strictObject({
  ...promptFields,
  variables: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Values of the variables that the prompt takes, by name.'),
  provider: z.string().min(1).optional().describe('Another provider; together with model.'),
  model: z.string().min(1).optional().describe('Another model; together with provider.'),
  ...tokensField,
});
type Running = z.output<typeof running>;

async function averageUsd(template: Template, call: ToolCall): Promise<number | undefined> {
  const limit = AbortSignal.timeout(estimateLimitMs);
  const signal = AbortSignal.any([limit, ...(call.options.signal ? [call.options.signal] : [])]);
  try {
    const wanted = { filterGroup: onRequestsOf(template.id) };
    const { totalCost, totalRequests } = await call.client.requests.analytics(wanted, { signal });
    return totalCost && totalRequests ? totalCost / totalRequests : undefined;
  } catch (error) {
    if (isCancellation(error) && call.options.signal?.aborted) throw error;
    // The question is put without it: it says that the cost is not known.
    return undefined;
  }
}

function withAllVariables({ variables }: Running, template: Template): void {
  const missing = variablesOf(template).filter((name) => variables[name] === undefined);
  if (missing.length === 0) return;
  throw new ValidationError(
    { kind: 'tool-call', words: `Variables are missing: ${missing.join(', ')}.` },
    {
      hint: {
        kind: 'call-again',
        words: 'Give each of them in "variables"; ask the user for what is not known.',
      },
    },
  );
}

/** What the model has said, in a blueprint. */
function replyIn(blueprint: Mapping): { text: string; calls: readonly unknown[] } {
  const { prompt_template: sent } = blueprint;
  const prompt = isMapping(sent) ? sent : {};
  const last = listOf(prompt['messages']).at(-1);
  const reply = prompt['type'] === 'completion' ? prompt : isMapping(last) ? last : {};
  const texts = listOf(reply['content']).map((part) =>
    isMapping(part) ? part['text'] : undefined,
  );
  return {
    text: texts.filter((text) => typeof text === 'string').join('\n'),
    calls: listOf(reply['tool_calls']).map((one) => (isMapping(one) ? one['function'] : one)),
  };
}

function originIn(template: Template): string | undefined {
  const { baseURL } = destinationOf(template);
  return baseURL !== undefined && URL.canParse(baseURL) ? new URL(baseURL).origin : undefined;
}

export const runTemplate = tool({
  name: 'run_prompt_template',
  title: 'Run a prompt',
  description:
    'Runs a prompt template with given variables: its model is asked from this machine with the keys of the user, and the request is logged in the workspace. It costs money, so the user is asked first. Returns the text, tool calls, and the request_id of the log. Read the prompt first to know its variables.',
  effect: 'changes',
  input: running,
  async plan(input, call) {
    oneChoice(input);
    const { prompt, version, label, provider, model } = input;
    const template = await call.client.templates.getRaw(prompt, { version, label }, call.options);
    withAllVariables(input, template);
    const own = modelOf(template);
    const asked = provider !== undefined && model !== undefined ? { provider, model } : own;
    const isOwn = asked?.model === own?.model;
    return {
      kind: 'run',
      workspace: call.workspace.name,
      prompt: template.prompt_name,
      version: template.version ?? version,
      label,
      model: asked && `${asked.provider}/${asked.model}`,
      sentTo: originIn(template),
      costUsd: isOwn ? await averageUsd(template, call) : undefined,
    };
  },
  async run(input, { client, options, tokens }) {
    oneChoice(input);
    const { prompt, version, label, variables, provider, model } = input;
    const template = await client.templates.getRaw(prompt, { version, label }, options);
    withAllVariables(input, template);
    const result = await client.run(
      {
        promptName: template.prompt_name,
        promptVersion: version,
        promptReleaseLabel: label,
        inputVariables: variables,
        ...{ provider, model },
        tags: ['assistant'],
      },
      options,
    );
    const { text, calls } = replyIn(result.prompt_blueprint);
    const shown = withinTokens(text, tokens - frameTokens);
    return {
      text: shown,
      ...(calls.length > 0 && { tool_calls: calls }),
      request_id: result.request_id,
      ...(shown.length < text.length && {
        note: `Cut: the text has ${String(text.length)} characters. The log has all of it.`,
      }),
    };
  },
});
