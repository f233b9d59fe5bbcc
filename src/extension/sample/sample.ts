import * as vscode from 'vscode';
import * as z from 'zod';
import { lazy } from '../shell/lazy.ts';

/** The sample is of the local workspace. */
export const connectionId = 'local';

const anything = lazy(() => z.record(z.string(), z.unknown()));

const SampleSheetFacts = lazy(() =>
  z.object({
    title: z.string(),
    file: z.string(),
    columns: z.array(
      z.object({
        title: z.string(),
        type: z.string(),
        /** Title of the column that it stands behind; without one it is the last. */
        after: z.string().optional(),
        /** Sources by title, as the service accepts them. */
        config: anything(),
      }),
    ),
    scorecard: z
      .object({
        name: z.string(),
        /** Titles of columns. */
        evaluated: z.array(z.string()),
        aggregation: z.looseObject({}),
        steps: z.array(
          z.looseObject({
            title: z.string(),
            primitive_type: z.string(),
            /** Title of a column; without one, the columns that are evaluated. */
            source: z.string().optional(),
          }),
        ),
      })
      .optional(),
  }),
);
export type SampleSheetFacts = z.output<ReturnType<typeof SampleSheetFacts>>;

const SamplePrompt = lazy(() =>
  z.object({
    name: z.string(),
    /** The oldest first. */
    versions: z.array(
      z.object({
        commitMessage: z.string(),
        labels: z.array(z.string()),
        template: z.looseObject({
          type: z.literal('chat'),
          messages: z.array(z.looseObject({ role: z.string() })),
        }),
      }),
    ),
  }),
);
export type SamplePrompt = z.output<ReturnType<typeof SamplePrompt>>;

const SampleWorkflow = lazy(() =>
  z.object({
    name: z.string(),
    commitMessage: z.string(),
    inputVariables: z.record(z.string(), z.string()),
    nodes: z.array(
      z.object({
        name: z.string(),
        node_type: z.string(),
        configuration: z.looseObject({}),
        dependencies: z.array(z.string()),
        is_output_node: z.boolean(),
      }),
    ),
  }),
);
export type SampleWorkflow = z.output<ReturnType<typeof SampleWorkflow>>;

/** Logged as they would be, had a model been asked; their metadata says that none was. */
const SampleRequests = lazy(() =>
  z.object({
    prompt: z.string(),
    version: z.int(),
    provider: z.string(),
    model: z.string(),
    metadata: z.record(z.string(), z.string()),
    tags: z.array(z.string()),
    answers: z.array(
      z.object({
        variables: z.record(z.string(), z.string()),
        text: z.string(),
        latencySeconds: z.number(),
        inputTokens: z.int(),
        outputTokens: z.int(),
        price: z.number(),
      }),
    ),
  }),
);
export type SampleRequests = z.output<ReturnType<typeof SampleRequests>>;

const Sample = lazy(() =>
  z.object({
    table: z.string(),
    /** The first is the one that is shown. */
    sheets: z.array(SampleSheetFacts()).min(1),
    /** Holds the prompts and workflows. */
    folder: z.string(),
    prompts: z.array(SamplePrompt()),
    workflows: z.array(SampleWorkflow()),
    requests: SampleRequests(),
  }),
);
export type Sample = z.output<ReturnType<typeof Sample>>;

export async function readSample(folder: vscode.Uri): Promise<Sample> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'sample.json'));
  return Sample().parse(JSON.parse(new TextDecoder().decode(bytes)));
}
