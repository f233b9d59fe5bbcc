import * as vscode from 'vscode';
import { dateText, durationText, priceText } from '../../protocol/amounts.ts';

/** US dollars in the display language. */
export const spellPrice = (usd: number): string => priceText(vscode.env.language, usd);

/** A point in time in the display language. */
export const spellDate = (at: string | number, timeStyle: 'short' | 'medium' = 'short'): string =>
  dateText(vscode.env.language, at, timeStyle);

/** Milliseconds in the display language. */
export const spellDuration = (ms: number): string =>
  durationText(vscode.env.language, ms, vscode.l10n.t);
