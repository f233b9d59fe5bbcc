import { hash } from 'node:crypto';
import { stringifyJson } from '../../core/http/json.ts';
import { jsonFromText, jsonToText, type Json } from './columns/json.ts';
import type { CallContext, BudgetOwner } from './prompts.ts';
import type { Session } from '../store/database.ts';

const HASH_DIGITS = 32;

/** One question of a call context, with what was asked. */
export interface CallKey {
  readonly owner: string;
  readonly place: string;
  readonly number: number;
  readonly inputHash: string;
}

function ownerOf(budgetOwner: BudgetOwner): string {
  switch (budgetOwner.kind) {
    case 'operation':
      return operationOwner(budgetOwner.sheetKey, budgetOwner.operationKey);
    case 'run':
      return executionOwner(budgetOwner.executionId);
    case 'calculation':
      return calculationOwner(budgetOwner.calculation.id);
  }
}

export const operationOwner = (sheetKey: number, operationKey: number): string =>
  `operation ${String(sheetKey)}.${String(operationKey)}`;
export const calculationOwner = (id: string): string => `calculation ${id}`;
export const executionOwner = (executionId: number): string => `execution ${String(executionId)}`;

export const callKey = (
  { budgetOwner, place }: CallContext,
  number: number,
  asked: unknown,
): CallKey => ({
  owner: ownerOf(budgetOwner),
  place,
  number,
  inputHash: hash('sha256', stringifyJson(asked)).slice(0, HASH_DIGITS),
});

/** The answer that has been paid for before its process died; undefined when there is none. */
export async function findCall(session: Session, key: CallKey): Promise<Json | undefined> {
  const found = await session.one<{ result_json: string }>(
    'select result_json from kept_calls where owner = ? and place = ? and number = ? and input_hash = ?',
    [key.owner, key.place, key.number, key.inputHash],
  );
  return found && jsonFromText(found.result_json);
}

/** In the transaction that logs the request: whoever finds one finds the other. */
export async function keepCall(session: Session, key: CallKey, result: Json): Promise<void> {
  await session.run(
    `insert into kept_calls (owner, place, number, input_hash, result_json, created_at) values (?, ?, ?, ?, ?, ?)
     on conflict (owner, place, number) do update set input_hash = excluded.input_hash,
       result_json = excluded.result_json, created_at = excluded.created_at`,
    [key.owner, key.place, key.number, key.inputHash, jsonToText(result), Date.now()],
  );
}

/** Longer than any work goes on. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Answers that came when their work had been cancelled belong to nobody. */
export const dropOldCalls = (session: Session): Promise<number> =>
  session.run('delete from kept_calls where created_at < ?', [Date.now() - KEPT_MS]);

/** What belongs to work that is over is in its cells and in the log. */
export const dropCalls = (session: Session, owner: string): Promise<number> =>
  session.run('delete from kept_calls where owner = ?', [owner]);
