import type { Template } from '../../api/template.ts';
import type { PromptAddress } from '../prompt-address.ts';
import type { RegistryState } from '../registry-model.ts';

interface Named {
  readonly id: string;
}

export type PromptParent = Named &
  PromptAddress & { readonly kind: 'prompt'; readonly template: Template };

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

export const promptNode = (connectionId: string, template: Template): PromptParent => ({
  kind: 'prompt',
  id: `${connectionId}/${template.id}`,
  connectionId,
  promptName: template.prompt_name,
  template,
});

export function labelNode(parent: PromptParent, label: string, version: number): PromptLeaf {
  const { connectionId, promptName } = parent;
  const id = `${parent.id}/label/${label}`;
  const choice = { kind: 'label', label } as const;
  return { kind: 'promptLabel', id, connectionId, promptName, choice, label, version };
}

export function versionNode(
  parent: PromptParent,
  version: number,
  labels: readonly string[],
): PromptLeaf {
  const { connectionId, promptName } = parent;
  const id = `${parent.id}/version/${version}`;
  const choice = { kind: 'version', version } as const;
  return { kind: 'promptVersion', id, connectionId, promptName, choice, version, labels };
}
