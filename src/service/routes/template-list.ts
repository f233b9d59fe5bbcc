import { listTemplates } from '../../api/template.ts';
import { jsonObject } from '../http/json-text.ts';
import { numberedFields, offsetOf } from '../http/numbered-page.ts';
import type { Route } from '../http/route.ts';
import { ok, route } from '../http/route.ts';
import { wantedTags } from '../http/tags.ts';
import { timeOf } from '../http/times.ts';
import { metadataOf, templateOf } from '../prompts/get-prompt.ts';
import { argumentsFor } from '../prompts/render.ts';
import { chooseModel } from '../../core/kwargs/choose-model.ts';
import type { PromptRecord, PromptVersionRecord } from '../prompts/records.ts';
import type { SqlValue } from '../store/database.ts';
import { externalIdsOf } from '../store/external-ids.ts';
import { like } from '../store/folded.ts';
import { isoTime } from './answers.ts';
import { foundJson } from './template-answers.ts';

const sortColumns = {
  created_at: 'p.created_at',
  updated_at: 'p.updated_at',
  name: 'p.name_folded',
  id: 'p.id',
} as const;

type Listed = PromptRecord & { readonly version_id: number };

/** Only those with the label are listed when one is given, each with that version. */
const list = route(listTemplates, async ({ query, workspaceId, services }) => {
  const { database } = services;
  const conditions = ['p.workspace_id = ?'];
  const values: SqlValue[] = [workspaceId];
  const where = (condition: string, ...more: SqlValue[]): void => {
    conditions.push(condition);
    values.push(...more);
  };
  if (query.status !== 'all')
    where(`p.deleted_at is ${query.status === 'deleted' ? 'not ' : ''}null`);
  if (query.name !== undefined)
    where(String.raw`p.name_folded like ? escape '\'`, like(query.name));
  if (query.is_snippet !== undefined) where('p.is_snippet = ?', query.is_snippet ? 1 : 0);
  // Nobody's address is known here, so nobody's templates are found by it.
  if (query.created_by_email !== undefined) where('1 = 0');
  const tagged = `exists (select 1 from ${database.dialect.jsonItems('p.tags_json')} where item.value = ?)`;
  for (const { tag, parts } of wantedTags(query.tags)) {
    if (parts.length === 1) where(tagged, tag);
    else where(`(${tagged} or (${parts.map(() => tagged).join(' and ')}))`, tag, ...parts);
  }
  for (const [name, condition] of [
    ['created_after', 'p.created_at >= ?'],
    ['created_before', 'p.created_at <= ?'],
    ['updated_after', 'p.updated_at >= ?'],
    ['updated_before', 'p.updated_at <= ?'],
  ] as const) {
    const time = timeOf(['query', name], query[name]);
    if (time !== undefined) where(condition, time);
  }
  for (const name of ['source', 'external_id'] as const) {
    const wanted = name === 'source' ? query.external_source : query.external_id;
    if (wanted === undefined) continue;
    where(
      `exists (select 1 from external_ids e where e.workspace_id = p.workspace_id
        and e.kind = 'prompt' and e.entity_id = p.id and e.${name} = ?)`,
      wanted,
    );
  }
  const version =
    query.label === undefined
      ? `(select v.id from prompt_versions v where v.prompt_id = p.id order by v.number desc limit 1)`
      : `(select l.version_id from prompt_labels l where l.prompt_id = p.id and l.name = ?)`;
  const first = query.label === undefined ? [] : [query.label];
  const sort = sortColumns[query.sort_by ?? 'created_at'];
  const from = `from (select p.*, ${version} as version_id from prompts p where ${conditions.join(' and ')}) p
    where p.version_id is not null`;
  return database.read(async (session) => {
    const counted = await session.one<{ total: number }>(`select count(*) as total ${from}`, [
      ...first,
      ...values,
    ]);
    const page = { page: query.page, perPage: Math.min(query.per_page, 100) };
    const listed = await session.query<Listed>(
      `select p.* ${from} order by ${sort} ${query.sort_order}, p.id ${query.sort_order} limit ? offset ?`,
      [...first, ...values, page.perPage, offsetOf(page)],
    );
    const versions = new Map<number, PromptVersionRecord>();
    for (const one of await session.query<PromptVersionRecord>(
      `select * from prompt_versions where id ${session.dialect.isOneOf}`,
      [JSON.stringify(listed.map(({ version_id: id }) => id))],
    )) {
      versions.set(one.id, one);
    }
    const ids = listed.map(({ id }) => id);
    const externalIds = await externalIdsOf(session, workspaceId, 'prompt', ids);
    const items = listed.flatMap((prompt) => {
      const found = versions.get(prompt.version_id);
      if (found === undefined) return [];
      const template = templateOf(found);
      const metadata = metadataOf(found);
      const { model } = chooseModel(metadata, {});
      const kwargs = argumentsFor(template, model, undefined);
      return [
        foundJson(
          { prompt, version: found, template, metadata, kwargs },
          {
            external_ids: externalIds.get(prompt.id) ?? [],
            is_snippet: prompt.is_snippet === 1,
            updated_at: isoTime(prompt.updated_at),
          },
        ),
      ];
    });
    const fields = numberedFields({ ...page, total: counted?.total ?? 0 }, 'same');
    return ok(jsonObject({ items, ...fields }));
  });
});

export const templateListRoutes: readonly Route[] = [list];
