/** What the extension and the form of a scorecard say to each other. */
import type { ColumnField, ColumnTypeForm, FieldValues } from './column-form.ts';

export interface EnteredStep {
  /** Of a step that is there already; null: a new one. */
  readonly id: string | null;
  readonly type: string;
  readonly values: FieldValues;
}

export interface EnteredScorecard {
  readonly values: FieldValues;
  readonly steps: readonly EnteredStep[];
}

/** What the page needs to be shown again. */
export interface ScorecardTarget {
  /** Of this form, among all that were ever open. */
  readonly formId: string;
  readonly connectionId: string;
  readonly tableId: string;
  readonly sheetId: string;
}

export interface ScorecardFormView {
  readonly sheet: string;
  readonly connection: { readonly name: string; readonly local: boolean };
  /** The sheet has no scorecard yet. */
  readonly isNew: boolean;
  /** Titles of the columns. */
  readonly columns: readonly string[];
  /** Fields of the scorecard itself. */
  readonly fields: readonly ColumnField[];
  /** What a step can be. */
  readonly steps: readonly ColumnTypeForm[];
  /** Names of the fields of a step that few need. */
  readonly seldom: readonly string[];
  readonly entered: EnteredScorecard;
  /** What was typed into a form of the same that was closed before it was saved; null: nothing. */
  readonly draft: EnteredScorecard | null;
  readonly target: ScorecardTarget;
}

/** What the page keeps while it is hidden or the window is loaded anew. */
export interface ScorecardFormState {
  readonly target: ScorecardTarget;
  /** Null: nothing has been typed. */
  readonly entered: EnteredScorecard | null;
}

export interface ScorecardFault {
  /** Place of the step that it is about; null: the scorecard itself, or it does not say. */
  readonly step: number | null;
  readonly field: string | null;
  readonly message: string;
}

type Request<Params, Result> = { readonly params: Params; readonly result: Result };

/** What the form tells the extension. */
export type ScorecardEvents = {
  /** Something was typed; null: it is to be forgotten. */
  readonly typed: EnteredScorecard | null;
};

/** What the form asks of the extension. */
export type ScorecardRequests = {
  /** First message of a page. */
  readonly ready: Request<null, ScorecardFormView>;
  /** Saves the scorecard and closes the form, or says what is wrong. */
  readonly save: Request<EnteredScorecard, ScorecardFault | null>;
  /** Asks, deletes the scorecard and closes the form. */
  readonly remove: Request<null, null>;
  readonly cancel: Request<null, null>;
};
