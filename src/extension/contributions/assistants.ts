import type { ToolName } from '../../core/assistant/names.ts';

interface ToolPresentation {
  /** What people type behind # to name it. */
  readonly reference: string;
  readonly icon: string;
  readonly description: string;
}

/** How people see the tools of assistants; what models read stands with the tools. */
export const toolPresentations: Readonly<Record<ToolName, ToolPresentation>> = {
  list_prompt_workspaces: {
    reference: 'promptWorkspaces',
    icon: 'list-unordered',
    description: 'Names of the workspaces that can be used.',
  },
  list_smart_tables: {
    reference: 'smartTables',
    icon: 'table',
    description: 'Tables of a workspace, and their sheets.',
  },
  read_sheet_rows: {
    reference: 'sheetRows',
    icon: 'list-flat',
    description: 'Rows of a sheet within a limit of tokens, or one cell whole.',
  },
  recalculate_sheet_cells: {
    reference: 'recalculateSheet',
    icon: 'play',
    description: 'Runs cells of a sheet. Asks first, with the number of cells and the cost.',
  },
  get_sheet_operation: {
    reference: 'sheetOperation',
    icon: 'pulse',
    description: 'Progress of a recalculation.',
  },
  cancel_sheet_operation: {
    reference: 'cancelSheetOperation',
    icon: 'debug-stop',
    description: 'Stops a recalculation. Asks first.',
  },
  list_prompt_templates: {
    reference: 'promptTemplates',
    icon: 'comment-discussion',
    description: 'Prompts of a workspace, or a version of one with its variables and labels.',
  },
  run_prompt_template: {
    reference: 'runPromptTemplate',
    icon: 'run',
    description: 'Runs a prompt with your keys. Asks first, with the model and the cost.',
  },
  find_prompt_usages: {
    reference: 'promptUsages',
    icon: 'references',
    description: 'Where code of the folder asks for prompts and workflows.',
  },
  get_prompt_types: {
    reference: 'promptTypes',
    icon: 'symbol-interface',
    description: 'Types of prompts for TypeScript or Python: names, variables, labels, output.',
  },
  search_prompt_requests: {
    reference: 'promptRequests',
    icon: 'search',
    description: 'Logged requests: what was asked, what it cost, how it ended.',
  },
  list_prompt_workflows: {
    reference: 'promptWorkflows',
    icon: 'type-hierarchy',
    description: 'Workflows of a workspace, and their nodes.',
  },
};
