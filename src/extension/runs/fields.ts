import type { SheetField } from '../ask/sheet-fields.ts';
import type { RunDetail, RunEntry } from '../kept-runs/run-history.ts';

/** Variables first, then the output, then the facts of the run. */
export function fieldsOf(entry: RunEntry, { variables, output }: RunDetail): readonly SheetField[] {
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
