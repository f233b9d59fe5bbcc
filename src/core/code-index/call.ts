/** What is known of a call that asks for a prompt or a workflow. */
import type { Import } from './imports.ts';
import type { Span } from './tokens.ts';

/** What a call gives as a text or a number. `computed`: only known when the program runs. */
export type Given<Value> =
  | { readonly kind: 'computed'; readonly span: Span }
  | {
      readonly kind: 'literal';
      readonly value: Value;
      /** In the call: the string, or the name of the constant. */
      readonly span: Span;
      /** Of a string in the call: its text, which can be replaced. */
      readonly inner?: Span;
      readonly quote?: string;
      /** Of a constant: its string. */
      readonly declared?: Span;
      /** Of a constant of another file: that. */
      readonly imported?: Import;
    };

export interface CodeVariable {
  readonly name: string;
  readonly span: Span;
  /** Undefined: computed. */
  readonly value: { readonly value: unknown } | undefined;
  /** Of its name; undefined: it stands without quotes. */
  readonly quote: string | undefined;
  /** `{ name }`: its name is that of the value too. */
  readonly isShort: boolean;
}

export interface CodeVariables {
  readonly span: Span;
  readonly entries: readonly CodeVariable[];
  /** There may be others: the object is computed, or takes in another one. */
  readonly isOpen: boolean;
  /** Where a further name can be typed. */
  readonly slots: readonly Span[];
}

export type CallKind = 'run' | 'get' | 'log' | 'workflow' | 'callee';

export interface CodeCall {
  readonly kind: CallKind;
  /** From the name of the method to the closing bracket. */
  readonly span: Span;
  /** The name of the method. */
  readonly method: Span;
  /** Of the prompt or the workflow. */
  readonly name: Extract<Given<string>, { kind: 'literal' }>;
  readonly label: Given<string> | undefined;
  readonly version: Given<number> | undefined;
  readonly variables: CodeVariables | undefined;
  /** It may be given more than is seen here. */
  readonly isOpen: boolean;
  /** What it is given chooses among the variants of its label. */
  readonly hasVariants: boolean;
  /** It brings the prompt along: what the service has is not asked for. */
  readonly hasBlueprint: boolean;
  /** Half typed: nothing can be said against it. */
  readonly isUnfinished: boolean;
}
