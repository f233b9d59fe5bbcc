/** What is typed and not saved yet, and what has become of it. */

import type { CellAddress } from './grid-cells.ts';

export interface UnsavedEdit extends CellAddress {
  /** Null: the value null. */
  readonly text: string | null;
  readonly state: 'sending' | 'waiting' | 'conflict' | 'refused';
  /** Why it is not saved, and what to do. */
  readonly message?: string;
  /** With a conflict: what the service holds now. */
  readonly current?: string;
}

export type UnsavedCounts = Readonly<Record<UnsavedEdit['state'], number>>;

/** What has become of unsaved edits since the last word of them. */
export interface UnsavedChange {
  readonly changed: readonly UnsavedEdit[];
  /** Saved, discarded, or among those that are only counted. */
  readonly gone: readonly CellAddress[];
  readonly counts: UnsavedCounts;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface SavingProgress {
  readonly title: string;
  /** How far it is, or what it waits for. */
  readonly message: string;
  /** 0 to 100; absent while nobody knows. */
  readonly percent?: number;
}

/** A text that is being typed and not confirmed yet. */
export interface CellDraft extends CellAddress {
  readonly position: number;
  readonly text: string;
  readonly base: string | null;
}

/** `text`: what the edit had become by then, when the cell was edited or undone meanwhile. */
export type EditOutcome = { readonly text?: string | null } & EditEnding;

type EditEnding =
  | { readonly outcome: 'saved'; readonly version: number | undefined; readonly staleCount: number }
  | { readonly outcome: 'waiting'; readonly message: string }
  | { readonly outcome: 'conflict'; readonly current: string }
  | { readonly outcome: 'refused'; readonly message: string };

/** An edit that was taken back or made again. */
export interface Retraced {
  /** Its cell, the first of several. */
  readonly at: CellAddress;
  /** Of several: how that went. */
  readonly many?: ManyRetraced;
}

export interface ManyRetraced {
  readonly saved: number;
  /** In conflict or refused. */
  readonly open: number;
  /** Left as they were: it was stopped. */
  readonly dropped: number;
}
