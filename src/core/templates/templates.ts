import type { AnswerOf, BodyOf, QueryOf } from '../../api/endpoint.ts';
import type { PublishedTemplate, Template } from '../../api/template.ts';
import {
  createLabel,
  deleteLabel,
  getRawTemplate,
  getSnippetUsage,
  listLabels,
  moveLabel,
  patchTemplate,
  publishTemplate,
} from '../../api/template.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase, EitherSpelling } from '../spelling.ts';
import { snakeFields } from '../spelling.ts';
import type { ApiContext } from '../tables/context.ts';
import type { TemplateCache } from './cache.ts';
import { makeGetTemplate } from './get.ts';
import type { TemplatesQuery } from './list.ts';
import { walkTemplates } from './list.ts';
import type { PublishTemplate } from './publish.ts';
import { publishBody } from './publish.ts';

type RawQuery = QueryOf<typeof getRawTemplate>;
interface RawFields {
  readonly version?: number | undefined;
  readonly label?: string | undefined;
  /** False keeps references to snippets: what you want for editing. Default true. */
  readonly resolveSnippets?: boolean | undefined;
  readonly includeLlmKwargs?: boolean | undefined;
}
/** In camelCase or in snake_case. */
export type RawTemplateOptions = EitherSpelling<RawFields>;
/**
 * `version` or `label` to begin with; `messages`, `tools`, `functions`, `content` (an object by
 * index changes, a list replaces, null removes), `modelParameters`, `responseFormat`, `toolChoice`,
 * `functionCall`, `commitMessage`, `releaseLabels`.
 */
export type TemplatePatch = BodyOf<typeof patchTemplate>;
/** `{ release_label, release_label_id, prompt_version_id, prompt_version_number }`. */
export type TemplateLabel = AnswerOf<typeof listLabels>['release_labels'][number];
/** `{ id, name, prompt_id, prompt_version_id, created_at }`. */
export type ReleaseLabel = AnswerOf<typeof createLabel>;
/** `{ snippet_name, snippet_usage, label_usage, ... }`. */
export type SnippetUsage = AnswerOf<typeof getSnippetUsage>;

function makeLabels({ call }: ApiContext, cache: TemplateCache | undefined) {
  /** What a label points to may have changed even when the answer was lost. */
  const changing = async <T>(answer: Promise<T>, promptIdOf: (answer: T) => string | undefined) => {
    let promptId: string | undefined;
    try {
      const given = await answer;
      promptId = promptIdOf(given);
      return given;
    } finally {
      cache?.invalidate(promptId);
    }
  };

  return {
    /** The labels of a template, by its id. */
    list: async (templateId: number, options: CallOptions = {}): Promise<TemplateLabel[]> => {
      const params = { id: String(templateId) };
      return (await call(listLabels, { params }, options)).release_labels;
    },

    /** Puts a new label on a version. */
    create: (
      templateId: number,
      { name, versionNumber }: { readonly name: string; readonly versionNumber: number },
      options: CallOptions = {},
    ): Promise<ReleaseLabel> => {
      const body = { name, prompt_version_number: versionNumber };
      const answer = call(createLabel, { params: { id: String(templateId) }, body }, options);
      return changing(answer, () => String(templateId));
    },

    /** Lets a label point to another version of its template. */
    move: (
      labelId: number,
      versionNumber: number,
      options: CallOptions = {},
    ): Promise<ReleaseLabel> => {
      const body = { prompt_version_number: versionNumber };
      const answer = call(moveLabel, { params: { label_id: String(labelId) }, body }, options);
      return changing(answer, (label) => String(label.prompt_id));
    },

    /** Takes a label away, by its own id. */
    delete: async (labelId: number, options: CallOptions = {}): Promise<true> => {
      const answer = call(deleteLabel, { params: { label_id: String(labelId) } }, options);
      // The answer does not say which template it was.
      await changing(answer, () => undefined);
      return true;
    },
  };
}

/** What `client.templates` is. */
export type Templates = ReturnType<typeof makeTemplates>;

/** Prompt templates of the registry. Fetched templates keep the service's field names. */
export function makeTemplates(context: ApiContext, cache: TemplateCache | undefined) {
  const { call } = context;
  return {
    /**
     * A template, by its name or id, with its variables filled in. With `cacheTtlSeconds` it comes out of memory while
     * it is fresh, and then is frozen; what cannot be rendered here exactly as there is rendered
     * by the service.
     */
    get: makeGetTemplate(context, cache),

    /** A template as it was published, variables in place. Never cached. */
    getRaw: (
      name: string | number,
      options: RawTemplateOptions = {},
      callOptions: CallOptions = {},
    ): Promise<Template> => {
      const query: RawQuery = snakeFields(options);
      // No store on the way may answer with an older version.
      const headers = { 'cache-control': 'no-cache' };
      return call(
        getRawTemplate,
        { params: { name: String(name) }, query },
        { ...callOptions, headers },
      );
    },

    /** All templates that fit the query, page after page. */
    list: (
      query: AlsoCamelCase<TemplatesQuery> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Template, void> => walkTemplates(context, snakeFields(query), options),

    /** Makes a new version, or a new template. Then the name is no longer in the cache. */
    publish: async (
      template: PublishTemplate,
      options: CallOptions = {},
    ): Promise<PublishedTemplate> => {
      const body = publishBody(template);
      try {
        return await call(publishTemplate, { params: {}, body }, options);
      } finally {
        // Also after a failure: the request may have arrived.
        cache?.invalidate(body.prompt_template.prompt_name);
      }
    },

    /** Makes a new version out of an earlier one (by default the latest) and some changes. */
    patch: async (
      name: string | number,
      changes: AlsoCamelCase<TemplatePatch>,
      options: CallOptions = {},
    ): Promise<PublishedTemplate> => {
      const body = snakeFields(changes);
      try {
        return await call(patchTemplate, { params: { name: String(name) }, body }, options);
      } finally {
        cache?.invalidate(String(name));
      }
    },

    /** Release labels: names of versions. Everything here goes by ids. */
    labels: makeLabels(context, cache),

    /** Which templates and labels use a snippet. */
    snippetUsage: (
      templateId: number,
      { versionNumber }: { readonly versionNumber?: number | undefined } = {},
      options: CallOptions = {},
    ): Promise<SnippetUsage> =>
      call(
        getSnippetUsage,
        { params: { id: String(templateId) }, query: { prompt_version_number: versionNumber } },
        options,
      ),
  };
}
