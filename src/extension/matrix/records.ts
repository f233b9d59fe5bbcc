import * as z from 'zod';
import { Ending } from '../shell/choice-schema.ts';
import { Case, Plan } from './plan.ts';

const cell = { columnId: z.string(), caseId: z.int() };

/** What has come of a request, whole or not. The text stands in the journal only. */
export const Answer = z.object({
  state: z.enum(['done', 'failed', 'stopped']),
  text: z.string(),
  elapsedMs: z.number(),
  firstTokenMs: z.number().exactOptional(),
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  requestId: z.number().exactOptional(),
  ending: Ending.exactOptional(),
  isCached: z.boolean().exactOptional(),
  /** A model of VS Code: what it costs is part of a plan. */
  isEstimated: z.boolean().exactOptional(),
  problem: z
    .object({
      message: z.string(),
      hint: z.string().exactOptional(),
      variable: z.string().exactOptional(),
    })
    .exactOptional(),
});
export type Answer = Readonly<z.output<typeof Answer>>;

/** What a scorer found. `requestId`: of the judge that was asked. */
export const Verdict = z.object({
  scorerId: z.string(),
  pass: z.boolean().exactOptional(),
  problem: z.string().exactOptional(),
  requestId: z.number().exactOptional(),
});
export type Verdict = Readonly<z.output<typeof Verdict>>;

/** A line of a journal. */
export const Line = z.discriminatedUnion('kind', [
  /** Who asks from here on; undefined: nobody any more. */
  z.object({ kind: z.literal('owner'), pid: z.int().exactOptional() }),
  z.object({ kind: z.literal('plan'), plan: Plan }),
  z.object({ kind: z.literal('cases'), cases: z.array(Case) }),
  z.object({ kind: z.literal('noCases') }),
  /** A request goes out. Without an answer after it, nobody knows whether it was paid. */
  z.object({ kind: z.literal('asked'), ...cell }),
  z.object({ kind: z.literal('answer'), ...cell, answer: Answer }),
  z.object({ kind: z.literal('judged'), ...cell, verdict: Verdict }),
  z.object({ kind: z.literal('price'), requestId: z.number(), usd: z.number() }),
  z.object({ kind: z.literal('best'), caseId: z.int(), columnId: z.string().nullable() }),
]);
export type Line = Readonly<z.output<typeof Line>>;
