import type { CompiledColumn, Tools } from '../engine/columns/column-kind.ts';
import { jsonFromText, jsonToText, type Json } from '../engine/columns/json.ts';
import { pureKinds } from '../engine/columns/pure-kinds.ts';
import { Sources } from '../engine/columns/sources.ts';
import { CellProblem, EngineProblem, settledError } from '../engine/problem.ts';
import type { ColumnTask, SandboxAnswer } from './protocol.ts';

/** Columns come in rows: what is the same for all of them is read once. */
const MOST_COMPILED = 50;
const compiled = new Map<string, CompiledColumn>();

/** May take for ever: the service kills this process when it does. */
export function runColumn({ type, configText, sourcesText }: ColumnTask): SandboxAnswer {
  try {
    // These kinds use no tools.
    const value = columnOf(type, configText).compute(Sources.fromText(sourcesText), {} as Tools);
    return { ok: true, value: jsonToText(value as Json) };
  } catch (error) {
    return problemOf(error);
  }
}

function columnOf(type: string, configText: string): CompiledColumn {
  const name = `${type} ${configText}`;
  let column = compiled.get(name);
  if (column === undefined) {
    const kind = pureKinds.find((one) => one.type === type);
    if (kind === undefined) throw new Error(`${type} columns are not computed here.`);
    column = kind.compile(jsonFromText(configText));
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    compiled.set(name, column);
  }
  return column;
}

function problemOf(thrown: unknown): SandboxAnswer {
  const error = settledError(thrown);
  if (error instanceof CellProblem) {
    return { ok: false, reason: 'problem', code: error.code, message: error.message };
  }
  if (error instanceof EngineProblem) {
    return { ok: false, reason: 'problem', code: 'invalid_config', message: error.message };
  }
  throw error;
}
