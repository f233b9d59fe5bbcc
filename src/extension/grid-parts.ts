/**
 * What an open sheet needs: a file of its own beside the extension's, loaded with the first sheet.
 */
export { openComparison } from './compare/panel.ts';
export { Layouts } from './grid/columns/layouts.ts';
export { GridPanel } from './grid/panel.ts';
export { removeLeftSpools, spoolFolder } from './grid/rows/spool.ts';
export { Sessions } from './grid/sessions.ts';
