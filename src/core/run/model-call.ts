import type { Template } from '../../api/template.ts';
import { TemplateError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import type { ModelCall } from '../providers/provider.ts';

/** Arguments that open a door or say where it is. They are used, and neither sent nor logged. */
const credential =
  /^(?:(?:x[-_]?)?api[-_]?key|base[-_]?url|auth(?:orization)?|(?:access|auth|bearer|session)[-_]?token|credentials|password|secret|aws[-_]\w+|azure[-_](?:endpoint|ad[-_]token|deployment)|default[-_]headers|extra[-_]headers)$/i;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

function demandMapping(value: unknown, what: string, hint: string): Mapping {
  if (isMapping(value)) return value;
  throw new TemplateError(what, { hint });
}

/** `chat.completions` and `chat-completions` are two spellings of one API. */
const apiTypeOf = (value: unknown): string | undefined => textOf(value)?.replaceAll('.', '-');

/** A rendered template -> what its model is asked. */
export function modelCallOf(
  template: Template,
  { stream, throwOnError, logger }: { stream: boolean; throwOnError: boolean; logger: Logger },
): ModelCall {
  const name = `The template "${template.prompt_name}"`;
  const hint = 'Choose a model for it in the registry, or give provider and model.';
  const given = template.llm_kwargs;
  if (!isMapping(given) || Object.keys(given).length === 0) {
    if (throwOnError) throw new TemplateError(`${name} has no arguments for a model.`, { hint });
    logger.warn(`${name} has no arguments for a model. ${hint}`);
  }
  const metadata = demandMapping(template.metadata, `${name} has no metadata.`, hint);
  const model = demandMapping(metadata['model'], `${name} has no model.`, hint);
  const custom = isMapping(template['custom_provider']) ? template['custom_provider'] : {};
  const base = isMapping(template['provider_base_url']) ? template['provider_base_url'] : {};
  const kwargs: Record<string, unknown> = {};
  const credentials: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given ?? {})) {
    if (credential.test(key)) credentials[key] = value;
    else if (key !== 'stream') kwargs[key] = value;
  }
  const provider = textOf(custom['client']) ?? textOf(model['provider']);
  if (provider === undefined) {
    throw new TemplateError(`${name} names no provider.`, { hint });
  }
  return {
    provider,
    apiType: apiTypeOf(model['api_type']),
    templateType: template.prompt_template.type === 'completion' ? 'completion' : 'chat',
    model: textOf(kwargs['model']) ?? textOf(model['name']) ?? '',
    kwargs,
    stream,
    baseURL:
      textOf(custom['base_url']) ??
      textOf(base['url']) ??
      textOf(credentials['baseURL'] ?? credentials['base_url']),
    apiKey: textOf(custom['api_key']) ?? textOf(credentials['apiKey'] ?? credentials['api_key']),
    isCustom: textOf(custom['base_url']) !== undefined,
    credentials,
  };
}
