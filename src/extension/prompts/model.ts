import type { App } from '../app.ts';
import { labelsOf, versionNumbers } from '../pick-prompt.ts';
import { RegistryModel } from '../registry-model.ts';
import { promptFilter } from './filter.ts';
import type { PromptLeaf, PromptParent } from './nodes.ts';
import { labelNode, promptNode, versionNode } from './nodes.ts';

export type PromptsModel = RegistryModel<PromptParent, PromptLeaf>;

/** What the Prompts view shows: prompts, below them their labels and versions. */
export const promptsModel = (app: App): PromptsModel =>
  new RegistryModel(app, {
    what: 'prompts',
    stateKey: 'promptTables.promptsState',
    filteredKey: 'promptTables.promptsFiltered',
    retry: 'promptTables.retryPrompts',
    async *list(client, { connectionId, page, size, filter }, signal) {
      const query = { page, per_page: size, ...promptFilter(filter) };
      for await (const template of client.templates.list(query, { signal })) {
        yield promptNode(connectionId, template);
      }
    },
    async below(client, parent, signal) {
      const labels = await labelsOf(client, parent.template.id, signal);
      const labelsAt = (version: number): readonly string[] =>
        labels
          .filter(({ prompt_version_number: number }) => number === version)
          .map(({ release_label: label }) => label);
      return [
        ...labels.map(({ release_label: label, prompt_version_number: version }) =>
          labelNode(parent, label, version),
        ),
        ...versionNumbers(parent.template.version).map((version) =>
          versionNode(parent, version, labelsAt(version)),
        ),
      ];
    },
  });
