/**
 * What is done with a whole sheet: a file of its own beside the extension's, loaded when the first of
 * it is asked for.
 */
export { ChartsPanel } from './charts/panel.ts';
export { askToRun, costLines } from './cost/ask.ts';
export { exportSheet } from './export/export-sheet.ts';
export { compareVersions } from './sheet-versions/open.ts';
