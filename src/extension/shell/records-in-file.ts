import { parse } from 'csv-parse/sync';
import { ValidationError } from '../../core/errors.ts';
import { parseJsonAsWritten } from '../../core/http/json.ts';
import { isMapping } from '../../core/mapping.ts';

type Values = Readonly<Record<string, unknown>>;
type Translate = (message: string, ...args: readonly (string | number)[]) => string;

/** Sets of named values that a file holds: a JSON object, a list of them, JSON lines, rows of a CSV. */
export function recordsIn(name: string, text: string, t: Translate): readonly Values[] {
  const kind = /\.([^.]+)$/.exec(name.toLowerCase())?.[1];
  try {
    if (kind === 'csv') {
      return parse(text, {
        columns: true,
        bom: true,
        skip_empty_lines: true,
        relax_column_count: true,
      });
    }
    const isLines = kind === 'jsonl' || kind === 'ndjson';
    const value = isLines
      ? text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => parseJsonAsWritten(line))
      : parseJsonAsWritten(text.replace(/^\ufeff/, ''));
    const records = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(
      isMapping,
    );
    if (records.length > 0) return records;
  } catch (cause) {
    throw new ValidationError(t('{0} could not be read.', name), {
      hint: cause instanceof Error ? cause.message : undefined,
      cause,
    });
  }
  throw new ValidationError(t('{0} has no named values.', name), {
    hint: t(
      'Provide a JSON object, a list of objects, or a CSV file whose first line has the names.',
    ),
  });
}
