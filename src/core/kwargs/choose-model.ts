import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { familyOf } from './family.ts';
import type { ChosenModel } from './family.ts';
import { settleParameters } from './parameters.ts';

export interface ModelChoice {
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly model_parameter_overrides?: Mapping | null | undefined;
}

interface Chosen {
  /** Undefined when neither the template nor the caller names a model. */
  readonly model: ChosenModel | undefined;
  readonly metadata: Mapping | null;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const mappingOf = (value: unknown): Mapping => (isMapping(value) ? value : {});

/** APIs that the family of a model has; another family's are of no use to it. */
function apiTypeFor(
  model: Pick<ChosenModel, 'provider' | 'name'>,
  before: Mapping,
): string | undefined {
  const given = textOf(before['api_type']);
  const family = familyOf(model);
  const sameFamily =
    familyOf({ provider: textOf(before['provider']) ?? '', name: textOf(before['name']) ?? '' }) ===
    family;
  if (family === 'openai') return sameFamily && given !== undefined ? given : 'chat-completions';
  if (family === 'openrouter') return sameFamily && given !== undefined ? given : 'chat';
  return sameFamily ? given : undefined;
}

/**
 * The model that a template is run with. Another provider or model than the template's own starts
 * from that model's defaults; only the schema of the answer, which belongs to the prompt, stays.
 */
export function chooseModel(metadata: Mapping | null, choice: ModelChoice): Chosen {
  const own = isMapping(metadata?.['model']) ? metadata['model'] : undefined;
  const before = own ?? {};
  const provider = textOf(choice.provider) ?? textOf(before['provider']);
  const name = textOf(choice.model) ?? textOf(before['name']);
  if (provider === undefined || name === undefined) return { model: undefined, metadata };
  const isOwn = provider === before['provider'] && name === before['name'];
  const kept = settleParameters(mappingOf(before['parameters']));
  const base = isOwn
    ? kept
    : 'response_format' in kept
      ? { response_format: kept['response_format'] }
      : {};
  const parameters = { ...base, ...settleParameters(mappingOf(choice.model_parameter_overrides)) };
  const apiType = apiTypeFor({ provider, name }, before);
  const model = { provider, name, apiType, parameters };
  if (isOwn) {
    // Clients find the provider's API by it, also for a model that was published without one.
    const isNamed = apiType === undefined || textOf(before['api_type']) !== undefined;
    return isNamed
      ? { model, metadata }
      : { model, metadata: { ...metadata, model: { ...before, api_type: apiType } } };
  }
  const { base_model: _, model_config_display_name: _name, ...rest } = before;
  return {
    model,
    metadata: {
      ...metadata,
      model: {
        ...rest,
        provider,
        name,
        parameters: mappingOf(choice.model_parameter_overrides),
        display_params: {},
        api_type: apiType ?? null,
      },
    },
  };
}
