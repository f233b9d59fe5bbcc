import type { QueryOf } from '../../api/endpoint.ts';
import type { Template } from '../../api/template.ts';
import { listTemplates } from '../../api/template.ts';
import type { CallOptions } from '../http/call.ts';
import { walkPages } from '../http/numbered-pages.ts';
import type { ApiContext } from '../tables/context.ts';

/**
 * `name` (a part of it, in any case), `tags` (all must match), `label`, `status`, `isSnippet`,
 * `createdByEmail`, times, `sortBy`, `sortOrder`, `page`, `perPage` (default 30).
 */
export type TemplatesQuery = QueryOf<typeof listTemplates>;

/** Templates page after page, each once. */
export const walkTemplates = (
  { call }: ApiContext,
  query: TemplatesQuery,
  options: CallOptions,
): AsyncGenerator<Template, void, undefined> =>
  walkPages((page) => call(listTemplates, { params: {}, query: { ...query, page } }, options), {
    name: 'templates',
    firstPage: Number(query.page ?? 1),
  });
