import { findUsages, getTypes } from './code-tools.ts';
import { formerToolNames, toolNames } from './names.ts';
import type { FormerToolName, ToolName } from './names.ts';
import { cancelOperation, getOperation, recalculate } from './operation-tools.ts';
import { getTemplate, listTemplates, runTemplate } from './prompt-tools.ts';
import { getCell, listTables, listWorkspaces, readRows } from './read-tools.ts';
import { listWorkflows, searchRequests } from './request-tools.ts';
import type { Tool } from './tool.ts';

const byName: Readonly<Record<ToolName | FormerToolName, Tool>> = {
  list_prompt_workspaces: listWorkspaces,
  list_smart_tables: listTables,
  read_sheet_rows: readRows,
  get_sheet_cell: getCell,
  recalculate_sheet_cells: recalculate,
  get_sheet_operation: getOperation,
  cancel_sheet_operation: cancelOperation,
  list_prompt_templates: listTemplates,
  get_prompt_template: getTemplate,
  run_prompt_template: runTemplate,
  find_prompt_usages: findUsages,
  get_prompt_types: getTypes,
  search_prompt_requests: searchRequests,
  list_prompt_workflows: listWorkflows,
};

/** Everything that assistants can do here, in VS Code's chat and over MCP alike. */
export const tools: readonly (Tool & { readonly name: ToolName })[] = toolNames.map((name) => ({
  ...byName[name],
  name,
}));

const callable: readonly Tool[] = [...tools, ...formerToolNames.map((name) => byName[name])];

/** By its name of today or of before. */
export const toolNamed = (name: string): Tool | undefined =>
  callable.find((tool) => tool.name === name);
