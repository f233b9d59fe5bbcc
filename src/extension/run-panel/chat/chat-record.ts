import * as z from 'zod';
import type { ConversationState } from '../../../core/index.ts';
import type { ChatDraft, ChatResult } from '../../../protocol/chat.ts';
import { toolSources } from '../../../protocol/chat.ts';
import type { OutputPart, RunPageState, RunStatus, RunVariable } from '../../../protocol/run.ts';
import type { Blueprint } from '../../shell/choice-schema.ts';
import { Blueprint as BlueprintSchema } from '../../shell/choice-schema.ts';
import { Records } from '../../shell/records.ts';
import { Variable } from '../../shell/variable-schema.ts';
import { PageState } from '../page-state.ts';
import { OneRun } from '../records.ts';

/** What a conversation was begun with: it stays so, whatever the form says later. */
export interface ChatBeginning {
  readonly page: RunPageState;
  readonly variables: readonly RunVariable[];
  readonly usesCache: boolean;
  /** The prompt as it stood, when it was not a published one. */
  readonly blueprint?: Blueprint;
}

export type KeptInput =
  | { readonly text?: string }
  | {
      readonly results: readonly (ChatResult & {
        readonly callId: string;
        readonly name: string;
      })[];
    };

interface KeptTurn {
  readonly id: number;
  readonly parent: number | null;
  readonly input: KeptInput;
  readonly core: number | null;
  readonly status: RunStatus;
  readonly parts: readonly OutputPart[];
  readonly results: Readonly<Record<string, ChatResult>>;
  readonly drafts: Readonly<Record<string, string>>;
}

/** A conversation of a panel, to be gone on with after the window was reloaded. */
export interface ChatRecord {
  readonly beginning?: ChatBeginning;
  readonly state?: ConversationState;
  readonly turns: readonly KeptTurn[];
  readonly head: number | null;
  readonly draft: ChatDraft;
  readonly stopsBefore: readonly string[];
}

const Id = z.int().positive();
const Result = z.object({
  text: z.string(),
  source: z.enum(toolSources),
  cutFrom: z.int().exactOptional(),
});
const Input = z.union([
  z.object({ results: z.array(Result.extend({ callId: z.string(), name: z.string() })) }),
  z.strictObject({ text: z.string().exactOptional() }),
]);
const Turn = OneRun.omit({ raw: true }).extend({
  id: Id,
  parent: Id.nullable(),
  input: Input,
  core: Id.nullable(),
  results: z.record(z.string(), Result),
  drafts: z.record(z.string(), z.string()),
});
const Prompt = z.object({
  id: z.number(),
  prompt_name: z.string(),
  version: z.number().nullable(),
  prompt_template: z.looseObject({ type: z.string() }),
  metadata: z.looseObject({}).nullable(),
  llm_kwargs: z.looseObject({}).nullable(),
});
/** What a conversation demands of it beyond this, it checks itself. */
const State = z.object({
  groupId: z.int().nullable(),
  prompt: Prompt.nullable(),
  turns: z.array(
    z.object({
      id: Id,
      parent: Id.nullable(),
      input: z.object({
        text: z.string().exactOptional(),
        toolResults: z.array(z.object({ callId: z.string(), text: z.string() })).exactOptional(),
      }),
      message: z.looseObject({}).nullable(),
      requestId: z.number().nullable(),
    }),
  ),
  head: Id.nullable(),
});

const Chat = z
  .object({
    beginning: z
      .object({
        page: PageState(),
        variables: z.array(Variable),
        usesCache: z.boolean(),
        blueprint: BlueprintSchema.exactOptional(),
      })
      .exactOptional(),
    state: State.exactOptional(),
    turns: z.array(Turn),
    head: Id.nullable(),
    draft: z.object({ text: z.string(), edits: Id.nullable() }),
    stopsBefore: z.array(z.string()),
  })
  .refine(({ turns, head, state }) => {
    const isOrdered = turns.every(({ id, parent }, at) => id === at + 1 && (parent ?? 0) < id);
    const most = state?.turns.length ?? 0;
    return (
      isOrdered && (head ?? 0) <= turns.length && turns.every(({ core }) => (core ?? 0) <= most)
    );
  });

export const readChatRecord = (value: unknown): ChatRecord => Chat.parse(value);

/** Files of the conversations of all windows. */
export const openChatRecords = (folder: string): Records<ChatRecord> =>
  new Records<ChatRecord>(folder, {
    read: readChatRecord,
    // What can't be kept whole can't be gone on from: what was typed is.
    lighter: ({ draft, stopsBefore }) => ({ turns: [], head: null, draft, stopsBefore }),
  });
