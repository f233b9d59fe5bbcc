import type { CodeCall } from '../../core/code-index/call.ts';
import type { Asked } from '../../core/code-index/call-index.ts';
import type { PromptType } from '../../core/prompt-types/read.ts';
import type { PromptChoice } from '../../protocol/run.ts';

export interface PromptVariable {
  readonly name: string;
  readonly takes: 'text' | 'media' | 'list';
  /** As a workflow declares it. */
  readonly type?: string;
  /** Its prompt may do without. */
  readonly isOptional: boolean;
}

/** A version of a prompt or a workflow, as code sees it. */
export interface VersionInfo {
  readonly what: Asked;
  readonly id: number;
  readonly name: string;
  readonly version: number | undefined;
  readonly model: string | undefined;
  readonly variables: readonly PromptVariable[];
  /** It has no others. */
  readonly hasAllVariables: boolean;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  /** What generated types say of it, without its labels. Undefined: a workflow has none. */
  readonly type?: PromptType | undefined;
}

export interface PromptInfo extends VersionInfo {
  readonly latest: number | undefined;
  readonly labels: readonly { readonly label: string; readonly version: number }[];
  /** What generated types say of it, by its latest version. */
  readonly type?: PromptType | undefined;
}

/** What was logged of the runs of a version. */
export interface RunFigures {
  readonly requests: number;
  /** US dollars, of those that have a price. */
  readonly cost: number | undefined;
  readonly meanSeconds: number | undefined;
  /** By their names, of the latest of the last requests that has any. */
  readonly scores: Readonly<Record<string, unknown>> | undefined;
}

export type FoundPrompt =
  | { readonly kind: 'found'; readonly info: PromptInfo }
  /** The prompt is there, and the version or the label is not. */
  | { readonly kind: 'choiceAbsent'; readonly info: PromptInfo }
  | { readonly kind: 'absent' }
  /** It could not be asked. */
  | { readonly kind: 'unknown' };

export interface KnownNames {
  readonly all: readonly {
    readonly name: string;
    readonly version: number | undefined;
    readonly model: string | undefined;
  }[];
  readonly isComplete: boolean;
}

/** Which version a call asks for; undefined: only known when the program runs. */
export function choiceOf({ label, version }: CodeCall): PromptChoice | undefined {
  if (label?.kind === 'computed' || version?.kind === 'computed') return undefined;
  if (version !== undefined) return { kind: 'version', version: version.value };
  return label === undefined ? { kind: 'latest' } : { kind: 'label', label: label.value };
}

/**
 * The version that a call gets, behind the label that it asks for, or behind the name if it asks for
 * the latest. Undefined: it says so itself, or what is not seen decides.
 */
export function hintOf(
  call: CodeCall,
  found: FoundPrompt,
): { readonly at: number; readonly version: number } | undefined {
  const isDecidedElsewhere =
    call.isUnfinished || call.isOpen || call.hasBlueprint || call.hasVariants;
  const choice = choiceOf(call);
  if (isDecidedElsewhere || call.kind === 'log' || found.kind !== 'found') return undefined;
  const { labels, latest } = found.info;
  switch (choice?.kind) {
    case 'label': {
      const stands = labels.find(({ label }) => label === choice.label);
      return stands && call.label && { at: call.label.span.to, version: stands.version };
    }
    case 'latest':
      return latest === undefined ? undefined : { at: call.name.span.to, version: latest };
    case 'version':
    case undefined:
      return undefined;
  }
}
