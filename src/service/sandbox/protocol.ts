import type { CellProblemCode } from '../engine/problem.ts';

/** What the service and the sandbox process say to each other: one JSON object a line. */
export type SandboxRequest =
  | {
      readonly kind: 'javascript';
      readonly code: string;
      /** JSON text of the object that the code sees as `data`. */
      readonly dataText: string;
      readonly limits: CodeLimits;
    }
  | ({ readonly kind: 'column' } & ColumnTask)
  | { readonly kind: 'sql'; readonly text: string };

/** With how long it may keep the processor busy: what a busy machine makes it wait is not its fault. */
export type TimedRequest = SandboxRequest & { readonly timeMs: number };

/** A cell of one of the kinds that need nothing but their sources. */
export interface ColumnTask {
  readonly type: string;
  /** JSON text of the column's config. */
  readonly configText: string;
  /** As `Sources` writes itself. */
  readonly sourcesText: string;
}

export interface CodeLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
}

export type SandboxAnswer =
  | { readonly ok: true; /** JSON text */ readonly value: string }
  | {
      readonly ok: false;
      readonly reason: 'failed' | 'timed_out' | 'too_large';
      readonly message: string;
    }
  /** What the column says is wrong with its sources. */
  | {
      readonly ok: false;
      readonly reason: 'problem';
      readonly code: CellProblemCode;
      readonly message: string;
    };

export interface SandboxReply {
  readonly answer: SandboxAnswer;
  /** What it took. */
  readonly ms: number;
  /** The process must not be asked again: its memory has grown, or its engine was stopped midway. */
  readonly isSpent: boolean;
}
