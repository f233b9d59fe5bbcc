import * as vscode from 'vscode';

/** US dollars for people. Cents need no more than two digits, parts of a cent do. */
export const usd = (value: number): string =>
  new Intl.NumberFormat(vscode.env.language, {
    ...{ style: 'currency', currency: 'USD' },
    ...(value !== 0 && value < 0.1 && { maximumSignificantDigits: 2 }),
  }).format(value);
