/**
 * What an open sheet needs: a file of its own beside the extension's, loaded with the first sheet.
 */
export { openComparison } from './compare-panel.ts';
export { Layouts } from './layouts.ts';
export { GridPanel } from './panel.ts';
export { removeLeftSpools, spoolFolder } from './spool.ts';
export { Sessions } from './sessions.ts';
