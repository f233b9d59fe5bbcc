import { notFound } from '../http/problem.ts';
import type { Session } from '../store/database.ts';
import type { PromptRecord } from './records.ts';
import { lookUpVersion } from './store.ts';

interface UsingVersion {
  readonly prompt_id: number;
  readonly name: string;
  readonly number: number;
}

interface UsingLabel {
  readonly prompt_id: number;
  readonly name: string;
  readonly label: string;
}

export interface SnippetUsage {
  readonly name: string;
  readonly prompts: readonly {
    readonly prompt_registry_id: number;
    readonly prompt_name: string;
    readonly version_numbers: readonly number[];
  }[];
  readonly labels: readonly {
    readonly prompt_registry_id: number;
    readonly prompt_name: string;
    readonly label_name: string;
  }[];
}

/**
 * Which versions and labels of other templates name a snippet. For one version of it: by its
 * number, by a label that stands on it, or, if it is the latest, without either.
 */
export async function snippetUsage(
  session: Session,
  snippet: PromptRecord,
  number: number | undefined,
): Promise<SnippetUsage> {
  const conditions = ['s.workspace_id = ?', 's.snippet_name = ?', 'p.deleted_at is null'];
  const values: (string | number)[] = [snippet.workspace_id, snippet.name];
  if (number !== undefined) {
    const version = await lookUpVersion(session, snippet, { version: number });
    if (version === undefined) throw notFound(`Version ${String(number)} of "${snippet.name}"`);
    const latest = await lookUpVersion(session, snippet, {});
    conditions.push(
      `(s.snippet_version = ? or s.snippet_label in (select name from prompt_labels where version_id = ?)
        ${latest?.id === version.id ? 'or (s.snippet_version is null and s.snippet_label is null)' : ''})`,
    );
    values.push(version.number, version.id);
  }
  const using = `from prompt_snippets s join prompt_versions v on v.id = s.version_id
    join prompts p on p.id = v.prompt_id`;
  const where = conditions.join(' and ');
  const versions = await session.query<UsingVersion>(
    `select distinct p.id as prompt_id, p.name, v.number ${using} where ${where} order by p.id, v.number`,
    values,
  );
  const labels = await session.query<UsingLabel>(
    `select distinct p.id as prompt_id, p.name, l.name as label ${using}
     join prompt_labels l on l.version_id = v.id where ${where} order by p.id, l.name`,
    values,
  );
  const byPrompt = new Map<number, { name: string; numbers: number[] }>();
  for (const { prompt_id: id, name, number: one } of versions) {
    const entry = byPrompt.get(id) ?? { name, numbers: [] };
    entry.numbers.push(one);
    byPrompt.set(id, entry);
  }
  return {
    name: snippet.name,
    prompts: [...byPrompt].map(([id, { name, numbers }]) => ({
      prompt_registry_id: id,
      prompt_name: name,
      version_numbers: numbers,
    })),
    labels: labels.map(({ prompt_id: id, name, label }) => ({
      prompt_registry_id: id,
      prompt_name: name,
      label_name: label,
    })),
  };
}
