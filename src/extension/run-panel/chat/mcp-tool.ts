import * as vscode from 'vscode';
import { CancelledError, ConfigurationError, ValidationError } from '../../../core/errors.ts';
import type { McpServer } from '../../../core/mcp/servers.ts';
import type { App } from '../../shell/app.ts';
import { withProgress } from '../../shell/progress.ts';
import { confirmed, showQuickPick } from '../../shell/questions.ts';
import type { McpCalls } from './mcp-calls.ts';
import { addressOf, configuredServers, mcpServersSetting } from './mcp-calls.ts';

const t = vscode.l10n.t;

/** A tool of a server that the user's own settings describe. */
export interface McpTool {
  readonly id: string;
  readonly server: McpServer;
  readonly tool: string;
}

async function askServer(app: App, title: string): Promise<Omit<McpTool, 'tool'>> {
  if (!vscode.workspace.isTrusted) {
    throw new ConfigurationError(t("MCP servers aren't used in Restricted Mode."), {
      hint: t('Trust the folder, then select the server again.'),
    });
  }
  const servers = configuredServers(app.settings.get('mcpServers'), app.environment(), t);
  const items = Object.entries(servers).map(([id, server]) => ({
    ...{ label: id, description: addressOf(server), server },
  }));
  if (items.length === 0) {
    throw new ConfigurationError(t('There are no MCP servers yet.'), {
      hint: t(
        'Describe one in the setting {0}, or add it to VS Code and select Tool of VS Code.',
        mcpServersSetting,
      ),
    });
  }
  const picked = await showQuickPick(items, { title, placeHolder: t('MCP server') });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return { id: picked.label, server: picked.server };
}

/**
 * Asks for a tool of an MCP server, and before it is started or reached whether it may be. Errors:
 * CancelledError, ConfigurationError, ServerError.
 */
export async function askMcpTool(
  app: App,
  calls: McpCalls,
  { title, wanted }: { readonly title: string; readonly wanted: string },
): Promise<McpTool> {
  const { id, server } = await askServer(app, title);
  if (!calls.has(id)) {
    const isProgram = server.kind === 'program';
    await confirmed(
      isProgram ? t('Start the MCP server {0}?', id) : t('Connect to the MCP server {0}?', id),
      isProgram ? t('Start') : t('Connect'),
      addressOf(server),
    );
  }
  const names = await withProgress(
    app,
    { title: t('Asking {0} for its tools', id), where: 'notification' },
    (signal) => calls.toolsOf(id, server, signal),
  );
  if (names.length === 0) throw new ValidationError(t('The MCP server {0} has no tools.', id));
  const items = names
    .toSorted((a, b) => Number(b === wanted) - Number(a === wanted) || (a < b ? -1 : 1))
    .map((label) => ({ label }));
  const picked = await showQuickPick(items, { title, placeHolder: t('Tool of {0}', id) });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return { id, server, tool: picked.label };
}
