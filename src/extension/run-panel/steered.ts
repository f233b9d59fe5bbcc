import type { Template } from '../../api/template.ts';
import { destinationOf } from '../../core/destination/destination.ts';
import { ignoredIn, namesInWords } from '../../core/destination/steering.ts';
import { isMapping } from '../../core/mapping.ts';
import type { ModelName, PromptPresentation } from '../../protocol/run.ts';
import { isEditorModel, vscodeProvider } from '../language-models/models.ts';

/**
 * What the head says of where a prompt's requests go. `asked`: a model in the place of the prompt's
 * own, which the parameters of the latter are not for.
 */
export function steeredPresentation(
  template: Pick<Partial<Template>, 'metadata' | 'llm_kwargs'> & Readonly<Record<string, unknown>>,
  asked: ModelName | undefined,
): Pick<PromptPresentation, 'ignored' | 'sentTo' | 'isEditorModel'> {
  const model = isMapping(template.metadata?.['model']) ? template.metadata['model'] : {};
  const isOwn =
    asked === undefined || (asked.provider === model['provider'] && asked.name === model['name']);
  const names = isOwn ? ignoredIn(template) : [];
  if (isEditorModel(asked) || (asked === undefined && model['provider'] === vscodeProvider)) {
    // No address of the workspace counts for it.
    return { ...(names.length > 0 && { ignored: namesInWords(names) }), isEditorModel: true };
  }
  const { baseURL } = destinationOf(template);
  return {
    ...(names.length > 0 && { ignored: namesInWords(names) }),
    ...(baseURL !== undefined && URL.canParse(baseURL) && { sentTo: new URL(baseURL).origin }),
  };
}
