import type { BodyOf } from '../../api/endpoint.ts';
import type { Template } from '../../api/template.ts';
import { getTemplate } from '../../api/template.ts';
import type { CallOptions } from '../http/call.ts';
import type { EitherSpelling } from '../spelling.ts';
import { snakeFields } from '../spelling.ts';
import type { ApiContext } from '../tables/context.ts';
import type { TemplateCache } from './cache.ts';

interface GetTemplateFields {
  /** Without version and label, the latest version. */
  readonly version?: number | undefined;
  readonly label?: string | undefined;
  /** Give provider and model together: `llm_kwargs` are made for them. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly inputVariables?: Readonly<Record<string, unknown>> | undefined;
  /** Choose a variant of a label. Given, also empty, the cache is left out. */
  readonly metadataFilters?: Readonly<Record<string, string>> | undefined;
  /** Merged into `llm_kwargs` by the service. Given, also empty, the cache is left out. */
  readonly modelParameterOverrides?: Readonly<Record<string, unknown>> | null | undefined;
  readonly workspaceId?: number | undefined;
}

/** In camelCase, or in snake_case as the service spells them. */
export type GetTemplateOptions = EitherSpelling<GetTemplateFields>;

type GetTemplateBody = NonNullable<BodyOf<typeof getTemplate>>;

/** Fetches a template, through the cache if there is one. */
export function makeGetTemplate({ call, logger }: ApiContext, cache: TemplateCache | undefined) {
  const fetch = async (
    name: string,
    body: GetTemplateBody,
    options: CallOptions,
  ): Promise<Template> => {
    const template = await call(getTemplate, { params: { name }, body }, options);
    if (template.warning) logger.warn(`The template "${name}": ${template.warning}`);
    return template;
  };

  return async (
    nameOrId: string | number,
    options: GetTemplateOptions = {},
    callOptions: CallOptions = {},
  ): Promise<Template> => {
    const name = String(nameOrId);
    const body: GetTemplateBody = Object.fromEntries(
      Object.entries(snakeFields(options)).filter(([, value]) => value !== null),
    );
    const { input_variables: variables, ...rest } = body;
    if (
      cache === undefined ||
      body.metadata_filters !== undefined ||
      body.model_parameter_overrides !== undefined
    ) {
      return fetch(name, body, callOptions);
    }
    const { version, label, provider, model, workspace_id: workspaceId } = body;
    const plan = await cache.plan(
      { name, version, label, provider, model, workspaceId },
      (signal) => fetch(name, { ...rest, skip_input_variable_rendering: true }, { signal }),
      callOptions,
    );
    return plan?.render(variables ?? undefined) ?? fetch(name, body, callOptions);
  };
}
