import type { Client } from '../../core/index.ts';
import { ConflictError, NotFoundError } from '../../core/errors.ts';
import type { Sample, SamplePrompt, SampleRequests, SampleWorkflow } from './sample.ts';

interface Options {
  readonly signal: AbortSignal;
}

/** What cannot be found is there to be made. */
async function isThere(found: Promise<unknown>): Promise<boolean> {
  try {
    await found;
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

async function folderOf({ folders }: Client, name: string, options: Options): Promise<number> {
  try {
    return (await folders.create({ name }, options)).id;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const workspaceId = await folders.workspaceId(options);
    return folders.idOf({ path: name, workspaceId: workspaceId ?? 0 }, options);
  }
}

async function addPrompt(
  { templates }: Client,
  { name, versions }: SamplePrompt,
  folderId: number,
  options: Options,
): Promise<void> {
  for (const { commitMessage, labels, template } of versions) {
    await templates.publish(
      {
        promptName: name,
        promptTemplate: template,
        commitMessage,
        releaseLabels: labels,
        folderId,
      },
      options,
    );
  }
}

async function addWorkflow(
  { workflows }: Client,
  { name, commitMessage, inputVariables, nodes }: SampleWorkflow,
  folderId: number,
  options: Options,
): Promise<void> {
  await workflows.create(
    { name, commitMessage, nodes, requiredInputVariables: inputVariables, folderId },
    options,
  );
}

/** As if the prompt had been run a moment ago, one run after the other. */
async function addRequests(
  client: Client,
  { prompt, version, provider, model, metadata, tags, answers }: SampleRequests,
  options: Options,
): Promise<void> {
  const now = new Date();
  let at = now.getTime() - answers.length * 60_000;
  for (const { variables, text, latencySeconds, inputTokens, outputTokens, price } of answers) {
    const { prompt_template: input } = await client.templates.get(
      prompt,
      { version, inputVariables: variables },
      options,
    );
    await client.logRequest(
      {
        ...{ provider, model, input, metadata, tags, price },
        output: {
          type: 'chat',
          messages: [{ role: 'assistant', content: [{ type: 'text', text }] }],
        },
        request_start_time: new Date(at).toISOString(),
        request_end_time: new Date(at + latencySeconds * 1000).toISOString(),
        prompt_name: prompt,
        prompt_version_number: version,
        prompt_input_variables: variables,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
      },
      options,
    );
    at += 60_000;
  }
}

/** What is not there yet, and how it is made. */
export interface Missing {
  readonly name: string;
  readonly add: (folderId: number) => Promise<void>;
}

/** What has the name of a sample is left as it is: somebody may have changed it. */
export async function missingOf(
  client: Client,
  { prompts, workflows }: Sample,
  options: Options,
): Promise<readonly Missing[]> {
  const unless = async (found: Promise<unknown>, missing: Missing): Promise<readonly Missing[]> =>
    (await isThere(found)) ? [] : [missing];
  const missing = await Promise.all([
    ...prompts.map(async (prompt) =>
      unless(client.templates.getRaw(prompt.name, {}, options), {
        name: prompt.name,
        add: (folderId) => addPrompt(client, prompt, folderId, options),
      }),
    ),
    ...workflows.map(async (workflow) =>
      unless(client.workflows.get(workflow.name, {}, options), {
        name: workflow.name,
        add: (folderId) => addWorkflow(client, workflow, folderId, options),
      }),
    ),
  ]);
  return missing.flat();
}

/** Prompts, workflows and logged requests, so that no view is empty. */
export async function addMissing(
  client: Client,
  { folder, requests }: Sample,
  missing: readonly Missing[],
  options: Options,
): Promise<void> {
  const folderId = await folderOf(client, folder, options);
  for (const { add } of missing) await add(folderId);
  // Logged once, with the prompt that they are of.
  if (missing.some(({ name }) => name === requests.prompt)) {
    await addRequests(client, requests, options);
  }
}
