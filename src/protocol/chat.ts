import type { OutputChange, OutputPart, RunStatus } from './run.ts';

/** Who answers a call of a tool. */
export const toolSources = ['hand', 'mock', 'model', 'editor', 'mcp'] as const;
export type ToolSource = (typeof toolSources)[number];

/** What a tool has answered. */
export interface ChatResult {
  readonly text: string;
  readonly source: ToolSource;
  /** It was longer: how many characters there were. */
  readonly cutFrom?: number;
}

/** A call of a tool in an answer. */
export interface ChatCall {
  readonly id: string;
  readonly name: string;
  /** Where its arguments don't fit the schema of the tool, and why. */
  readonly misfit?: string;
  /** What was typed as its result. */
  readonly draft?: string;
  readonly result?: ChatResult;
  /** Somebody is being asked for it. */
  readonly isAsked?: boolean;
  readonly problem?: string;
}

/** One request: what was said, and what came of it. */
export interface ChatTurn {
  readonly id: number;
  /** The turn before it; null: it begins. */
  readonly parent: number | null;
  readonly text?: string;
  /** What tools have answered to the turn before, in the order of its calls. */
  readonly results: readonly (ChatResult & { readonly name: string })[];
  readonly status: RunStatus;
  readonly parts: readonly OutputPart[];
  /** Those that it has to be gone on from with results. */
  readonly calls: readonly ChatCall[];
  /** It has an answer that can be gone on from. */
  readonly isUsable: boolean;
}

/** What was typed and not sent yet. `edits`: in the place of the text of that turn. */
export interface ChatDraft {
  readonly text: string;
  readonly edits: number | null;
}

export interface ChatView {
  readonly turns: readonly ChatTurn[];
  /** The last turn of those that are said; null: none yet. */
  readonly head: number | null;
  readonly draft: ChatDraft;
  /** Names of tools that are answered by hand whatever else was chosen. */
  readonly stopsBefore: readonly string[];
}

export interface ChatProgress {
  readonly turn: number;
  readonly status: RunStatus;
  readonly changes: readonly OutputChange[];
}

/** The longest text of a result; the model is told what is left out. */
export const longestResult = 100_000;
