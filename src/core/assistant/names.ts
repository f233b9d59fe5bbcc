/** In the order in which assistants are shown them. Never more than twelve: chats have few places. */
export const toolNames = [
  'list_prompt_workspaces',
  'list_smart_tables',
  'read_sheet_rows',
  'recalculate_sheet_cells',
  'get_sheet_operation',
  'cancel_sheet_operation',
  'list_prompt_templates',
  'run_prompt_template',
  'find_prompt_usages',
  'get_prompt_types',
  'search_prompt_requests',
  'list_prompt_workflows',
] as const;

/** Tools that became a part of others; who still calls them over MCP is answered. */
export const formerToolNames = ['get_sheet_cell', 'get_prompt_template'] as const;

export type FormerToolName = (typeof formerToolNames)[number];
export type ToolName = (typeof toolNames)[number];
