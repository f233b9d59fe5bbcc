import type { FolderEntity } from '../../api/folder.ts';
import type { Template } from '../../api/template.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import type { RegistryState } from '../trees/registry-model.ts';

interface Named {
  readonly id: string;
}

/** What is known of a prompt that is listed. Of one that only its folder tells of, that is little. */
export type ListedPrompt = Pick<Template, 'id' | 'version'> & Partial<Template>;

export type PromptItem = Named &
  PromptAddress & {
    readonly kind: 'prompt';
    readonly template: ListedPrompt;
    /** Only its folder tells of it: what the list of prompts tells was not read so far. */
    readonly isBrief?: true;
    /** Names of the folders around it, when it is shown outside of them. */
    readonly path?: readonly string[] | undefined;
  };

export type FolderItem = Named & {
  readonly kind: 'promptFolder';
  readonly connectionId: string;
  readonly folderId: number;
  readonly name: string;
};

/** What other items stand below. */
export type PromptParent = PromptItem | FolderItem;

export type PromptLeaf =
  | (Named &
      PromptAddress & {
        readonly kind: 'promptVersion';
        readonly version: number;
        readonly labels: readonly string[];
      })
  | (Named &
      PromptAddress & {
        readonly kind: 'promptLabel';
        readonly label: string;
        readonly version: number;
      });

/** Everything that stands in the Prompts view. `id` is stable. */
export type PromptNode = PromptParent | PromptLeaf | RegistryState<PromptParent>;

export const promptNode = (
  connectionId: string,
  template: Template,
  path?: readonly string[],
): PromptItem => ({
  kind: 'prompt',
  id: `${connectionId}/${template.id}`,
  connectionId,
  promptName: template.prompt_name,
  template,
  path,
});

export const folderNode = (connectionId: string, { id, name }: FolderEntity): FolderItem => ({
  kind: 'promptFolder',
  id: `${connectionId}/folder/${id}`,
  connectionId,
  folderId: id,
  name,
});

/** A prompt as its folder tells of it, with what the list of prompts tells, if that was read. */
export function entityNode(
  connectionId: string,
  { id, name, type, metadata }: FolderEntity,
  listed: Template | undefined,
): PromptItem {
  if (listed !== undefined) return promptNode(connectionId, listed);
  const version = metadata?.['latest_version_number'];
  const template = {
    ...{ id, is_snippet: type === 'SNIPPET' },
    version: typeof version === 'number' ? version : undefined,
  };
  const address = { id: `${connectionId}/${id}`, connectionId, promptName: name };
  return { kind: 'prompt', ...address, template, isBrief: true };
}

export function labelNode(parent: PromptItem, label: string, version: number): PromptLeaf {
  const { connectionId, promptName } = parent;
  const id = `${parent.id}/label/${label}`;
  const choice = { kind: 'label', label } as const;
  return { kind: 'promptLabel', id, connectionId, promptName, choice, label, version };
}

export function versionNode(
  parent: PromptItem,
  version: number,
  labels: readonly string[],
): PromptLeaf {
  const { connectionId, promptName } = parent;
  const id = `${parent.id}/version/${version}`;
  const choice = { kind: 'version', version } as const;
  return { kind: 'promptVersion', id, connectionId, promptName, choice, version, labels };
}
