import * as z from 'zod';
import { askedBy } from '../code-index/call-index.ts';
import { ConfigurationError, describeError, ValidationError } from '../errors.ts';
import { pythonOf } from '../prompt-types/python.ts';
import { readPromptTypes } from '../prompt-types/read.ts';
import { typescriptOf } from '../prompt-types/typescript.ts';
import { tokensIn, withinTokens } from './budget.ts';
import { tokensField, workspaceField } from './fields.ts';
import type { CodePlace } from './tool.ts';
import { survey, tool } from './tool.ts';

const frameTokens = 200;

/** How often code asks for each, and with which labels. */
function summaryOf(places: readonly CodePlace[]): readonly object[] {
  const groups = new Map<
    string,
    { readonly first: CodePlace; count: number; labels: Set<string> }
  >();
  for (const place of places) {
    const key = `${askedBy(place)} ${place.name}`;
    const group = groups.get(key) ?? { first: place, count: 0, labels: new Set() };
    groups.set(key, group);
    group.count += 1;
    if (place.label !== undefined) group.labels.add(place.label);
  }
  return [...groups.values()].map(({ first, count, labels }) => ({
    ...{ [askedBy(first)]: first.name, usages: count, labels: [...labels].sort() },
  }));
}

export const findUsages = survey({
  name: 'find_prompt_usages',
  title: 'Find prompts in code',
  description:
    'Finds where the TypeScript, JavaScript and Python code of the folder asks for a stored prompt or workflow: file, line, kind of call, release label. Use it before a prompt, a label or a variable is changed. Without "prompt" and "workflow": all that code asks for, with how often. Names that are computed are not found.',
  effect: 'reads',
  input: z.strictObject({
    prompt: z.string().min(1).optional().describe('Exact name of a prompt template.'),
    workflow: z.string().min(1).optional().describe('Exact name of a workflow.'),
    label: z.string().min(1).optional().describe('Only code that asks for this release label.'),
    limit: z.int().min(1).max(500).default(100).describe('How many places at most.'),
  }),
  async survey({ prompt, workflow, label, limit }, { findInCode }, signal) {
    if (prompt !== undefined && workflow !== undefined) {
      throw new ValidationError({
        kind: 'tool-call',
        words: 'Give a prompt or a workflow, not both.',
      });
    }
    const found = await findInCode(signal);
    if (found === undefined) {
      throw new ConfigurationError({
        kind: 'tool-call',
        words:
          'There is no folder of code to look into: open one in VS Code (promptTables.code.enabled is on), or start the MCP server with --folder PATH.',
      });
    }
    const asked = found.places.filter(
      (place) =>
        (prompt === undefined || (askedBy(place) === 'prompt' && place.name === prompt)) &&
        (workflow === undefined || (askedBy(place) === 'workflow' && place.name === workflow)) &&
        (label === undefined || place.label === label),
    );
    const note = found.isPartial && {
      note: 'There are more code files than were looked through: others may ask for it too.',
    };
    if (prompt === undefined && workflow === undefined && label === undefined) {
      const all = summaryOf(asked);
      return { in_code: all.slice(0, limit), more: all.length > limit, ...note };
    }
    return {
      usages: asked.slice(0, limit).map(({ file, line, kind, name, label: own }) => ({
        ...{ file, line, call: kind, name },
        ...(own !== undefined && { label: own }),
      })),
      ...{ total: asked.length, ...note },
    };
  },
});

const modules = { typescript: typescriptOf, python: pythonOf };

export const getTypes = tool({
  name: 'get_prompt_types',
  title: 'Get types of prompts',
  description:
    'Returns a module of TypeScript or Python with the types of stored prompts by their latest versions: names, variables, labels, structured output. Use it to write code that runs prompts. Name the prompts that are needed; without, those of the whole workspace. The commands "Generate Prompt Types" and prompt-tables-types write the same to a file.',
  effect: 'reads',
  input: z.strictObject({
    ...workspaceField,
    prompts: z
      .array(z.string().min(1))
      .min(1)
      .max(50)
      .optional()
      .describe('Exact names. Default: all prompts.'),
    language: z
      .enum(['typescript', 'python'])
      .default('typescript')
      .describe('Language of the module.'),
    ...tokensField,
  }),
  async run({ prompts: names, language }, { client, options, tokens }) {
    const { prompts, unread } = await readPromptTypes(client, options.signal, names);
    const { text } = modules[language](prompts);
    const failed = unread.map(({ name, error }) => ({ prompt: name, error: describeError(error) }));
    const left = tokens - tokensIn(JSON.stringify(failed)) - frameTokens;
    const module = withinTokens(text, Math.max(left, frameTokens));
    return {
      module,
      prompts: prompts.length,
      ...(failed.length > 0 && { not_read: failed }),
      ...(module.length < text.length && {
        note: 'Cut: the module is longer than max_tokens. Name fewer prompts, or call again with more.',
      }),
    };
  },
});
