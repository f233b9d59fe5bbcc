import * as vscode from 'vscode';
import { toolNames } from '../../core/assistant/names.ts';
import type { App } from '../shell/app.ts';
import { mcpProviderId } from '../contributions.ts';

/** The tools themselves are loaded when an assistant calls the first of them. */
const parts = () => import('../assistant-parts.ts');

const registerTools = (app: App): readonly vscode.Disposable[] =>
  toolNames.map((name) =>
    vscode.lm.registerTool(name, {
      prepareInvocation: async ({ input }, token) =>
        (await parts()).prepareTool(app, name, input, token),
      invoke: async (options, token) => (await parts()).invokeTool(app, name, options, token),
    }),
  );

/** Whoever wrote an untrusted folder shall not have servers of the user's workspaces running in it. */
export async function offeredServers(app: App): Promise<vscode.McpStdioServerDefinition[]> {
  const isOn = vscode.workspace.isTrusted && app.settings.get('assistants.mcpServers') !== 'off';
  return isOn ? (await parts()).mcpServers(app) : [];
}

function registerServers(app: App): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    app.connections.onDidChange(({ what }) => {
      if (what !== 'current') changed.fire();
    }),
    app.settings.onDidChange((isAffected) => {
      if (isAffected('assistants.mcpServers')) changed.fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => offeredServers(app),
      resolveMcpServerDefinition: async (server) =>
        server instanceof vscode.McpStdioServerDefinition
          ? (await parts()).resolveMcpServer(app, server)
          : undefined,
    }),
  );
}

/** What language models may do here: tools of the chat, and MCP servers where they are wanted. */
export const registerAssistants = (app: App): vscode.Disposable =>
  vscode.Disposable.from(...registerTools(app), registerServers(app));
