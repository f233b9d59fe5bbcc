import { isSeen } from '../../api/seen-text.ts';
import { COLUMN_LIMIT } from '../store/limits.ts';
import { ImportError } from '../../core/imports/import-error.ts';

const TITLE_LIMIT = 255;

/** Column titles as the header gives them, or what is wrong with them. */
export function checkTitles(fields: readonly (string | null)[]): string[] {
  if (fields.length > COLUMN_LIMIT) {
    throw new ImportError(
      `The file has ${String(fields.length)} columns; a sheet can have ${String(COLUMN_LIMIT)}.`,
    );
  }
  const titles = fields.map((field) => (field ?? '').trim());
  const seen = new Set<string>();
  for (const [index, title] of titles.entries()) {
    const place = `Column ${String(index + 1)} of the header`;
    if (!isSeen(title)) throw new ImportError(`${place} is empty. Give each column a title.`);
    if (title.length > TITLE_LIMIT) {
      throw new ImportError(`${place} is longer than ${String(TITLE_LIMIT)} characters.`);
    }
    if (seen.has(title)) {
      throw new ImportError(`${place} repeats the title "${title}". Titles must be unique.`);
    }
    seen.add(title);
  }
  return titles;
}
