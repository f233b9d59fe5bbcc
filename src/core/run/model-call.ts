import type { Template } from '../../api/template.ts';
import { destinationOf } from '../destination/destination.ts';
import { ignoredIn, ignoredInWords, withoutSteering } from '../destination/steering.ts';
import { TemplateError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import type { ModelCall } from '../providers/provider.ts';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

function demandMapping(value: unknown, what: string, hint: string): Mapping {
  if (isMapping(value)) return value;
  throw new TemplateError(what, { hint });
}

/** `chat.completions` and `chat-completions` are two spellings of one API. */
const apiTypeOf = (value: unknown): string | undefined => textOf(value)?.replaceAll('.', '-');

interface ModelCallOptions {
  readonly stream: boolean;
  readonly throwOnError: boolean;
  readonly logger: Logger;
  /** Parameters in the place of the prompt's own: they steer no more than these. */
  readonly overrides?: Mapping | null | undefined;
}

/** A rendered template -> what its model is asked. */
export function modelCallOf(
  template: Template,
  { stream, throwOnError, logger, overrides }: ModelCallOptions,
): ModelCall {
  const name = `The template "${template.prompt_name}"`;
  const hint = 'Select a model for it in the registry, or give provider and model.';
  const given = template.llm_kwargs;
  if (!isMapping(given) || Object.keys(given).length === 0) {
    if (throwOnError) throw new TemplateError(`${name} has no arguments for a model.`, { hint });
    logger.warn(`${name} has no arguments for a model. ${hint}`);
  }
  const metadata = demandMapping(template.metadata, `${name} has no metadata.`, hint);
  const model = demandMapping(metadata['model'], `${name} has no model.`, hint);
  const { stream: _stream, ...rest } = given ?? {};
  const { kept: kwargs } = withoutSteering(rest);
  const ignored = ignoredIn(template, overrides);
  if (ignored.length > 0) logger.warn(`${name}: ${ignoredInWords(ignored)}`);
  const { source, client, baseURL, apiKey } = destinationOf(template);
  const provider = client ?? textOf(model['provider']);
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
    baseURL,
    apiKey,
    isCustom: source === 'custom',
    ignored,
  };
}
