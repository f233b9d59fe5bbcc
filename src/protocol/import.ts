/** What the extension and the page of an import say to each other. */

export interface ImportOption {
  readonly value: string;
  readonly label: string;
}

/** One way in which a file can be read, to be chosen from a list. */
export interface ImportField {
  /** Of `ImportChoices`. */
  readonly name: string;
  readonly label: string;
  /** Empty: it must be chosen. */
  readonly value: string;
  readonly options: readonly ImportOption[];
  /** How it was detected; empty: it needs no mention. */
  readonly about: string;
}

/** By name of the field; what is absent is found out. */
export type ImportChoices = Readonly<Record<string, string>>;

/** Chosen as delimiter: what is typed in is one. */
export const otherDelimiter = 'other';
/** In the place of a column's id: it becomes a new column. */
export const newColumn = '+';
/** And: it is not taken. */
export const noColumn = '';

export interface ImportColumn {
  /** Place among the columns of the file. */
  readonly from: number;
  /** As the file names it. */
  readonly name: string;
  readonly title: string;
  /** Why the title is another; empty: it is not. */
  readonly about: string;
  /** Id of a column of the sheet, `newColumn` or `noColumn`. */
  readonly goal: string;
}

export interface ImportCell {
  readonly text: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'json' | 'empty' | 'null';
}

export interface ImportRow {
  /** Of the file. */
  readonly record: number;
  readonly cells: readonly ImportCell[];
}

/** What a file looks like, read as it was chosen. */
export interface ImportLook {
  readonly id: number;
  readonly fields: readonly ImportField[];
  /** The first rows as they will be stored. */
  readonly columns: readonly ImportColumn[];
  readonly rows: readonly ImportRow[];
  /** The first lines, where they can't be split yet. */
  readonly lines: readonly string[];
  /** Columns of the sheet that can be filled; empty: the sheet is a new one. */
  readonly goals: readonly ImportOption[];
  /** What must be chosen before anything is imported, or why nothing can be; null: all is well. */
  readonly question: string | null;
  readonly fault: string | null;
}

/** How far a file was read to its end. */
export interface ImportCount {
  readonly look: number;
  /** In words. */
  readonly rows: string;
  readonly remarks: readonly string[];
  readonly fault: string | null;
}

export interface ImportView {
  /** Of this form, among all that were ever open. */
  readonly formId: string;
  readonly fileName: string;
  readonly table: string;
  readonly connection: { readonly name: string; readonly local: boolean };
  /** Sheets that rows can be added to, by id. */
  readonly sheets: readonly ImportOption[];
  /** Id of one of them; empty: a new one. */
  readonly sheetId: string;
  /** Of a new sheet. */
  readonly title: string;
}

export interface ImportRequest {
  readonly choices: ImportChoices;
  readonly sheetId: string;
  readonly title: string;
  readonly columns: readonly Pick<ImportColumn, 'from' | 'title' | 'goal'>[];
}

/** What the page keeps while it is hidden. */
export interface ImportState {
  readonly formId: string;
  readonly importRequest: ImportRequest;
}

export interface ImportFault {
  /** Place among the columns of the file, or `title`; null: it is about none of them. */
  readonly field: number | 'title' | null;
  readonly message: string;
}

type Request<Params, Result> = { readonly params: Params; readonly result: Result };

export type ImportRequests = {
  /** First message of a page. */
  readonly ready: Request<null, ImportView>;
  readonly look: Request<Pick<ImportRequest, 'choices' | 'sheetId'>, ImportLook>;
  /** Imports the file and closes the page, or says what is wrong. */
  readonly save: Request<ImportRequest, ImportFault | null>;
  readonly cancel: Request<null, null>;
};

/** What the page receives. */
export type ImportNews = { readonly counted: ImportCount };
