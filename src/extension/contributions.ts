/**
 * Every command, menu, key, setting, view and colour of the extension, declared once below
 * contributions/. `manifest.ts` makes package.json of it, the typed helpers read it at run time; menus
 * and views, which nobody reads then, are not among these.
 */
export type { CommandId } from './contributions/commands.ts';
export { commands, gridCommandIds, isCommandId, keybindings } from './contributions/commands.ts';
export type { SettingName, SettingValue } from './contributions/settings.ts';
export { settings } from './contributions/settings.ts';
export type { ContextKeys } from './contributions/when.ts';
export {
  chartsPanelId,
  contextKeys,
  foreignContextKeys,
  columnFormId,
  scorecardFormId,
  comparePanelId,
  gridPanelId,
  importFormId,
  itemKinds,
  logPanelId,
  matrixPanelId,
  mcpProviderId,
  promptsViewId,
  runPanelId,
  runsViewId,
  viewId,
  workflowPanelId,
  workflowsViewId,
} from './contributions/when.ts';
