import path from 'node:path';
import * as vscode from 'vscode';
import { ConfigurationError } from '../../core/errors.ts';
import { providerVariableNames } from '../../core/providers/variables.ts';
import type { App } from '../shell/app.ts';
import { plainLine } from '../shell/plain-text.ts';

type Server = vscode.McpStdioServerDefinition;

/** Says which connection a definition stands for; the server itself has no use for it. */
const connectionVariable = 'PROMPT_TABLES_CONNECTION';

/** One for each workspace that can be reached. VS Code stores these, so no key is among them. */
export async function mcpServers(app: App): Promise<Server[]> {
  const entry = app.context.asAbsolutePath(path.join('dist', 'mcp-server.mjs'));
  const { version } = app.context.extension.packageJSON as { readonly version: string };
  const isFull = app.settings.get('assistants.mcpServers') === 'full';
  const servers: Server[] = [];
  for (const connection of app.connections.all) {
    const { id, name, kind } = connection;
    if (kind === 'hosted' && (await app.secrets.get(id)) === undefined) continue;
    const environment = {
      [connectionVariable]: id,
      PROMPT_TABLES_WORKSPACE: name,
      PROMPT_TABLES_ALLOW_CHANGES: isFull ? '1' : null,
      // VS Code's own program is Electron on the desktop, plain Node in a server.
      ...('electron' in process.versions && { ELECTRON_RUN_AS_NODE: '1' }),
      NODE_OPTIONS: null,
    };
    const label = plainLine(vscode.l10n.t('Prompt Tables: {0}', name));
    servers.push(
      new vscode.McpStdioServerDefinition(label, process.execPath, [entry], environment, version),
    );
  }
  return servers;
}

/** Proxy and trust of the editor, in the words of the environment; null takes a variable out. */
function networkVariables(app: App): Record<string, string | null> {
  const { proxy, noProxy, strictSSL, systemCertificates, ignoreEnvironment } =
    app.settings.network();
  // Authorities of NODE_EXTRA_CA_CERTS are inherited as they are.
  const trust = {
    NODE_TLS_REJECT_UNAUTHORIZED: strictSSL ? null : '0',
    NODE_USE_SYSTEM_CA: systemCertificates ? '1' : '0',
  };
  if (ignoreEnvironment) return { ...trust, HTTPS_PROXY: null, HTTP_PROXY: null, ALL_PROXY: null };
  return {
    ...trust,
    ...(proxy !== undefined && { HTTPS_PROXY: proxy, HTTP_PROXY: proxy }),
    ...(noProxy.length > 0 && { NO_PROXY: noProxy.join(',') }),
  };
}

/** Keys of model providers, for a server that may run prompts; another one inherits none. */
async function providerVariables(app: App): Promise<Record<string, string | null>> {
  if (app.settings.get('assistants.mcpServers') !== 'full') {
    return Object.fromEntries(providerVariableNames.map((name) => [name, null]));
  }
  const names = await app.providerSecrets.ids();
  const pairs = await Promise.all(
    names.map(async (name) => [name, await app.providerSecrets.get(name)] as const),
  );
  return Object.fromEntries(pairs.filter((pair) => pair[1] !== undefined)) as Record<
    string,
    string
  >;
}

/** Where the server finds the code that asks for prompts: it only reads there. */
function folderVariable(): Record<string, string | null> {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return { PROMPT_TABLES_FOLDER: folder?.uri.fsPath ?? null };
}

/** Called when the server is about to start: only now, and only here, is it given its key. */
export async function resolveMcpServer(app: App, server: Server): Promise<Server> {
  const access = await app.connections.access(String(server.env[connectionVariable]));
  if (app.settings.get('assistants.mcpServers') === 'off') {
    throw new ConfigurationError(vscode.l10n.t('MCP servers of Prompt Tables are turned off.'));
  }
  server.env = {
    ...server.env,
    ...networkVariables(app),
    ...(await providerVariables(app)),
    ...folderVariable(),
    PROMPTLAYER_API_KEY: access.apiKey,
    ...('socketPath' in access
      ? { PROMPT_TABLES_SOCKET: access.socketPath, PROMPTLAYER_BASE_URL: null }
      : { PROMPTLAYER_BASE_URL: access.baseURL, PROMPT_TABLES_SOCKET: null }),
  };
  return server;
}
