import * as vscode from 'vscode';

/** Kinds of files, in the order in which they are offered. */
export const fileKinds = [
  ...(['csv', 'csvSemicolon', 'tsv', 'xlsx'] as const),
  ...(['json', 'jsonl', 'parquet', 'markdown'] as const),
] as const;
export type FileKind = (typeof fileKinds)[number];

export interface FilePresentation {
  readonly label: string;
  readonly description: string;
  readonly extension: string;
}

export function presentationOf(kind: FileKind): FilePresentation {
  switch (kind) {
    case 'csv':
      return {
        label: vscode.l10n.t('CSV'),
        description: vscode.l10n.t('commas between fields'),
        extension: 'csv',
      };
    case 'csvSemicolon':
      return {
        label: vscode.l10n.t('CSV with semicolons'),
        description: vscode.l10n.t('for spreadsheets with a decimal comma, such as 1,5'),
        extension: 'csv',
      };
    case 'tsv':
      return {
        label: vscode.l10n.t('TSV'),
        description: vscode.l10n.t('tabs between fields'),
        extension: 'tsv',
      };
    case 'xlsx':
      return {
        label: vscode.l10n.t('Excel'),
        description: vscode.l10n.t('numbers, text, and Boolean values with their types'),
        extension: 'xlsx',
      };
    case 'json':
      return {
        label: vscode.l10n.t('JSON'),
        description: vscode.l10n.t('one list with an object per row'),
        extension: 'json',
      };
    case 'jsonl':
      return {
        label: vscode.l10n.t('JSON Lines'),
        description: vscode.l10n.t('one object per row, each on its own line'),
        extension: 'jsonl',
      };
    case 'parquet':
      return {
        label: vscode.l10n.t('Parquet'),
        description: vscode.l10n.t('typed columns, for data tools'),
        extension: 'parquet',
      };
    case 'markdown':
      return {
        label: vscode.l10n.t('Markdown'),
        description: vscode.l10n.t('one table'),
        extension: 'md',
      };
  }
}

const separators: Partial<Record<FileKind, string>> = { csv: ',', csvSemicolon: ';', tsv: '\t' };

/** Between the fields of separated values; undefined for the other kinds. */
export const separatorOf = (kind: FileKind): string | undefined => separators[kind];
