import * as z from 'zod';
import { CellProblem } from '../problem.ts';
import { isObject, jsonAsWritten, jsonToText, type Json } from './json.ts';

/** The state of a source cell as a computation sees it. */
export type SourceState =
  | { readonly kind: 'value'; readonly title: string; readonly value: Json }
  | { readonly kind: 'failed'; readonly title: string; readonly message: string }
  | {
      readonly kind: 'not_computed';
      readonly title: string;
      /** It waits for a person. */
      readonly isManual?: boolean;
    }
  | { readonly kind: 'missing'; readonly title: string };

/** One source of a column in one row: which config field names it, and its state. */
export interface SourceEntry {
  readonly configKey: string;
  /** The name under which code and mappings know the source. */
  readonly name: string | undefined;
  readonly state: SourceState;
}

/** Parsing gives nothing but JSON. */
const value = z.custom<Json>((given) => given !== undefined);
const title = z.string();
const Entries = z.array(
  z.object({
    configKey: z.string(),
    name: z
      .string()
      .nullable()
      .transform((name) => name ?? undefined),
    state: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('value'), title, value }),
      z.object({ kind: z.literal('failed'), title, message: z.string() }),
      z.object({ kind: z.literal('not_computed'), title, isManual: z.boolean() }),
      z.object({ kind: z.literal('missing'), title }),
    ]),
  }),
);

const jsonOf = ({ configKey, name, state }: SourceEntry): Json => ({
  ...{ configKey, name: name ?? null },
  state:
    state.kind === 'not_computed' ? { ...state, isManual: state.isManual ?? false } : { ...state },
});

export interface NamedValue {
  readonly title: string;
  readonly value: Json;
}

/** The sources of one cell. Reading one that has no value ends the computation with its reason. */
export class Sources {
  readonly #entries: readonly SourceEntry[];

  constructor(entries: readonly SourceEntry[]) {
    this.#entries = entries;
  }

  /** As `toText` has written it. */
  static fromText(text: string): Sources {
    return new Sources(Entries.parse(jsonAsWritten(text)));
  }

  toText(): string {
    return jsonToText(this.#entries.map(jsonOf));
  }

  /** Whether the values have more characters than this, about; looks at no more than it must. */
  isLargerThan(limit: number): boolean {
    const rest: Json[] = this.#entries.map(({ state }) =>
      state.kind === 'value' ? state.value : null,
    );
    let size = 0;
    while (rest.length > 0 && size <= limit) {
      const value = rest.pop() ?? null;
      size += typeof value === 'string' ? value.length : 4;
      if (Array.isArray(value)) {
        if (value.length > limit) return true;
        rest.push(...value);
      } else if (isObject(value)) {
        for (const key in value) {
          size += key.length;
          rest.push(value[key] ?? null);
          if (size > limit) break;
        }
      }
    }
    return size > limit;
  }

  one(configKey: string): NamedValue {
    const entry = this.#entries.find((candidate) => candidate.configKey === configKey);
    if (!entry) {
      throw new CellProblem(
        'source_missing',
        `The column that "${configKey}" names no longer exists. Select another one in the column's settings.`,
      );
    }
    return valueOf(entry.state);
  }

  many(configKey: string): NamedValue[] {
    return this.#of(configKey).map(({ state }) => valueOf(state));
  }

  /** For whoever can do without a source: failed and missing ones count as null. */
  manyOrNull(configKey: string): NamedValue[] {
    return this.#of(configKey).map(({ state }) => ({
      title: state.title,
      value: state.kind === 'value' ? state.value : null,
    }));
  }

  /** Sources by the name that code knows them by; a later title does not hide an older name. */
  named(configKey: string): Map<string, Json> {
    const values = new Map<string, Json>();
    for (const { name, state } of this.#of(configKey)) {
      const { title, value } = valueOf(state);
      values.set(title, value);
      if (name !== undefined) values.set(name, value);
    }
    return values;
  }

  /** Values by the variables that they are mapped to. */
  variables(configKey: string): Map<string, Json> {
    return new Map(
      this.#of(configKey).map(({ name, state }) => {
        const { title, value } = valueOf(state);
        return [name ?? title, value];
      }),
    );
  }

  /** Every source under its name: the variable that it is mapped to, else its title. */
  all(): { [name: string]: Json } {
    return Object.fromEntries(
      this.#entries.map(({ name, state }) => {
        const { title, value } = valueOf(state);
        return [name ?? title, value];
      }),
    );
  }

  has(configKey: string): boolean {
    return this.#entries.some((entry) => entry.configKey === configKey);
  }

  #of(configKey: string): SourceEntry[] {
    return this.#entries.filter((entry) => entry.configKey === configKey);
  }
}

function valueOf(state: SourceState): NamedValue {
  switch (state.kind) {
    case 'value':
      return state;
    case 'failed':
      throw new CellProblem('source_failed', `Column "${state.title}" failed: ${state.message}`);
    case 'not_computed':
      throw new CellProblem(
        'source_not_computed',
        state.isManual === true
          ? `Column "${state.title}" waits for an answer in this row. Fill it in first.`
          : `Column "${state.title}" has no value in this row yet. Run it first.`,
      );
    case 'missing':
      throw new CellProblem(
        'source_missing',
        `Column "${state.title}" no longer exists. Select another source in the column's settings.`,
      );
  }
}
