/** What the extension and the form of a column say to each other. */

/**
 * `line` and `area` are texts, `code` in a fixed pitch; `column` is the title of a column, `columns`
 * several; `mapping` gives names columns; `json` is any JSON, `conditions` a list of comparisons as JSON.
 * `suggest` is a line that offers what the workspace has, `release` one for a version or a label.
 */
export const fieldKinds = [
  ...(['line', 'area', 'code', 'number', 'flag', 'choice', 'suggest', 'release'] as const),
  ...(['column', 'columns', 'mapping', 'json', 'conditions'] as const),
] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** What the workspace has that can be offered. */
export const suggestionKinds = [
  'prompts',
  'workflows',
  'references',
  'providers',
  'models',
] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

/** Names of the fields that say which prompt or workflow another field is about. */
export interface AskedOf {
  readonly kind: 'prompt' | 'workflow';
  readonly name: string;
  readonly release: string;
  /** The field of a prompt that stands in the column itself. */
  readonly inline?: string;
}

export interface ColumnField {
  /** Path in the configuration, with dots. */
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly isNeeded?: boolean;
  readonly about?: string;
  /** Of a choice; of a suggest whose suggestions are known beforehand; what a mapping offers besides columns. */
  readonly options?: readonly string[];
  /** Of a choice whose options are JSON, such as true. */
  readonly isJson?: boolean;
  /** Of JSON: null is a value like others, and not one that was left out. */
  readonly takesNull?: boolean;
  /** How many columns at least and at most. */
  readonly count?: readonly [number, number];
  /** Of a suggest. */
  readonly suggests?: SuggestionKind;
  /** Of a release: path of the label; its own name is that of the version. */
  readonly labelName?: string;
  /** Of a release or mapping: whose versions or input variables; the first that is filled in. */
  readonly of?: readonly AskedOf[];
  /** Of code: columns can be put into it. */
  readonly takesColumns?: boolean;
  /** It is there only while another field has this value. */
  readonly when?: { readonly field: string; readonly is: string };
}

/** The form of a type of columns. */
export interface ColumnTypeForm {
  readonly type: string;
  readonly label: string;
  readonly about: string;
  readonly fields: readonly ColumnField[];
}

export interface MappedName {
  readonly name: string;
  readonly column: string;
}

export type FieldValue = string | boolean | readonly string[] | readonly MappedName[];
/** By name of the field; what is not filled in is absent. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

export interface ColumnFormView {
  readonly sheet: string;
  readonly connection: { readonly name: string; readonly local: boolean };
  /** The column that is edited; null: a new one. */
  readonly column: {
    readonly title: string;
    readonly type: string;
    readonly values: FieldValues;
  } | null;
  /** Titles of the columns that can be sources. */
  readonly columns: readonly string[];
  readonly types: readonly ColumnTypeForm[];
  /** What was typed into a form of the same that was closed before it was saved; null: nothing. */
  readonly draft: EnteredColumn | null;
  /** What the form is about: the page keeps it, so that it can be opened again. */
  readonly target: ColumnFormTarget;
}

export interface ColumnFormTarget {
  /** Of this form, among all that were ever open. */
  readonly formId: string;
  readonly connectionId: string;
  readonly tableId: string;
  readonly sheetId: string;
  /** Null: a new column. */
  readonly columnId: string | null;
  /** Where a new one goes; null: after the last one. */
  readonly place: { readonly columnId: string; readonly side: 'left' | 'right' } | null;
}

/** What the page keeps while the window is loaded anew. */
export interface ColumnFormState {
  readonly target: ColumnFormTarget;
  /** Null: nothing has been typed. */
  readonly entered: EnteredColumn | null;
}

export interface EnteredColumn {
  readonly title: string;
  readonly type: string;
  readonly values: FieldValues;
}

/** What the service says against a column. */
export interface ColumnFault {
  /** Name of the field that it is about; `title`; null when it does not say. */
  readonly field: string | null;
  readonly message: string;
}

/** One that can be chosen for a field. */
export interface Suggestion {
  readonly value: string;
  readonly detail: string;
  /** What is chosen is the beginning: more is suggested after it. */
  readonly goesOn?: boolean;
}

export interface Suggestions {
  readonly items: readonly Suggestion[];
  /** Why there are none, or not all; null: nothing is wrong. */
  readonly problem: string | null;
}

/** Input variables of the prompt or workflow that a form names. */
export interface Inputs {
  /** Null: nobody knows them. */
  readonly names: readonly string[] | null;
  /** Whose they are, or why they are not known; empty: nothing is named yet. */
  readonly about: string;
}

/** About a field of the form as it is filled in now. */
export interface AskedField {
  readonly type: string;
  readonly field: string;
  readonly values: FieldValues;
}

type Request<Params, Result> = { readonly params: Params; readonly result: Result };

/** What the form tells the extension. */
export type ColumnFormEvents = {
  /** Something was typed; null: it is to be forgotten. */
  readonly typed: EnteredColumn | null;
};

/** What the form asks of the extension. */
export type ColumnFormRequests = {
  /** First message of a page. */
  readonly ready: Request<null, ColumnFormView>;
  /** Saves the column and closes the form, or says what is wrong. */
  readonly save: Request<EnteredColumn, ColumnFault | null>;
  readonly cancel: Request<null, null>;
  readonly suggest: Request<AskedField, Suggestions>;
  readonly inputs: Request<AskedField, Inputs>;
};
