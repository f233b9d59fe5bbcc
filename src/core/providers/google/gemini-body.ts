import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { camelCased } from './camel-case.ts';

/** Arguments that stand beside `generationConfig` in the body, wherever the template has them. */
const besideConfig = new Set([
  'cachedContent',
  'labels',
  'modelArmorConfig',
  'safetySettings',
  'serviceTier',
  'store',
  'systemInstruction',
  'toolConfig',
  'tools',
]);

/** Switches of Google's own client; they are not sent. */
const ofClient = new Set(['abortSignal', 'automaticFunctionCalling', 'httpOptions', 'model']);

const partOf = (value: unknown): unknown => (typeof value === 'string' ? { text: value } : value);

const isContent = (value: unknown): value is Mapping => isMapping(value) && 'parts' in value;

/** Text, a part, a content, or a list of these -> contents; parts in a row are one content. */
function contentsOf(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  const contents: unknown[] = [];
  let parts: unknown[] | undefined;
  for (const item of Array.isArray(given) ? (given as readonly unknown[]) : [given]) {
    if (isContent(item)) {
      parts = undefined;
      contents.push({ role: 'user', ...item });
    } else if (parts === undefined) {
      parts = [partOf(item)];
      contents.push({ role: 'user', parts });
    } else {
      parts.push(partOf(item));
    }
  }
  return contents;
}

function instructionOf(given: unknown): unknown {
  if (isContent(given)) return given;
  const parts = contentsOf(given).flatMap((content) =>
    isContent(content) && Array.isArray(content['parts']) ? (content['parts'] as unknown[]) : [],
  );
  return parts.length === 0 ? undefined : { parts };
}

const mappingOf = (value: unknown): Mapping => (isMapping(value) ? value : {});

/**
 * `llm_kwargs` of a Google template -> the body of `generateContent`. The conversation is `history`
 * (its last item is what is said now), `contents` or `prompt`; settings are in `generation_config`
 * as Google's client takes it, or at the top.
 */
export function geminiBody(kwargs: Mapping): Mapping {
  const { history, contents, prompt, generationConfig, config, ...rest } = mappingOf(
    camelCased(kwargs),
  );
  const body: Record<string, unknown> = {};
  const settings: Record<string, unknown> = {};
  const given = { ...mappingOf(config), ...mappingOf(generationConfig), ...rest };
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || ofClient.has(name)) continue;
    if (name === 'systemInstruction') body[name] = instructionOf(value);
    else if (name === 'tools') body[name] = Array.isArray(value) ? value : [value];
    else if (name === 'modelSelectionConfig') settings['modelConfig'] = value;
    else if (besideConfig.has(name)) body[name] = value;
    else settings[name] = value;
  }
  return {
    contents: contentsOf(history ?? contents ?? prompt),
    ...body,
    ...(Object.keys(settings).length > 0 && { generationConfig: settings }),
  };
}
