import type { LogCommand } from './request-log.ts';

/** Commands of palette, keys and menus that the grid carries out itself. */
export const gridCommands = [
  'copy',
  'copyWithHeaders',
  'copyAsCsv',
  'copyAsJson',
  'copyAsMarkdown',
  'cut',
  'paste',
  'pasteAs',
  'editCell',
  'openValue',
  'runCell',
  'runSelection',
  'runColumn',
  'runRows',
  'runStale',
  'runFailed',
  'toggleDetails',
  'goToRow',
  'goToColumn',
  'addRow',
  'deleteRows',
  'undo',
  'redo',
  'pinColumn',
  'hideColumn',
  'showColumns',
  'resetLayout',
  'sortAscending',
  'sortDescending',
  'toggleSystemColumns',
  'find',
  'filter',
  'clearFilter',
  'fillDown',
  'setNull',
  'reload',
] as const;

export type GridCommand = (typeof gridCommands)[number];

/** What the extension can have any grid do. */
export type ViewCommand = GridCommand | LogCommand;
