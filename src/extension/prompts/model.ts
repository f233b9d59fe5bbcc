import type { Client } from '../../core/index.ts';
import type { App } from '../shell/app.ts';
import { labelsOf, versionNumbers } from '../ask/pick-prompt.ts';
import { RegistryModel } from '../trees/registry-model.ts';
import { promptFilter } from './filter.ts';
import type { PromptFolders } from './folders.ts';
import type { PromptItem, PromptLeaf, PromptParent } from './nodes.ts';
import { labelNode, promptNode, versionNode } from './nodes.ts';

export type PromptsModel = RegistryModel<PromptParent, PromptLeaf>;

async function belowPrompt(
  client: Client,
  parent: PromptItem,
  signal: AbortSignal,
): Promise<readonly PromptLeaf[]> {
  const { template, promptName } = parent;
  const [labels, version] = await Promise.all([
    labelsOf(client, template.id, signal),
    template.version ??
      client.templates.getRaw(promptName, {}, { signal }).then((newest) => newest.version),
  ]);
  const labelsAt = (number: number): readonly string[] =>
    labels
      .filter(({ prompt_version_number: stands }) => stands === number)
      .map(({ release_label: label }) => label);
  return [
    ...labels.map(({ release_label: label, prompt_version_number: number }) =>
      labelNode(parent, label, number),
    ),
    ...versionNumbers(version).map((number) => versionNode(parent, number, labelsAt(number))),
  ];
}

/**
 * What the Prompts view shows: folders and prompts, below these their labels and versions. What a
 * filter finds is a list, and so is a workspace without folders.
 */
export const promptsModel = (app: App, folders: PromptFolders): PromptsModel =>
  new RegistryModel(app, {
    what: 'prompts',
    stateKey: 'promptTables.promptsState',
    filteredKey: 'promptTables.promptsFiltered',
    retry: 'promptTables.retryPrompts',
    async *list(client, { connectionId, page, size, filter }, signal) {
      if (page === 1) folders.forget(connectionId);
      if (folders.areShown && filter === undefined) {
        const top = await folders.top(client, connectionId, signal);
        if (top !== undefined) return yield* top.slice((page - 1) * size);
      }
      const wanted = promptFilter(filter);
      const places =
        folders.areShown && filter !== undefined
          ? await folders.places(client, connectionId, wanted, signal)
          : undefined;
      const query = { page, per_page: size, ...wanted };
      for await (const template of client.templates.list(query, { signal })) {
        yield promptNode(connectionId, template, places?.get(template.id));
      }
    },
    below: (client, parent, signal) =>
      parent.kind === 'promptFolder'
        ? folders.inside(client, parent.connectionId, parent.folderId, signal)
        : belowPrompt(client, parent, signal),
    isParent: (node): node is PromptParent =>
      node.kind === 'promptFolder' || node.kind === 'prompt',
  });
