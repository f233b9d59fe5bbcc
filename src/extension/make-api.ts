import * as vscode from 'vscode';
import type { PromptTablesApi, TreeEntry } from './shell/api.ts';
import type { App } from './shell/app.ts';
import { offeredServers } from './assistants/register.ts';
import type { ConnectionStore } from './connections/store.ts';
import type { LocalService } from './local-service/local-service.ts';
import { doneCount } from './cells/running-cells.ts';
import { promptItemOf } from './prompts/item.ts';
import type { PromptsModel } from './prompts/model.ts';
import { FileDrop } from './tree/drop.ts';
import { itemOf } from './tree/item.ts';
import type { TreeModel } from './tree/model.ts';
import { isParent } from './tree/nodes.ts';
import { workflowItemOf } from './workflows/item.ts';
import type { WorkflowsModel } from './workflows/model.ts';

export interface ApiParts {
  readonly app: App;
  readonly connections: ConnectionStore;
  readonly service: LocalService;
  readonly model: TreeModel;
  readonly prompts: PromptsModel;
  readonly workflows: WorkflowsModel;
  readonly activationMs: number;
}

function entryOf(
  node: { readonly id: string; readonly kind: string },
  { label, description }: vscode.TreeItem,
): TreeEntry {
  return {
    id: node.id,
    kind: node.kind,
    label: typeof label === 'string' ? label : (label?.label ?? ''),
    description: typeof description === 'string' ? description : '',
  };
}

async function entriesOf<Item extends { readonly id: string; readonly kind: string }>(
  model: { children(parent?: Item): Promise<readonly Item[]> },
  presentationOf: (node: Item) => vscode.TreeItem,
  parentId: string | undefined,
): Promise<readonly TreeEntry[]> {
  const top = await model.children();
  const parent = top.find(({ id }) => id === parentId);
  const nodes = parentId === undefined ? top : await model.children(parent);
  return nodes.map((node) => entryOf(node, presentationOf(node)));
}

export function makeApi(parts: ApiParts): PromptTablesApi {
  const { app, connections, service, model, prompts, workflows, activationMs } = parts;
  return {
    activationMs,
    dataFolder: service.folder.path,
    get connections() {
      return connections.all;
    },
    get currentConnection() {
      return connections.current;
    },
    addConnection: async (details, key) => (await connections.add(details, key)).id,
    useConnection: (id) => connections.use(id),
    setKey: (id, key) => app.secrets.set(id, key),
    signOut: (id) => app.secrets.delete(id),
    removeConnection: (id) => connections.remove(id),
    hasKey: async (id) => (await app.secrets.get(id)) !== undefined,
    async tree(parentId) {
      const parent = parentId === undefined ? undefined : model.find(parentId);
      if (parentId !== undefined && (parent === undefined || !isParent(parent))) {
        throw new Error(vscode.l10n.t('The tree has no branch {0}.', parentId));
      }
      const branch = parent !== undefined && isParent(parent) ? parent : undefined;
      return (await model.children(branch)).map((node) => entryOf(node, itemOf(app, node)));
    },
    promptsChanged: (connectionId) => app.changes.tellPrompts({ connectionId }),
    linesOfLabel: async (promptName, label) =>
      (await app.usesInCode.ofLabel({ promptName, label }, app.signal))?.lines ?? [],
    prompts: (parentId) => entriesOf(prompts, promptItemOf, parentId),
    workflows: (parentId) => entriesOf(workflows, workflowItemOf, parentId),
    setProviderKey: (variable, value) => app.providerSecrets.set(variable, value),
    removeProviderKey: (variable) => app.providerSecrets.delete(variable),
    providerKeys: () => app.providerSecrets.ids(),
    async mcpServers() {
      const { resolveMcpServer } = await import('./assistant-parts.ts');
      return (await offeredServers(app)).map((server) => ({
        label: server.label,
        command: server.command,
        args: server.args,
        environment: { ...server.env },
        startedWith: async () =>
          Object.entries((await resolveMcpServer(app, server)).env)
            .filter(([, value]) => value !== null)
            .map(([name]) => name),
      }));
    },
    drop: (files, targetId) =>
      new FileDrop(app).handleDrop(
        targetId === undefined ? undefined : model.find(targetId),
        files,
      ),
    get treeMessage() {
      return model.message;
    },
    get running() {
      return app.operations.active.map(({ address, operation }) => ({
        operationId: operation.operation_id,
        sheetId: address.sheetId,
        status: operation.status,
        done: doneCount(operation),
        total: operation.cell_count,
      }));
    },
    servicePid: () => service.pid(),
    get shownErrors() {
      return app.errors.recent;
    },
  };
}
