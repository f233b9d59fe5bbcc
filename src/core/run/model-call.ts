import type { Template } from '../../api/template.ts';
import { destinationOf } from '../destination/destination.ts';
import { ignoredIn, ignoredInWords, withoutSteering } from '../destination/steering.ts';
import type { ErrorReason } from '../errors.ts';
import { TemplateError, describeError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import type { ModelCall } from '../providers/provider.ts';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

const incomplete = (reason: ErrorReason): TemplateError =>
  new TemplateError(reason, { hint: { kind: 'select-model' } });

function demandMapping(value: unknown, reason: ErrorReason): Mapping {
  if (isMapping(value)) return value;
  throw incomplete(reason);
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
  const name = template.prompt_name;
  const given = template.llm_kwargs;
  if (!isMapping(given) || Object.keys(given).length === 0) {
    const failure = incomplete({ kind: 'no-model-arguments', name });
    if (throwOnError) throw failure;
    logger.warn(describeError(failure));
  }
  const metadata = demandMapping(template.metadata, { kind: 'no-metadata', name });
  const model = demandMapping(metadata['model'], { kind: 'no-model', name });
  const { stream: _stream, ...rest } = given ?? {};
  const { kept: kwargs } = withoutSteering(rest);
  const ignored = ignoredIn(template, overrides);
  if (ignored.length > 0) logger.warn(`The template "${name}": ${ignoredInWords(ignored)}`);
  const { source, client, baseURL, apiKey } = destinationOf(template);
  const provider = client ?? textOf(model['provider']);
  if (provider === undefined) {
    throw incomplete({ kind: 'no-provider', name });
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
