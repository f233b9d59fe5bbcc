import type { Blueprint } from '../shell/choice-schema.ts';

/** The log of requests knows no prompt of such a run: a tag tells what it was. */
export const unpublishedOptions = (blueprint: Blueprint, promptName: string) =>
  blueprint.isRendered === true
    ? { promptBlueprint: blueprint, tags: ['replay'] }
    : {
        promptBlueprint: blueprint,
        tags: ['unpublished'],
        metadata: { prompt: promptName },
      };
