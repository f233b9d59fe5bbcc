import type { Dependency } from '../../api/column.ts';
import { codeSources } from './code-sources.ts';
import { isObject, type Json } from './columns/json.ts';
import { EngineProblem } from './problem.ts';
import { knownNames } from './rename-source.ts';
import { validateColumn, type ColumnFacts } from './validate-column.ts';

/** Code of a column or a step as it was saved, with what was found in it then. */
export interface SavedCode {
  /** Of the column; a step is none. */
  readonly id?: string;
  readonly title: string;
  readonly config: Json;
  readonly dependencies: readonly Dependency[];
  readonly savedAt: number;
}

export interface ReadableColumn extends ColumnFacts {
  readonly createdAt: number;
}

/**
 * What code reads, where that is more than was found when it was saved; undefined otherwise. Only of
 * what was there then: a column that came later is another matter.
 */
export function codeReadAnew(
  { id, title, config, dependencies, savedAt }: SavedCode,
  columns: readonly ReadableColumn[],
): Dependency[] | undefined {
  const has = (one: string): boolean => dependencies.some((edge) => edge.column_id === one);
  const others = columns.filter((one) => has(one.id) || one.createdAt <= savedAt);
  const code = isObject(config) ? config['code'] : undefined;
  const { names, isOpen } = codeSources(typeof code === 'string' ? code : '');
  const isNews = others.some(
    (one) => one.id !== id && !has(one.id) && (isOpen || names.has(one.title)),
  );
  if (!isNews) return undefined;
  const draft = {
    ...(id !== undefined && { id }),
    ...{ title, type: 'CODE_EXECUTION', config, dependencies },
    known: knownNames({ config, dependencies }),
  };
  try {
    const found = validateColumn(draft, others).dependencies;
    return found.some((edge) => !has(edge.column_id)) ? found : undefined;
  } catch (error) {
    // What would be refused today stays as it was saved.
    if (error instanceof EngineProblem) return undefined;
    throw error;
  }
}
