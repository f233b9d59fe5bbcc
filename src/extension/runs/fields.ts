import type { Column } from '../../api/column.ts';
import type { RunDetail, RunEntry } from '../kept-runs/run-history.ts';

/** A part of a run that a cell can hold. */
export interface RunField {
  readonly name: string;
  readonly text: string;
  /** Offered even where the sheet has no column for it. */
  readonly isUsual: boolean;
}

/** Variables first, then the output, then the facts of the run. */
export function fieldsOf(entry: RunEntry, { variables, output }: RunDetail): readonly RunField[] {
  const { version, model, elapsedMs, priceUsd, inputTokens, outputTokens, requestId } = entry;
  const reported: readonly (readonly [string, string | number | undefined])[] = [
    ['model', model],
    ['version', version],
    ['latency_ms', Math.round(elapsedMs)],
    ['price_usd', priceUsd],
    ['input_tokens', inputTokens],
    ['output_tokens', outputTokens],
    ['request_id', requestId],
  ];
  const names = new Set(variables.map(({ name }) => name.toLowerCase()));
  return [
    ...variables.map(({ name, text }) => ({ name, text, isUsual: true })),
    { name: names.has('output') ? 'run output' : 'output', text: output, isUsual: true },
    ...reported.flatMap(([name, value]) =>
      value === undefined || names.has(name) ? [] : [{ name, text: String(value), isUsual: false }],
    ),
  ];
}

export interface MatchedField {
  readonly field: RunField;
  /** The text column of its title; undefined: one is to be made. */
  readonly column: Column | undefined;
  /** Of the column that is to be made: none of the sheet has it. */
  readonly title: string;
}

/** Fields with the text columns of the same title; capitals don't matter. */
export function matched(
  fields: readonly RunField[],
  columns: readonly Column[],
): readonly MatchedField[] {
  const titles = new Set(columns.map(({ title }) => title.toLowerCase()));
  return fields.map((field) => {
    const wanted = field.name.toLowerCase();
    const column = columns.find(
      ({ title, type }) => type.toUpperCase() === 'TEXT' && title.toLowerCase() === wanted,
    );
    let title = field.name;
    for (let number = 2; titles.has(title.toLowerCase()); number += 1) {
      title = `${field.name} ${number}`;
    }
    return { field, column, title };
  });
}
