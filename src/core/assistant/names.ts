/** In the order in which assistants are shown them. Never more than twelve: chats have few places. */
export const toolNames = [
  'list_prompt_workspaces',
  'list_smart_tables',
  'read_sheet_rows',
  'get_sheet_cell',
  'recalculate_sheet_cells',
  'get_sheet_operation',
  'cancel_sheet_operation',
  'list_prompt_templates',
  'get_prompt_template',
  'run_prompt_template',
  'search_prompt_requests',
  'list_prompt_workflows',
] as const;

export type ToolName = (typeof toolNames)[number];
