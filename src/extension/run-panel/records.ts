import * as z from 'zod';
import type { ModelName, OutputPart, ComparisonRun, RunStatus } from '../../protocol/run.ts';
import { outputKinds, runStates, schemaVerdictKinds } from '../../protocol/run.ts';
import { Blueprint, Ending, Model } from '../shell/choice-schema.ts';
import { Records } from '../shell/records.ts';

/** The last run of a panel, to be shown again after the window was reloaded. */
export interface RunRecord {
  readonly status: RunStatus;
  readonly parts: readonly OutputPart[];
  readonly raw: unknown;
  /** The prompt that the panel runs, when that is not a published one and stands nowhere else. */
  readonly blueprint?: Blueprint;
  /** What it was compared with. */
  readonly comparisonRun?: KeptComparison;
}

export interface KeptComparison {
  readonly kind: ComparisonRun['kind'];
  readonly title: string;
  readonly model?: ModelName;
  readonly record: RunRecord;
}

export const OneRun = z.object({
  status: z.object({
    runId: z.int(),
    state: z.enum(runStates),
    elapsedMs: z.number(),
    firstTokenMs: z.number().exactOptional(),
    inputTokens: z.number().exactOptional(),
    outputTokens: z.number().exactOptional(),
    isEstimated: z.boolean().exactOptional(),
    requestId: z.number().exactOptional(),
    priceUsd: z.number().nullable().exactOptional(),
    problem: z
      .object({
        message: z.string(),
        hint: z.string().exactOptional(),
        variable: z.string().exactOptional(),
      })
      .exactOptional(),
    ending: Ending.exactOptional(),
    cachedAt: z.number().exactOptional(),
    schema: z
      .object({ kind: z.enum(schemaVerdictKinds), text: z.string().exactOptional() })
      .exactOptional(),
  }),
  parts: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(outputKinds),
      title: z.string().exactOptional(),
      text: z.string(),
    }),
  ),
  raw: z.unknown(),
});

const PanelRecord = OneRun.extend({
  blueprint: Blueprint.exactOptional(),
  comparisonRun: z
    .object({
      kind: z.enum(['last', 'model']),
      title: z.string(),
      model: Model.exactOptional(),
      record: OneRun,
    })
    .exactOptional(),
});

export const readRunRecord = (value: unknown): RunRecord => PanelRecord.parse(value);

/** Files of the panels of all windows. */
export const openRunRecords = (folder: string): Records<RunRecord> =>
  new Records<RunRecord>(folder, {
    read: readRunRecord,
    lighter: ({ status, parts, blueprint }) => ({
      ...{ status, parts, raw: null },
      ...(blueprint !== undefined && { blueprint }),
    }),
  });
