import * as vscode from 'vscode';
import { durationText, priceText } from '../../protocol/amounts.ts';

/** US dollars in the display language. */
export const spellPrice = (usd: number): string => priceText(vscode.env.language, usd);

/** Milliseconds in the display language. */
export const spellTime = (ms: number): string =>
  durationText(vscode.env.language, ms, vscode.l10n.t);
