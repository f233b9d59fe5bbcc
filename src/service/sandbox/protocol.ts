/** What the service and the sandbox process say to each other: one JSON object a line. */
export type SandboxRequest =
  | {
      readonly kind: 'javascript';
      readonly code: string;
      /** JSON text of the object that the code sees as `data`. */
      readonly dataText: string;
      readonly limits: CodeLimits;
    }
  | {
      readonly kind: 'regex-test' | 'regex-find-all';
      readonly pattern: string;
      readonly text: string;
    }
  | { readonly kind: 'sql'; readonly text: string };

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
    };

export interface SandboxReply {
  readonly answer: SandboxAnswer;
  /** What it took. */
  readonly ms: number;
  /** The process must not be asked again: its memory has grown, or its engine was stopped midway. */
  readonly isSpent: boolean;
}
